import type { Payment } from '../../../../contract/payments.ts'
import { bankOf, bankText, warningAbout } from '../../../bank/admin/queue/bank-line.tsx'
import { riskSignalsOf } from '../requests/risk-signals.ts'

export const isConfirmed = ({ bank }: Payment): boolean => bank?.verdict === 'confirmed'

/** True if bank or signs speak against it. No button for many takes it unless its own box is ticked. */
export const isWarned = (payment: Payment, now: number): boolean =>
  warningAbout(payment) !== undefined || signsOf(payment, now).length > 0

/** The bank's yes answers all signs but those against the request. */
const signsOf = (payment: Payment, now: number) =>
  riskSignalsOf(payment, now).filter(({ tone }) => tone === 'bad' || (tone === 'warn' && !isConfirmed(payment)))

/**
 * The marks of a request's row that ask for a look. The bank's yes isn’t one.
 * @param now to tell today from another day, in ms since 1970
 */
export function marksOf(payment: Payment, now: number): string[] {
  const bank = isConfirmed(payment) ? undefined : bankOf(payment)
  return [...(bank ? [bankText(bank)] : []), ...signsOf(payment, now).map(({ text }) => text)]
}
