import { useEffect, useRef } from 'react'
import { CircleCheck, Smartphone } from 'lucide-react'
import { sayReason } from '../../contract/reason-words.ts'
import { formatDateTime } from '../platform/dates.ts'
import { getLanguage, t } from '../platform/i18n.ts'
import { Link, navigate, useLocation, useSearch } from '../platform/navigation/router.tsx'
import { useSession } from '../platform/session/session.ts'
import { useFace } from '../platform/calls/site.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'
import { afterLogin } from './after-login.ts'
import { AuthForm, CredentialFields } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { CookiesNeeded } from './cookies-needed.tsx'
import { carriedPassword } from './carried-password.ts'
import { useLogin, type LoginFailure, type Message } from './use-login.ts'

const supportLink = 'inline-flex items-center font-semibold text-brand hover:underline'

export function LoginScreen() {
  const { next } = useSearch('/login')
  const { hash } = useLocation()
  const { user } = useSession()
  useEffect(() => {
    if (!user) return
    const href = afterLogin(next, hash)
    // The account has chosen another language than this page's
    if ((user.language ?? getLanguage()) !== getLanguage()) location.replace(href)
    else void navigate({ href, replace: true })
  }, [user, next, hash])
  return (
    <AuthFrame title={t('Login')}>
      <LoginForm />
      <p className="mt-3 text-center text-sm text-fg-2">
        {t('New here?')}{' '}
        <Link
          to="/signup"
          {...(next && { search: { next } })}
          hash={hash.slice(1)}
          className="inline-flex min-h-11 items-center font-semibold text-brand hover:underline"
        >
          {t('Sign up')}
        </Link>
      </p>
    </AuthFrame>
  )
}

function LoginForm() {
  const { credentials, message, login, reset, keep } = useLogin()
  const submit = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // After a sign-up everything is filled in
    if (carriedPassword()) submit.current?.focus()
  }, [])
  return (
    <AuthForm aria-label={t('Login')} onSubmit={login.run}>
      <CredentialFields {...credentials} takesEmail />
      <div className="grid gap-2">
        <LoginMessage message={message} />
        {message?.tone === 'closing' && (
          <Button variant="secondary" wide pending={keep.pending} onClick={keep.run}>
            {t('Cancel deletion and log in')}
          </Button>
        )}
        <Button ref={submit} type="submit" wide pending={login.pending}>
          {t('Login')}
        </Button>
        <Button
          variant="ghost"
          wide
          icon={<Smartphone size={17} aria-hidden />}
          title={t('Available 24 hours after first login')}
          pending={reset.pending}
          onClick={reset.run}
        >
          {t('Reset Device Lock')}
        </Button>
        <p className="text-center text-xs text-balance text-fg-3">
          {t('Changed your phone? The reset is available 24 hours after first login.')}
        </p>
        <ForgotPassword />
      </div>
    </AuthForm>
  )
}

/** Leads to a link by mail, or to support until the store has a mail server. */
function ForgotPassword() {
  const { mail } = useFace()
  const className = `mx-auto min-h-11 text-center text-sm ${supportLink}`
  if (mail) {
    return (
      <Link to="/forgot-password" className={className}>
        {t('Forgot your password?')}
      </Link>
    )
  }
  return (
    <SupportLink
      className={className}
      otherwise={
        <p className="text-center text-xs text-balance text-fg-3">
          {t('Forgot your password? Ask the person who gave you your referral code for a password reset link.')}
        </p>
      }
    >
      {t('Forgot your password? Ask support for a password reset link.')}
    </SupportLink>
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
  if (message.tone === 'cookies') return <CookiesNeeded />
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
  if (message.tone === 'blocked')
    return (
      <div className="grid gap-1">
        <p className="font-semibold">{t('This account is blocked')}</p>
        <p className="wrap-anywhere text-fg-2">{t('Reason: {reason}', { reason: sayReason(t, message.reason) })}</p>
        <SupportLink className={`min-h-11 justify-self-start ${supportLink}`}>{t('Contact support')}</SupportLink>
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
