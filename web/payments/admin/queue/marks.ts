import type { Payment } from '../../../../contract/payments.ts'
import { bankOf, bankText } from '../../../bank/admin/queue/bank-line.tsx'
import { riskSignalsOf } from '../requests/risk-signals.ts'

export const isConfirmed = ({ bank }: Payment): boolean => bank?.verdict === 'confirmed'

/**
 * The marks of a request's row that ask for a look. The bank's yes isn’t one. It settles all but those against it.
 * @param now to tell today from another day, in ms since 1970
 */
export function marksOf(payment: Payment, now: number): string[] {
  const isProven = isConfirmed(payment)
  const bank = isProven ? undefined : bankOf(payment)
  const signs = riskSignalsOf(payment, now).filter(({ tone }) => tone === 'bad' || (tone === 'warn' && !isProven))
  return [...(bank ? [bankText(bank)] : []), ...signs.map(({ text }) => text)]
}
