import type { Plan } from '../../contract/payments.ts'

type Terms = Pick<Plan, 'amount' | 'bonus'>

/** Returns the bonus above the amount paid, in rupees. 0 if there is none. */
export function extraOf({ amount, bonus }: Terms): number {
  return Math.max(0, Math.round((bonus - amount) * 100) / 100)
}

/** Returns the plan with the most credit per rupee, the cheaper of two equal ones. Undefined if none has a bonus. */
export function bestPlan<P extends Terms>(plans: readonly P[]): P | undefined {
  const offers = plans.filter((plan) => extraOf(plan) > 0)
  return offers.reduce<P | undefined>((best, plan) => {
    if (!best) return plan
    const lead = plan.bonus * best.amount - best.bonus * plan.amount
    return lead > 0 || (lead === 0 && plan.amount < best.amount) ? plan : best
  }, undefined)
}
