import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { sessions } from '../../../contract/sessions.ts'
import { DemoMailboxLink } from '../../messages/demo-mailbox-link.tsx'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { useOneAtATime } from '../../platform/use-one-at-a-time.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { AuthForm } from '../auth-form.tsx'
import { AuthFrame } from '../auth-frame.tsx'

const FOOT_LINK = 'inline-flex min-h-11 items-center text-brand hover:underline'

/** Asks for a link to a new password. The answer is the same for every address. */
export function ForgotPasswordScreen() {
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState<string>()
  const ask = useMutation({ mutationFn: () => client.sessions.forgotPassword({ email }) })
  const submit = useOneAtATime(async () => {
    const read = z.safeParse(sessions.forgotPassword.input, { email })
    if (read.success) await ask.mutateAsync().catch(() => undefined)
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
            {t('Log in')}
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
      <div className="mt-3 flex flex-wrap justify-between gap-x-6 text-sm font-semibold">
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
