/** What the desk asks for, and the answers that it sends. */
import type { Claim, RefundRule } from '../../../contract/claims.ts'
import { PAGE_SIZE_MAX } from '../../../contract/limits.ts'
import { ask, openClaimCount } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { client } from '../../platform/calls/client.ts'

export const CLAIMS_POLL_MS = 15_000

/** How many claims wait, and the oldest of them; zero for a role that may not read them. */
export function useOpenClaims(): { count: number; oldest: Claim | undefined } {
  const found = usePanel(openClaimCount, { enabled: !denied(calls.claims.list), pollMs: CLAIMS_POLL_MS })
  return { count: found.data?.total ?? 0, oldest: found.data?.claims[0] }
}

const oldestClaims = ask('claims', 'list', { status: 'open', limit: PAGE_SIZE_MAX }, 'oldest')

/** Returns how many answers are overdue; undefined while it is not known. At most a page of them is counted. */
export function useOverdueClaims(now: number, enabled: boolean): number | undefined {
  const found = usePanel(oldestClaims, { enabled, pollMs: CLAIMS_POLL_MS })
  return found.data?.claims.filter(({ answerBy }) => Date.parse(answerBy) <= now).length
}

export type Choice =
  | { do: 'replace'; time: 'full' | 'same-end' }
  | { do: 'refund'; rule: RefundRule; expected: number }
  | { do: 'reject' }
export type Decision = { id: string; answer: string } & Choice

export async function decide(decision: Decision): Promise<unknown> {
  const { id, answer } = decision
  const words = answer === '' ? {} : { answer }
  if (decision.do === 'reject') return client.claims.reject({ id, answer })
  if (decision.do === 'replace') return client.claims.replace({ id, time: decision.time, ...words })
  const { rule, expected } = decision
  return client.claims.refund({ id, rule, expected, ...(rule === 'other' && { amount: expected }), ...words })
}
