import type { User } from '../../contract/users.ts'
import { formatDate } from '../platform/dates.ts'
import { sumRupees } from '../platform/money.ts'

interface Expiring {
  /** In rupees. Negative for a deduction, which is credited back then. */
  amount: number
  /** The first time on that day when something expires. */
  expiresAt: string
}

/** Lists the wallet's expiring money, soonest first, one line per day. Leaves out money that does not expire. */
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
