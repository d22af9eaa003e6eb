import * as z from 'zod/mini'
import { REFERRAL_CHECK_LENGTH_MIN } from '../../../contract/limits.ts'
import { Registration } from '../../../contract/sessions.ts'
import { t } from '../../platform/i18n.ts'
import type { ReferralCheck } from './use-referral-check.ts'

export type Faults = Partial<Record<keyof z.input<typeof Registration>, string>>

const required = () => ({
  email: t('Email is required'),
  username: t('Username is required'),
  password: t('Password is required'),
  referralCode: t('Referral code is required'),
})

/** Returns each field's error, by the server's rules. */
export function faultsOf(registration: z.input<typeof Registration>, check: ReferralCheck): Faults {
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
