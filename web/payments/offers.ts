import type { Plan } from '../../contract/topup-plans.ts'

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

const QUICK_RUPEES = [100, 200, 500, 1_000]

interface QuickAmount {
  rupees: number
  /** Wallet credit for it: more than the amount if a plan has it. */
  credit: number
}

/** Returns four amounts to choose from: the plans' own, filled up with round ones. Smallest first. */
export function quickAmounts(plans: readonly Plan[]): QuickAmount[] {
  const offered = [...new Set(plans.map(({ amount }) => amount))].slice(0, QUICK_RUPEES.length)
  const others = QUICK_RUPEES.filter((rupees) => !offered.includes(rupees))
  return [...offered, ...others.slice(0, QUICK_RUPEES.length - offered.length)]
    .toSorted((one, other) => one - other)
    .map((rupees) => ({ rupees, credit: offerAt(plans, rupees)?.bonus ?? rupees }))
}

/** Returns the plan that gives most for exactly this amount. Undefined if none gives a bonus. */
export function offerAt<P extends Terms>(plans: readonly P[], rupees: number): P | undefined {
  return bestPlan(plans.filter(({ amount }) => amount === rupees))
}
