/** What each refund rule gives back for one key. All sums are in paise. */
import { durationMs } from '../../contract/duration.ts'
import { REFUND_UNUSED_ABOVE, REFUND_WITHIN_MS } from '../../contract/limits.ts'
import { add, negate, paise, type Paise } from '../../contract/money.ts'

/** One key of a purchase, as it was when its buyer reported it. */
export interface Reported {
  unit: Paise
  /** The part of its purchase that is not refunded yet. */
  ofOrder: Paise
  duration: string
  assignedAt: Date
  expiresAt: Date
  reportedAt: Date
}

interface Sums {
  full: Paise | null
  unused: Paise | null
  terms: Paise | null
}

/** The most that can be refunded. */
export const leftOf = ({ unit, ofOrder }: Reported): Paise => paise(Math.min(unit, ofOrder))

/** The time that was left at the report, which the store's slowness does not shorten, and the whole time, in ms. */
export function timeOf({ duration, expiresAt, reportedAt }: Reported): { left: number; whole: number } {
  const whole = durationMs(duration)
  return { left: Math.min(whole, Math.max(0, expiresAt.getTime() - reportedAt.getTime())), whole }
}

/** Null where a rule gives nothing. */
export function sumsOf(key: Reported, fee: Paise): Sums {
  const { left, whole } = timeOf(key)
  const most = leftOf(key)
  const asked = key.reportedAt.getTime() - key.assignedAt.getTime()
  const isByTerms = asked <= REFUND_WITHIN_MS && left > whole * REFUND_UNUSED_ABOVE
  const sum = (amount: number) => (amount > 0 ? paise(Math.min(amount, most)) : null)
  return {
    full: sum(key.unit),
    // Big integers, because a price times milliseconds is above the safe numbers
    unused: sum(Number((BigInt(key.unit) * BigInt(left)) / BigInt(whole))),
    terms: isByTerms ? sum(add(key.unit, negate(fee))) : null,
  }
}
