import { useMutation, useQuery } from '@tanstack/react-query'
import type { Plan } from '../../contract/payments.ts'
import { client } from '../platform/client.ts'
import { makesStale } from '../platform/queries.ts'
import { useRowChange } from '../platform/use-row-change.ts'

const PLANS = ['payments', 'plans']
const ALL_PLANS = [...PLANS, 'all']

type PlanTerms = Pick<Plan, 'amount' | 'bonus' | 'isActive'>

/** Every plan, also those that are switched off; smallest first. */
export function useAllPlans() {
  return useQuery({ queryKey: ALL_PLANS, queryFn: ({ signal }) => client.payments.plans({}, { signal }) })
}

/** Saves a plan, a new one where there is no id; buyers' offers are out of date then. */
export function useSavePlan() {
  return useMutation({
    mutationFn: ({ id, terms }: { id: string | undefined; terms: PlanTerms }) =>
      id === undefined ? client.payments.createPlan(terms) : client.payments.updatePlan({ id, ...terms }),
    onSettled: makesStale(PLANS),
  })
}

export function useRemovePlan() {
  return useMutation({
    mutationFn: (id: string) => client.payments.removePlan({ id }),
    onSettled: makesStale(PLANS),
  })
}

/** `toggle(plan, { isActive: false })` */
export function useTogglePlan() {
  return useRowChange<Plan>({
    rows: ALL_PLANS,
    send: ({ _id }, { isActive }) =>
      client.payments.updatePlan({ id: _id, ...(isActive !== undefined && { isActive }) }),
    stale: PLANS,
  })
}
