/** The two screens of a forgotten password: asking for a link by mail, and the form that the link opens. */
import { useCall } from '../../platform/calls/use-call.ts'
import { useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, MailCheck } from 'lucide-react'
import * as z from 'zod/mini'
import { PASSWORD_LENGTH_MIN } from '../../../contract/limits.ts'
import { sessions } from '../../../contract/sessions.ts'
import { DemoMailboxLink } from '../../messages/demo-mailbox-link.tsx'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { useFace } from '../../platform/calls/site.ts'
import { t } from '../../platform/i18n.ts'
import { Link, useLocation } from '../../platform/navigation/router.tsx'
import { getSession, signOut } from '../../platform/session/session.ts'
import { useOneAtATime } from '../../platform/use-one-at-a-time.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { DeadLink } from '../../ui/page/dead-link.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { AuthForm } from '../auth-form.tsx'
import { AuthFrame } from '../auth-frame.tsx'
import { lengthCheck } from '../length-check.tsx'

const FOOT_LINK = 'inline-flex min-h-11 items-center text-brand hover:underline'

/** Asks for a link to a new password. The answer is the same for every address. */
export function ForgotPasswordScreen() {
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState<string>()
  const ask = useCall('sessions.forgotPassword')
  const submit = useOneAtATime(async () => {
    const read = z.safeParse(sessions.forgotPassword.input, { email })
    if (read.success) await ask.mutateAsync({ email }).catch(() => undefined)
    else setFault(t(read.error.issues[0]?.message ?? ''))
  })
  return (
    <AuthFrame
      plain
      title={t('Forgot your password?')}
      {...(!ask.isSuccess && { description: t('We’ll email you a link to set a new password.') })}
    >
      {ask.isSuccess ? (
        <div className="grid justify-items-start gap-4">
          <p role="status" className="flex items-start gap-2">
            <MailCheck size={18} className="mt-0.5 shrink-0 text-ok" aria-hidden />
            {t('If this email is confirmed, you’ll get a link soon. It works for 30 minutes.')}
          </p>
          <p className="text-sm text-fg-2">
            {t('No email? Check your spam folder.')}{' '}
            <SupportLink
              className="font-semibold text-brand hover:underline"
              otherwise={t('Or ask the person who gave you your referral code.')}
            >
              {t('Contact support')}
            </SupportLink>
          </p>
          <DemoMailboxLink />
          <Link to="/login" className={buttonClass()} data-next>
            {t('Login')}
          </Link>
        </div>
      ) : (
        <AuthForm aria-label={t('Forgot your password?')} onSubmit={submit}>
          <Field label={t('Email')} error={fault}>
            <Input
              type="email"
              name="email"
              autoComplete="email"
              inputMode="email"
              enterKeyHint="send"
              required
              value={email}
              onChange={(event) => {
                setEmail(event.target.value)
                setFault(undefined)
                if (ask.isError) ask.reset()
              }}
            />
          </Field>
          <FormError>{ask.error ? errorMessage(ask.error) : undefined}</FormError>
          <Button type="submit" wide pending={ask.isPending}>
            {t('Send link')}
          </Button>
        </AuthForm>
      )}
      <div className="mt-3 flex flex-wrap justify-center gap-x-6 text-sm font-semibold">
        {!ask.isSuccess && (
          <Link to="/login" className={FOOT_LINK}>
            {t('Back to login')}
          </Link>
        )}
        <SupportLink className={FOOT_LINK}>{t('Contact support')}</SupportLink>
      </div>
    </AuthFrame>
  )
}

/** Opens from a password reset link. The token is behind the #, which browsers never send. */
export function ResetPasswordScreen() {
  const { hash } = useLocation()
  // Another link, pasted over this one, starts a new form.
  return <Reset key={hash} token={hash.slice(1)} />
}

function Reset({ token }: { token: string }) {
  const [state, setState] = useState<'form' | 'dead' | 'used' | 'done'>(token ? 'form' : 'dead')
  return (
    <AuthFrame
      plain
      title={state === 'done' ? t('Password changed') : t('Choose a new password')}
      {...(state === 'form' && {
        description: t('This link works once. Setting a password logs out all your devices.'),
      })}
    >
      {state === 'form' && <ResetForm token={token} onEnd={setState} />}
      {state === 'dead' && <DeadReset isEmpty={!token} />}
      {(state === 'used' || state === 'done') && (
        <div className="grid justify-items-start gap-4">
          <p role="status" className={state === 'done' ? 'flex items-start gap-2 text-ok' : ''}>
            {state === 'done' && <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />}
            {state === 'done'
              ? t('Log in with your new password now.')
              : t('Your new password may already be set. Try logging in with it. If that fails, ask for a new link.')}
          </p>
          <Link to="/login" replace className={buttonClass()} data-next>
            {t('Login')}
          </Link>
        </div>
      )}
    </AuthFrame>
  )
}

interface ResetFormProps {
  token: string
  /** 'used': an earlier try got no answer and may have used the link. */
  onEnd: (how: 'dead' | 'used' | 'done') => void
}

function ResetForm({ token, onEnd }: ResetFormProps) {
  const [newPassword, setNewPassword] = useState('')
  const wasUnanswered = useRef(false)
  const [fault, setFault] = useState<string>()
  const reset = useMutation({
    mutationFn: () => client.sessions.resetPassword({ token, newPassword }),
    async onSuccess() {
      // Logs out here too, because the server ended every session of the account.
      if (getSession().user) await signOut()
      onEnd('done')
    },
    onError(error) {
      if (!(error instanceof ApiError)) return
      if (error.isPassing) wasUnanswered.current = true
      if (error.code === 'RESET_LINK_INVALID') onEnd(wasUnanswered.current ? 'used' : 'dead')
      else setFault(error.fields['newPassword'])
    },
  })
  const submit = useOneAtATime(async () => {
    const read = z.safeParse(sessions.resetPassword.input, { token, newPassword })
    const about = read.error?.issues.find(({ path }) => path[0] === 'newPassword')
    if (about) setFault(t(about.message))
    // The mutation shows the error.
    else if (read.success) await reset.mutateAsync().catch(() => undefined)
    else onEnd('dead')
  })
  return (
    <AuthForm aria-label={t('Choose a new password')} onSubmit={submit}>
      <Field
        label={t('New password')}
        error={fault}
        hint={t('Use at least {count} characters. Avoid common passwords.', { count: PASSWORD_LENGTH_MIN })}
        success={lengthCheck(newPassword, PASSWORD_LENGTH_MIN)}
      >
        <PasswordInput
          name="newPassword"
          autoComplete="new-password"
          enterKeyHint="go"
          required
          value={newPassword}
          onChange={(event) => {
            setNewPassword(event.target.value)
            setFault(undefined)
            if (reset.isError) reset.reset()
          }}
        />
      </Field>
      <FormError>{reset.error && !fault ? errorMessage(reset.error) : undefined}</FormError>
      <Button type="submit" wide pending={reset.isPending}>
        {t('Set new password')}
      </Button>
    </AuthForm>
  )
}

function DeadReset({ isEmpty }: { isEmpty: boolean }) {
  const { mail } = useFace()
  return (
    <div className="grid justify-items-start gap-4">
      <DeadLink
        why={
          isEmpty
            ? t('Part of the link is missing. Copy the full link, or ask for a new one.')
            : t('This link was already used or has expired (links last 30 minutes). Ask for a new one.')
        }
      />
      <div className="flex flex-wrap gap-2">
        {mail && (
          <Link to="/forgot-password" className={buttonClass()}>
            {t('Ask for a new link')}
          </Link>
        )}
        <SupportLink className={buttonClass({ variant: mail ? 'secondary' : 'primary' }, 'max-w-full')}>
          {t('Contact support')}
        </SupportLink>
        <Link to="/login" className={buttonClass({ variant: 'secondary' })}>
          {t('Login')}
        </Link>
      </div>
    </div>
  )
}
