import type { Translate } from './words.ts'

/** Says why a request was rejected. What an admin wrote comes out as it is. */
export function sayReason(t: Translate, reason?: string | null): string {
  const amount = reason?.match(/^The bank shows (₹\S+)$/)?.[1]
  return amount ? t('The bank shows {amount}', { amount }) : t(reason ?? '')
}
