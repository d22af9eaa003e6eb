import type { User } from '../../contract/users.ts'
import { formatDate } from '../platform/dates.ts'
import { sumRupees } from '../platform/money.ts'

interface Expiring {
  /** In rupees; negative for a deduction, which returns then. */
  amount: number
  /** The first moment of that day at which something expires. */
  expiresAt: string
}

/** What of the wallet ends when, soonest first, one line a day; credit that lasts is left out. */
export function expiringCredit(lots: User['wallet']): Expiring[] {
  const days = new Map<string, Expiring>()
  const ending = lots
    .flatMap(({ amount, expiresAt }) => (expiresAt && amount !== 0 ? [{ amount, expiresAt }] : []))
    .sort((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt))
  for (const lot of ending) {
    const day = `${formatDate(lot.expiresAt)} ${lot.amount > 0}`
    const known = days.get(day)
    if (known) known.amount = sumRupees([known.amount, lot.amount])
    else days.set(day, { ...lot })
  }
  return [...days.values()]
}
