import type { OwnTopUp } from '../../contract/payments.ts'

/** How long a decision stays news. */
export const RECENT_MS = 24 * 3_600_000

/** Those that wait, and those decided within a day before `now`. */
export function recentRequests<R extends Pick<OwnTopUp, 'status' | 'decidedAt'>>(
  requests: readonly R[],
  now: number,
): R[] {
  return requests.filter(
    ({ status, decidedAt }) => status === 'pending' || (decidedAt !== null && now - Date.parse(decidedAt) < RECENT_MS),
  )
}
