import type { Plan } from '../../contract/payments.ts'

type Terms = Pick<Plan, 'amount' | 'bonus'>

/** What a plan gives beyond what is paid, in rupees; 0 where it gives no more. */
export function extraOf({ amount, bonus }: Terms): number {
  return Math.max(0, Math.round((bonus - amount) * 100) / 100)
}

/** The plan that gives most for each rupee paid, the cheaper of two alike; undefined where none gives extra. */
export function bestPlan<P extends Terms>(plans: readonly P[]): P | undefined {
  const offers = plans.filter((plan) => extraOf(plan) > 0)
  return offers.reduce<P | undefined>((best, plan) => {
    if (!best) return plan
    const lead = plan.bonus * best.amount - best.bonus * plan.amount
    return lead > 0 || (lead === 0 && plan.amount < best.amount) ? plan : best
  }, undefined)
}
