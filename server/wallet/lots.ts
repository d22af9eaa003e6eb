/** The arithmetic of lots, without a database. */
import { add, negate, paise, ZERO, type Paise } from '../../contract/money.ts'

/** Credit that expires together, or never. */
export interface Lot {
  id: string
  remaining: Paise
  expiresAt: Date | null
}

/**
 * Chooses the lots that pay. Each in turn gives its rest until `amount` is covered. The shares add up to `amount`
 * exactly, and none is zero.
 * @param lots in the order of spending
 * @throws RangeError when the lots together hold less than `amount`
 */
export function splitAcrossLots<L extends Lot>(lots: readonly L[], amount: Paise): { lot: L; amount: Paise }[] {
  const shares: { lot: L; amount: Paise }[] = []
  let left = amount
  for (const lot of lots) {
    if (left === 0) break
    const share = paise(Math.min(lot.remaining, left))
    if (share === 0) continue
    shares.push({ lot, amount: share })
    left = add(left, negate(share))
  }
  if (left > ZERO) throw new RangeError(`The lots fall ${left} paise short`)
  return shares
}

/** Returns the sooner of two moments, where null is never. */
export function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null) return b
  if (b === null) return a
  return a < b ? a : b
}
