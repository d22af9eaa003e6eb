import { useEffect, useId, useState } from 'react'
import { CircleCheck } from 'lucide-react'
import { PASSWORD_LENGTH_MIN, SIGNUP_REDIRECT_MS, TERMS_CHANGED } from '../../../contract/limits.ts'
import { t } from '../../platform/i18n.ts'
import { Link, navigate, useLocation, useSearch } from '../../platform/navigation/router.tsx'
import { useSession } from '../../platform/session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { afterLogin } from '../after-login.ts'
import { AuthForm } from '../auth-form.tsx'
import { AuthFrame } from '../auth-frame.tsx'
import { CookiesNeeded, useCookiesBlocked } from '../cookies-needed.tsx'
import { LinkedProduct } from './linked-product.tsx'
import { ReferralField } from './referral-field.tsx'
import { useSignup, type SignupProps } from './use-signup.ts'
import { lengthCheck } from '../length-check.tsx'

const aside = 'inline-flex min-h-11 items-center font-semibold text-brand hover:underline'

export function SignupScreen() {
  const { next, ref } = useSearch('/signup')
  const link = linkIn(next)
  const { user } = useSession()
  const { hash } = useLocation()
  const [done, setDone] = useState(false)

  useEffect(() => {
    if (user) void navigate({ href: afterLogin(next, hash), replace: true })
  }, [user, next, hash])
  useEffect(() => {
    if (!done) return undefined
    const timer = setTimeout(
      () => void navigate({ to: '/login', ...(next && { search: { next } }), hash: hash.slice(1) }),
      SIGNUP_REDIRECT_MS,
    )
    return () => clearTimeout(timer)
  }, [done, next, hash])

  return (
    <AuthFrame title={t('Create your account')}>
      {!done && link.product && <LinkedProduct name={link.product} />}
      {done ? <Created /> : <SignupForm referral={ref ?? link.ref ?? ''} onDone={() => setDone(true)} />}
      {!done && (
        <p className="mt-1 flex flex-wrap items-center justify-center gap-x-6 text-sm text-fg-2">
          <span>
            {t('Already have an account?')}{' '}
            <Link to="/login" {...(next && { search: { next } })} hash={hash.slice(1)} className={aside}>
              {t('Login')}
            </Link>
          </span>
          <SupportLink className={aside}>{t('No code?')}</SupportLink>
        </p>
      )}
    </AuthFrame>
  )
}

/** What the link of a product, by which somebody came, says. */
function linkIn(next = ''): { product?: string | undefined; ref?: string | undefined } {
  const { pathname, searchParams } = new URL(next, 'http://store')
  if (pathname !== '/buy') return {}
  return { product: searchParams.get('product') ?? undefined, ref: searchParams.get('ref') ?? undefined }
}

function SignupForm(props: SignupProps) {
  const { form, fields, submit, failure, isSending } = useSignup(props)
  const consentId = useId()
  const isBlocked = useCookiesBlocked()
  return (
    <AuthForm
      ref={form}
      aria-label={t('Create your account')}
      aria-describedby={consentId}
      onSubmit={submit}
      className="grid gap-4.5"
    >
      {isBlocked && (
        <FormError>
          <CookiesNeeded />
        </FormError>
      )}
      <SignupFields email={fields.email} username={fields.username} password={fields.password} />
      <ReferralField {...fields.referral} />
      <div>
        <FormError>{failure}</FormError>
        <Button
          type="submit"
          wide
          pending={isSending}
          aria-describedby={consentId}
          className={failure ? 'mt-4' : 'mt-1'}
        >
          {t('Sign up')}
        </Button>
        <Consent id={consentId} />
      </div>
    </AuthForm>
  )
}

type SignupFieldsProps = Pick<ReturnType<typeof useSignup>['fields'], 'email' | 'username' | 'password'>

function SignupFields({ email, username, password }: SignupFieldsProps) {
  return (
    <>
      <Field label={t('Email')} error={email.error}>
        <Input
          autoFocus
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          required
          value={email.value}
          onChange={email.onChange}
        />
      </Field>
      <Field label={t('Username')} error={username.error} hint={t('3 to 32 characters, no spaces')}>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          required
          value={username.value}
          onChange={username.onChange}
        />
      </Field>
      <Field
        label={t('Password')}
        error={password.error}
        hint={t('Use at least {count} characters. Avoid common passwords.', { count: PASSWORD_LENGTH_MIN })}
        success={lengthCheck(password.value, PASSWORD_LENGTH_MIN)}
      >
        <PasswordInput
          name="password"
          autoComplete="new-password"
          enterKeyHint="next"
          required
          value={password.value}
          onChange={password.onChange}
        />
      </Field>
    </>
  )
}

function Consent({ id }: { id: string }) {
  return (
    <p id={id} className="mt-3 text-center text-xs text-fg-2">
      {textWith('By signing up, you agree to the {terms}', {
        terms: (
          <Link
            to="/terms-policy"
            target="_blank"
            className="-my-3 inline-flex min-h-11 items-center underline hover:text-fg"
          >
            {t('terms (updated {date})', { date: t(TERMS_CHANGED) })}
            <span className="sr-only"> {t('(opens in a new tab)')}</span>
          </Link>
        ),
      })}
    </p>
  )
}

function Created() {
  return (
    <output
      className={'grid justify-items-center gap-1.5 rounded-panel border border-line bg-surface px-4 py-12 text-center'}
    >
      <span className="mb-2 grid size-14 place-items-center rounded-full bg-ok/14 text-ok" aria-hidden>
        <CircleCheck size={28} />
      </span>
      <span className="text-xl font-semibold">{t('Account created')}</span>
      <span className="text-sm text-fg-2">{t('Taking you to login…')}</span>
    </output>
  )
}
