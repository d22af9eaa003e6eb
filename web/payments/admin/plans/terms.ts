import { parseRupees, toRupees, ZERO } from '../../../../contract/money.ts'
import type { Plan } from '../../../../contract/topup-plans.ts'
import { t } from '../../../platform/i18n.ts'

type Terms = Pick<Plan, 'amount' | 'bonus'>

const LEAST_PAISE = 1_00

/** Returns the error of a typed amount, which must be at least ₹1 with two decimals at most; else undefined. */
export function amountFault(written: string, isBonus: boolean): string | undefined {
  const amount = parseRupees(written)
  if (written.trim() === '') return isBonus ? t('Enter the wallet credit') : t('Enter the amount')
  if (amount === undefined) return t('Enter an amount in ₹, up to 2 decimal places')
  if (amount < LEAST_PAISE) return isBonus ? t('Minimum wallet credit is ₹1') : t('Minimum amount is ₹1')
  return undefined
}

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
