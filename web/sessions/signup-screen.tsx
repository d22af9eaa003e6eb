import { useEffect, useId, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Check, CircleCheck } from 'lucide-react'
import * as z from 'zod/mini'
import {
  PASSWORD_LENGTH_MIN,
  REFERRAL_CHECK_LENGTH_MIN,
  SIGNUP_REDIRECT_MS,
  TERMS_EFFECTIVE,
  TERMS_VERSION,
} from '../../contract/limits.ts'
import { Registration } from '../../contract/sessions.ts'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { Link, useNavigate, useSearch } from '../platform/router.tsx'
import { signIn, useSession } from '../platform/session.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { focusFault } from '../ui/focus-fault.ts'
import { FormError } from '../ui/form-error.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { textWith } from '../ui/text-with.tsx'
import { afterLogin } from './after-login.ts'
import { AuthFrame } from './auth-frame.tsx'
import { registerFailure } from './failures.ts'
import { dropDrafts, keepDraft, useDraft } from './use-draft.ts'
import { useReferralCheck, type ReferralCheck } from './use-referral-check.ts'

type Faults = Partial<Record<keyof z.input<typeof Registration>, string>>

const aside = 'inline-flex min-h-11 items-center font-semibold text-brand hover:underline'

const REFERRAL_LENGTH_MAX = 64

export function SignupScreen() {
  const { next, ref } = useSearch('/signup')
  const { user } = useSession()
  const navigate = useNavigate()
  const [done, setDone] = useState(false)

  useEffect(() => {
    if (user) void navigate({ href: afterLogin(next), replace: true })
  }, [user, next, navigate])
  useEffect(() => {
    if (!done) return undefined
    const timer = setTimeout(
      () => void navigate({ to: '/login', ...(next && { search: { next } }) }),
      SIGNUP_REDIRECT_MS,
    )
    return () => clearTimeout(timer)
  }, [done, next, navigate])

  return (
    <AuthFrame title={t('Create your account')}>
      {done ? <Created /> : <SignupForm referral={ref ?? ''} onDone={() => setDone(true)} />}
      {!done && (
        <p className="mt-6 flex flex-wrap items-center justify-between gap-x-6 text-sm text-fg-2">
          <span>
            {t('Already have an account?')}{' '}
            <Link to="/login" {...(next && { search: { next } })} className={aside}>
              {t('Login')}
            </Link>
          </span>
          <SupportLink className={aside}>{t('No code?')}</SupportLink>
        </p>
      )}
    </AuthFrame>
  )
}

interface SignupFormProps {
  /** The code that came with the link. */
  referral: string
  onDone: () => void
}

function SignupForm({ referral, onDone }: SignupFormProps) {
  const [email, setEmail] = useDraft('signup-email')
  const [username, setUsername] = useDraft('signup-username')
  const [password, setPassword] = useState('')
  // Each link has a draft of its own: a code that was tried once must not hide the one that came with a new link.
  const codeDraft = `signup-referral-${referral}`
  const [code, setCode] = useDraft(codeDraft, referral.toUpperCase())
  const [faults, setFaults] = useState<Faults>({})
  const [failure, setFailure] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const consentId = useId()
  const referralCode = code.trim()
  const check = useReferralCheck(referralCode)
  /** What was sent without an answer: the account may be there. */
  const unanswered = useRef('')
  const register = useMutation({
    async mutationFn(registration: z.input<typeof Registration>) {
      const text = JSON.stringify(registration)
      try {
        await client.sessions.register({ ...registration, termsVersion: TERMS_VERSION })
        return undefined
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.isPassing) unanswered.current = text
        if (error.code !== 'ACCOUNT_TAKEN' || unanswered.current !== text) throw error
        // By oneself, as the password proves, or by somebody else
        const { username, password } = registration
        const own = await client.sessions.login({ username, password }).catch(() => undefined)
        if (!own) throw error
        return own.user
      }
    },
  })

  /** A field that is being mended is no longer wrong. */
  const edit = (name: keyof Faults, change: (text: string) => void) => (event: { target: { value: string } }) => {
    change(event.target.value)
    setFaults({ ...faults, [name]: undefined })
    setFailure(undefined)
  }
  const refuse = (found: Faults, message?: string) => {
    setFaults(found)
    setFailure(message)
    focusFault(form.current)
  }

  const submit = useOneAtATime(async () => {
    const registration = { email, username, password, referralCode }
    const found = faultsOf(registration, check)
    if (Object.keys(found).length > 0) {
      refuse(found)
      return
    }
    if (check.state === 'checking') {
      setFailure(t('Please wait while we validate your referral code'))
      return
    }
    setFailure(undefined)
    let user
    try {
      user = await register.mutateAsync(registration)
    } catch (error) {
      const message = registerFailure(error)
      const fields = error instanceof ApiError ? error.fields : {}
      // What is said at a field need not be said again.
      refuse(fields, Object.values(fields).includes(message) ? undefined : message)
      return
    }
    dropDrafts('signup-email', 'signup-username', codeDraft)
    if (user) {
      signIn(user)
      return
    }
    keepDraft('login-username', username.trim())
    onDone()
  })

  const isWaitingForCheck = failure === t('Please wait while we validate your referral code')
  const shownFailure = isWaitingForCheck && check.state !== 'checking' ? undefined : failure
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('Create your account')}
      aria-describedby={consentId}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="grid gap-4.5"
    >
      <Field label={t('Email')} error={faults.email}>
        <Input
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          required
          value={email}
          onChange={edit('email', setEmail)}
        />
      </Field>
      <Field label={t('Username')} error={faults.username} hint={t('3 to 32 characters, no spaces')}>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          required
          value={username}
          onChange={edit('username', setUsername)}
        />
      </Field>
      <Field
        label={t('Password')}
        error={faults.password}
        hint={t('At least {count} characters. Avoid common passwords.', { count: PASSWORD_LENGTH_MIN })}
        success={
          password.length >= PASSWORD_LENGTH_MIN ? (
            <>
              <Check size={15} aria-hidden />
              {t('Good length')}
            </>
          ) : undefined
        }
      >
        <PasswordInput
          name="password"
          autoComplete="new-password"
          enterKeyHint="next"
          required
          value={password}
          onChange={edit('password', setPassword)}
        />
      </Field>
      <ReferralField
        value={code}
        check={check}
        fault={faults.referralCode}
        onChange={edit('referralCode', (text) => setCode(text.toUpperCase()))}
      />
      <div>
        <FormError>{shownFailure}</FormError>
        <Button
          type="submit"
          wide
          pending={register.isPending}
          aria-describedby={consentId}
          className={shownFailure ? 'mt-4' : 'mt-1'}
        >
          {t('Sign up')}
        </Button>
        <p id={consentId} className="mt-3 text-center text-xs text-fg-2">
          {textWith('By signing up, you agree to the {terms}', {
            terms: (
              <Link
                to="/terms-policy"
                target="_blank"
                className="-my-3 inline-flex min-h-11 items-center underline hover:text-fg"
              >
                {t('terms of {date}', { date: TERMS_EFFECTIVE })}
                <span className="sr-only"> {t('(opens in a new tab)')}</span>
              </Link>
            ),
          })}
        </p>
      </div>
    </form>
  )
}

interface ReferralFieldProps {
  value: string
  check: ReferralCheck
  fault: string | undefined
  onChange: (event: { target: { value: string } }) => void
}

function ReferralField({ value, check, fault, onChange }: ReferralFieldProps) {
  return (
    <Field
      label={t('Referral code')}
      error={fault ?? (check.state === 'invalid' ? check.message : undefined)}
      hint={
        check.state === 'checking' ? (
          <span className="flex items-center gap-1.5">
            <span className="spinner" aria-hidden />
            {t('Checking…')}
          </span>
        ) : (
          t('Ask the person who invited you')
        )
      }
      success={
        check.state === 'valid' ? (
          <>
            <Check size={15} aria-hidden />
            {t('Code applied')}
          </>
        ) : undefined
      }
    >
      <Input
        mono
        name="referralCode"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={REFERRAL_LENGTH_MAX}
        required
        value={value}
        onChange={onChange}
      />
    </Field>
  )
}

const required = () => ({
  email: t('Email is required'),
  username: t('Username is required'),
  password: t('Password is required'),
  referralCode: t('Referral code is required'),
})

/** Field → what is wrong with it, by the same rules as on the server. */
function faultsOf(registration: z.input<typeof Registration>, check: ReferralCheck): Faults {
  const read = z.safeParse(Registration, registration)
  const faults: Faults = {}
  for (const { path, message } of read.error?.issues ?? []) {
    const name = path[0] as keyof Faults
    faults[name] ??= registration[name].trim() === '' ? required()[name] : t(message)
  }
  if (!faults.referralCode && registration.referralCode.length < REFERRAL_CHECK_LENGTH_MIN) {
    faults.referralCode = t('Invalid referral code')
  }
  if (!faults.referralCode && check.state === 'invalid') faults.referralCode = check.message
  return faults
}

function Created() {
  return (
    <output className="grid justify-items-center gap-1.5 rounded-panel border border-line bg-surface px-4 py-12 text-center">
      <span className="mb-2 grid size-14 place-items-center rounded-full bg-ok/14 text-ok" aria-hidden>
        <CircleCheck size={28} />
      </span>
      <span className="text-xl font-semibold">{t('Account created')}</span>
      <span className="text-sm text-fg-2">{t('Taking you to login…')}</span>
    </output>
  )
}
