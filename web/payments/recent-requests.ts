import type { OwnTopUp } from '../../contract/payments.ts'

/** How long a review counts as news, in ms. */
export const RECENT_MS = 24 * 3_600_000

/** Keeps pending requests, and those reviewed within a day before `now`. */
export function recentRequests<R extends Pick<OwnTopUp, 'status' | 'decidedAt'>>(
  requests: readonly R[],
  now: number,
): R[] {
  return requests.filter(
    ({ status, decidedAt }) => status === 'pending' || (decidedAt !== null && now - Date.parse(decidedAt) < RECENT_MS),
  )
}
