import { useRef, useState } from 'react'
import { parseRupees } from '../../../../contract/money.ts'
import type { Plan } from '../../../../contract/topup-plans.ts'
import { allPlans } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { ApiError } from '../../../platform/calls/api-error.ts'
import { useChange } from '../../../platform/calls/use-call.ts'
import { client } from '../../../platform/calls/client.ts'

/** As typed. */
interface PlanDraft {
  amount: string
  bonus: string
  isActive: boolean
}

interface PlanSave {
  /** Undefined for a new one. */
  plan: Plan | undefined
  typed: PlanDraft
  changed: Partial<PlanDraft>
}

/** Every plan, also those that are switched off; smallest first. */
export const useAllPlans = () => usePanel(allPlans)

/** Saves a plan, a new one where there is no id; buyers' offers are out of date then. */
export function useSavePlan() {
  const [before] = useState(useAllPlans().data)
  const isAnswerLost = useRef(false)
  const save = async ({ plan, typed, changed }: PlanSave) => {
    if (plan) return client.payments.updatePlan({ id: plan._id, ...changed })
    const added = isAnswerLost.current && before ? await findAdded(typed, before) : undefined
    return added ?? client.payments.createPlan(typed)
  }
  return useChange('payments', save, {
    onError: (error) => {
      if (error instanceof ApiError && (error.isPassing || error.code === 'NOT_JSON')) isAnswerLost.current = true
    },
  })
}

/** Finds the plan that an earlier try has added, whose answer was lost. */
async function findAdded(typed: PlanDraft, before: readonly Plan[]): Promise<Plan | undefined> {
  const plans = await client.payments.plans({})
  return plans.find(
    ({ _id, amount, bonus, isActive }) =>
      parseRupees(amount) === parseRupees(typed.amount) &&
      parseRupees(bonus) === parseRupees(typed.bonus) &&
      isActive === typed.isActive &&
      before.every((plan) => plan._id !== _id),
  )
}
