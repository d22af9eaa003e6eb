/** What the desk asks for, and the answers that it sends. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { RefundRule } from '../../../contract/claims.ts'
import { claimsOn, openClaimCount, type PanelSearch } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { makesStale } from '../../platform/calls/queries.ts'

const POLL_INTERVAL_MS = 15_000
const STALE = makesStale(['claims'], ['keys'], ['orders'])

/** A page of claims; open ones oldest first. */
export function useClaims(address: PanelSearch) {
  return useQuery({
    ...panelQuery(claimsOn(address)),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** How many claims wait; zero for a role that may not read them. */
export function useOpenClaims(): number {
  const found = useQuery({
    ...panelQuery(openClaimCount),
    enabled: !denied(calls.claims.list),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
  return found.data?.total ?? 0
}

export function useClaim(id: string) {
  return useQuery({
    queryKey: ['claims', 'one', id],
    queryFn: ({ signal }) => client.claims.one({ id }, { signal }),
  })
}

export type Choice =
  | { do: 'replace'; time: 'full' | 'same-end' }
  | { do: 'refund'; rule: RefundRule; expected: number }
  | { do: 'reject' }
type Decision = { id: string; answer: string } & Choice

function decide(decision: Decision) {
  const { id, answer } = decision
  const words = answer === '' ? {} : { answer }
  if (decision.do === 'reject') return client.claims.reject({ id, answer })
  if (decision.do === 'replace') return client.claims.replace({ id, time: decision.time, ...words })
  const { rule, expected } = decision
  return client.claims.refund({ id, rule, expected, ...(rule === 'other' && { amount: expected }), ...words })
}

export const useDecide = () => useChange(decide, STALE)

export const useRecall = (id: string, openClaims: boolean) =>
  useChange(
    (note: string) => client.claims.recall({ id, note, openClaims }),
    makesStale(['claims'], ['keys'], ['catalogue']),
  )

/** Answers all, in as many calls as it takes. */
export const useAnswerAll = () =>
  useMutation({
    async mutationFn(bulk: { id: string; do: 'replace' | 'unused' | 'full'; answer: string }) {
      const sum = { replaced: 0, refunded: 0, left: 0 }
      for (;;) {
        const { replaced, refunded, left } = await client.claims.answerAll(bulk)
        sum.replaced += replaced
        sum.refunded += refunded
        sum.left = left
        if (left === 0 || replaced + refunded === 0) return sum
      }
    },
    onSettled: STALE,
  })
