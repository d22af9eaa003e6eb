import { useEffect, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { TERMS_VERSION, REFERRAL_CHECK_LENGTH_MIN } from '../../../contract/limits.ts'
import { normaliseReferralCode } from '../../../contract/pasted.ts'
import { Registration } from '../../../contract/sessions.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { signIn } from '../../platform/session/session.ts'
import { useOneAtATime } from '../../platform/use-one-at-a-time.ts'
import { focusFault } from '../../ui/fields/focus-fault.ts'
import { isCookieless } from '../cookies-needed.tsx'
import { carryPassword } from '../carried-password.ts'
import { registerFailure } from '../failures.ts'
import { dropDrafts, keepDraft, useDraft } from '../use-draft.ts'
import { useReferralCheck, type ReferralCheck } from './use-referral-check.ts'

export interface SignupProps {
  /** The code from the link. */
  referral: string
  onDone: () => void
}

/** Holds the signup form's state and handles its fields and button. */
export function useSignup({ referral, onDone }: SignupProps) {
  const [email, setEmail] = useDraft('signup-email')
  const [username, setUsername] = useDraft('signup-username')
  const [password, setPassword] = useState('')
  // Each link has its own draft, so that a tried code never hides a new link's code.
  const codeDraft = `signup-referral-${referral}`
  const [code, setCode] = useDraft(codeDraft, normaliseReferralCode(referral))
  const [faults, setFaults] = useState<Faults>({})
  const [failure, setFailure] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const referralCode = normaliseReferralCode(code)
  const check = useReferralCheck(referralCode)
  const register = useRegister()
  /** Clears a field's error when it is edited. */
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
      // A message shown at its field is not repeated.
      refuse(fields, Object.values(fields).includes(message) ? undefined : message)
      return
    }
    dropDrafts('signup-email', 'signup-username', codeDraft)
    if (user) {
      signIn(user)
      return
    }
    keepDraft('login-username', username.trim())
    carryPassword(password)
    onDone()
  })

  // Pressed while the code was being checked: sent after the check, unless a field was edited since
  const isHeld = failure === t('Please wait while we validate your referral code')
  const isChecked = check.state !== 'checking'
  useEffect(() => {
    if (isHeld && isChecked) submit()
  })
  const fields = {
    email: { value: email, error: faults.email, onChange: edit('email', setEmail) },
    username: { value: username, error: faults.username, onChange: edit('username', setUsername) },
    password: { value: password, error: faults.password, onChange: edit('password', setPassword) },
    referral: {
      value: code,
      check,
      fault: faults.referralCode,
      onChange: edit('referralCode', (text) => setCode(text.toUpperCase())),
    },
  }
  return { form, fields, submit, failure: isHeld && isChecked ? undefined : failure, isSending: register.isPending }
}

/** Registers. If an earlier try without an answer has made the account, it logs in instead. */
function useRegister() {
  /** The registration sent without an answer. The account may exist. */
  const unanswered = useRef('')
  return useMutation({
    async mutationFn(registration: z.input<typeof Registration>) {
      const text = JSON.stringify(registration)
      try {
        await client.sessions.register({ ...registration, termsVersion: TERMS_VERSION })
        return undefined
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.isPassing) unanswered.current = text
        if (error.code !== 'ACCOUNT_TAKEN' || unanswered.current !== text) throw error
        // The password tells if this person or another took the account.
        const { username, password } = registration
        const own = await client.sessions.login({ username, password, needsCookie: true }).catch((refusal: unknown) => {
          throw isCookieless(refusal) ? refusal : error
        })
        return own.user
      }
    },
  })
}

type Faults = Partial<Record<keyof z.input<typeof Registration>, string>>

const required = () => ({
  email: t('Email is required'),
  username: t('Username is required'),
  password: t('Password is required'),
  referralCode: t('Referral code is required'),
})

/** Returns each field's error, by the server's rules. */
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
