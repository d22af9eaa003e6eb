import type { Translate } from './words.ts'

/** What a buyer reads who is blocked while the bank holds the money of a payment. */
export const HELD_BY_BANK = 'A payment of yours is being examined by the bank.'

/** Says why a request was rejected. What an admin wrote comes out as it is. */
export function sayReason(t: Translate, reason?: string | null): string {
  const amount = reason?.match(/^The bank shows (₹\S+)$/)?.[1]
  return amount ? t('The bank shows {amount}', { amount }) : t(reason ?? '')
}
