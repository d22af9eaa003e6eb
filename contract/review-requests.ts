/** Shared by panel and bot, where admins review top-up requests. */
import type { Payment } from './payments.ts'

/** The common reasons for a rejection, as the buyer reads them. */
export const REJECT_REASONS = [
  'We could not find this UTR in our account.',
  'The amount does not match the payment.',
  'This UTR was used for another request.',
  'The payment failed or was returned.',
] as const
export const UTR_NOT_FOUND = REJECT_REASONS[0]

/** True if a signal speaks against the request. A first top-up only asks for a look. */
export function isSuspicious({
  signs,
  claimedBy = [],
  unusual = false,
}: Pick<Payment, 'signs' | 'claimedBy' | 'unusual'>): boolean {
  if (signs === undefined) return false
  return unusual || signs.utrRejectedBefore || signs.phoneUsedBy.length > 0 || claimedBy.length > 0
}

/** The most that a tap in Telegram may decide by default, in rupees. */
export const DECIDE_UP_TO = 1_000
export const DECIDE_PER_DAY = 10_000
