import { parseRupees, toRupees, ZERO } from '../../../../contract/money.ts'
import type { Plan } from '../../../../contract/topup-plans.ts'

type Terms = Pick<Plan, 'amount' | 'bonus'>

export function toAmount(written: string): number {
  return toRupees(parseRupees(written) ?? ZERO)
}

/** Returns credit minus payment, in whole paise; negative if less is credited than paid. */
export function difference({ amount, bonus }: Terms): number {
  return Math.round((bonus - amount) * 100) / 100
}

/** The difference as a share of what is paid: "10%". */
export function percentOf({ amount, bonus }: Terms): string {
  const percent = ((bonus - amount) / amount) * 100
  return `${Math.abs(percent) < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)}%`
}
