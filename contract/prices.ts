/** What a buyer pays for a key (docs/prices.md). In SQL it is `buyersPrice` (server/catalogue/pricing.ts). */

/** From so many keys in one order on, each of them costs this. */
interface Step {
  from: number
  price: number
}

interface Terms {
  /** Of one key. Absent for visitors. */
  price?: number | undefined
  steps?: readonly Step[] | null | undefined
}

/** Paise in a rupee, to which the price of a group is rounded up. */
const RUPEE = 100

/** Returns a group's price for a list price, both in paise. At least ₹1. */
export const lessPercent = (list: number, percentOff: number): number =>
  Math.max(RUPEE, Math.ceil((list * (100 - percentOff)) / 100 / RUPEE) * RUPEE)

/** Returns what each of so many keys costs, in the unit of the terms. 0 is not for sale. */
export function priceFor({ price = 0, steps }: Terms, quantity: number): number {
  if (price === 0) return 0
  return Math.min(price, ...(steps ?? []).map((step) => (step.from <= quantity ? step.price : price)))
}
