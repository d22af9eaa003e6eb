import { useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, Smartphone } from 'lucide-react'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { formatDateTime } from '../platform/dates.ts'
import { t } from '../platform/i18n.ts'
import { useFace } from '../platform/site.ts'
import { Link, useNavigate, useSearch } from '../platform/router.tsx'
import { signIn, useSession } from '../platform/session.ts'
import { toast } from '../platform/toast.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm.ts'
import { FormError } from '../ui/form-error.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { afterLogin } from './after-login.ts'
import { AuthForm, CredentialFields } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { isDeviceLocked, loginFailure, resetFailure } from './failures.ts'
import { reachesStore } from './reach-store.ts'
import { dropDrafts, useDraft } from './use-draft.ts'

/** Returns when a closed account will be deleted. Undefined for other errors. */
function closingOf(error: unknown): string | undefined {
  const isClosing = error instanceof ApiError && error.code === 'ACCOUNT_CLOSING'
  return isClosing ? String(error.details['closesAt']) : undefined
}

const supportLink = 'inline-flex items-center font-semibold text-brand hover:underline'

interface Credentials {
  username: string
  password: string
}

type Message = { tone: 'ok'; text: string } | LoginFailure | null
type LoginFailure = { tone: 'bad'; text: string } | { tone: 'locked' } | { tone: 'closing'; closesAt: string }

export function LoginScreen() {
  const { next } = useSearch('/login')
  const { user } = useSession()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const [username, setUsername] = useDraft('login-username')
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState<Message>(null)
  const login = useMutation({ mutationFn: (credentials: Credentials) => client.sessions.login(credentials) })
  const keep = useMutation({ mutationFn: (credentials: Credentials) => client.privacy.keepAccount(credentials) })
  const reset = useMutation({ mutationFn: (credentials: Credentials) => client.sessions.resetDeviceLock(credentials) })

  useEffect(() => {
    if (user) void navigate({ href: afterLogin(next), replace: true })
  }, [user, next, navigate])

  const isFilled = username.trim() !== '' && password !== ''

  const submitLogin = async () => {
    if (!isFilled) {
      setMessage({ tone: 'bad', text: t('Please enter username and password first.') })
      return
    }
    setMessage(null)
    try {
      const answer = await login.mutateAsync({ username, password })
      dropDrafts('login-username')
      signIn(answer.user)
    } catch (error) {
      const closesAt = closingOf(error)
      if (closesAt !== undefined) {
        setMessage({ tone: 'closing', closesAt })
        return
      }
      const isReachable = await reachesStore(error)
      setMessage(isDeviceLocked(error) ? { tone: 'locked' } : { tone: 'bad', text: loginFailure(error, isReachable) })
    }
  }

  const resetLock = async () => {
    if (!isFilled) {
      setMessage({ tone: 'bad', text: t('Please enter username and password first.') })
      return
    }
    const yes = await confirm({
      title: t('Reset the device lock for {username}?', { username: username.trim() }),
      body: t('This logs out the other device. You can then log in here.'),
      confirmLabel: t('Reset device lock'),
    })
    if (!yes) return
    setMessage(null)
    try {
      await reset.mutateAsync({ username, password })
      setMessage({ tone: 'ok', text: t('Device lock reset successfully! You can now login on other devices') })
    } catch (error) {
      const isReachable = await reachesStore(error)
      setMessage({ tone: 'bad', text: resetFailure(error, isReachable) })
    }
  }

  const keepAccount = async () => {
    try {
      await keep.mutateAsync({ username, password })
    } catch (error) {
      setMessage({ tone: 'bad', text: loginFailure(error, await reachesStore(error)) })
      return
    }
    toast(t('Account deletion cancelled'))
    await submitLogin()
  }

  // Runs one action at a time, and each once.
  const start = useOneAtATime((work: () => Promise<void>) => work())

  return (
    <AuthFrame title={t('Login')} description={t('Welcome back.')}>
      <AuthForm aria-label={t('Login')} onSubmit={() => start(submitLogin)}>
        <CredentialFields
          username={username}
          password={password}
          takesEmail
          onUsername={setUsername}
          onPassword={setPassword}
        />
        <div className="grid gap-2">
          <LoginMessage message={message} />
          {message?.tone === 'closing' && (
            <Button variant="secondary" wide pending={keep.isPending} onClick={() => start(keepAccount)}>
              {t('Cancel deletion and log in')}
            </Button>
          )}
          <Button type="submit" wide pending={login.isPending}>
            {t('Login')}
          </Button>
          <Button
            variant="ghost"
            wide
            icon={<Smartphone size={17} aria-hidden />}
            title={t('Available 24 hours after first login')}
            pending={reset.isPending}
            onClick={() => start(resetLock)}
          >
            {t('Reset Device Lock')}
          </Button>
          <p className="text-center text-xs text-balance text-fg-3">
            {t('Changed your phone? The reset is available 24 hours after first login.')}
          </p>
          <ForgotPassword className={`mx-auto min-h-11 text-sm ${supportLink}`} />
        </div>
      </AuthForm>
      <p className="mt-6 text-sm text-fg-2">
        {t('New here?')}{' '}
        <Link
          to="/signup"
          {...(next && { search: { next } })}
          className="inline-flex min-h-11 items-center font-semibold text-brand hover:underline"
        >
          {t('Sign up')}
        </Link>
      </p>
    </AuthFrame>
  )
}

function LoginMessage({ message }: { message: Message }) {
  return (
    <div className={message ? 'mb-2' : undefined}>
      <FormError>{message && message.tone !== 'ok' ? <Failure message={message} /> : undefined}</FormError>
      <output className={message?.tone === 'ok' ? 'block' : 'sr-only'}>
        {message?.tone === 'ok' && (
          <span
            className={
              'flex items-start gap-2 rounded-control border border-ok/30 bg-ok/10 px-3 py-2.5 text-sm text-ok'
            }
          >
            <CircleCheck size={16} className="mt-0.5 shrink-0" aria-hidden />
            {message.text}
          </span>
        )}
      </output>
    </div>
  )
}

function Failure({ message }: { message: LoginFailure }) {
  if (message.tone === 'bad') return message.text
  if (message.tone === 'closing')
    return (
      <div className="grid gap-1">
        <p className="font-semibold">{t('This account is set to be deleted')}</p>
        <p className="text-fg-2">
          {t('It will be deleted on {date}. You can still cancel the deletion.', {
            date: formatDateTime(message.closesAt),
          })}
        </p>
      </div>
    )
  return (
    <div className="grid gap-1">
      <p className="font-semibold">{t('You are already logged in on another device')}</p>
      <p className="text-fg-2">
        {t('Log out on that device, or tap Reset Device Lock below (available 24 hours after first login).')}{' '}
        <SupportLink className={supportLink}>{t('Contact support')}</SupportLink>
      </p>
    </div>
  )
}

/** Leads to a link by mail, or to the seller until the store has a mail server. */
function ForgotPassword({ className }: { className: string }) {
  const { mail } = useFace()
  const words = t('Forgot your password?')
  if (!mail) return <SupportLink className={className}>{words}</SupportLink>
  return (
    <Link to="/forgot-password" className={className}>
      {words}
    </Link>
  )
}
