import { useRef, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Plan } from '../../../../contract/topup-plans.ts'
import { allPlans } from '../../../../contract/panel-pages.ts'
import { panelQuery } from '../../../platform/admin/panel-query.ts'
import { ApiError } from '../../../platform/calls/api-error.ts'
import { changesOf } from '../../../platform/admin/changes-of.ts'
import { useChange, useRowChange } from '../../../platform/admin/use-change.ts'
import { client } from '../../../platform/calls/client.ts'
import { makesStale } from '../../../platform/calls/queries.ts'

const PLANS = ['payments', 'plans']

type PlanTerms = Pick<Plan, 'amount' | 'bonus' | 'isActive'>

/** Every plan, also those that are switched off; smallest first. */
export function useAllPlans() {
  return useQuery(panelQuery(allPlans))
}

/** Saves a plan, a new one where there is no id; buyers' offers are out of date then. */
export function useSavePlan() {
  const [before] = useState(useAllPlans().data)
  const isAnswerLost = useRef(false)
  return useMutation({
    mutationFn: async ({ plan, terms }: { plan: Plan | undefined; terms: PlanTerms }) => {
      if (plan) return client.payments.updatePlan({ id: plan._id, ...changesOf(terms, plan) })
      const added = isAnswerLost.current && before ? await findAdded(terms, before) : undefined
      return added ?? client.payments.createPlan(terms)
    },
    onError: (error) => {
      if (error instanceof ApiError && (error.isPassing || error.code === 'NOT_JSON')) isAnswerLost.current = true
    },
    onSettled: makesStale(PLANS),
  })
}

/** An earlier try may have added the plan although its answer was lost. */
async function findAdded(terms: PlanTerms, before: readonly Plan[]): Promise<Plan | undefined> {
  const plans = await client.payments.plans({})
  return plans.find(
    ({ _id, amount, bonus, isActive }) =>
      amount === terms.amount &&
      bonus === terms.bonus &&
      isActive === terms.isActive &&
      before.every((plan) => plan._id !== _id),
  )
}

export const useRemovePlan = () => useChange((id: string) => client.payments.removePlan({ id }), makesStale(PLANS))

/** `toggle(plan, { isActive: false })` */
export function useTogglePlan() {
  return useRowChange<Plan>({
    rows: allPlans.key,
    send: ({ _id }, { isActive }) =>
      client.payments.updatePlan({ id: _id, ...(isActive !== undefined && { isActive }) }),
    stale: PLANS,
  })
}
