/** Writes amounts and counts for people. */
import { formatCount, formatRupees } from '../../contract/money.ts'

export { formatCount, formatDollars, formatRupees } from '../../contract/money.ts'

/** Returns +₹1,100 or −₹649, for lists where the direction matters. */
export function formatSignedRupees(rupees: number): string {
  return rupees > 0 ? `+${formatRupees(rupees)}` : formatRupees(rupees)
}

/** For a text with `{count, plural, …}` whose larger numbers are written as `{text}`. */
export const counted = (count: number) => ({ count, text: formatCount(count) })

/** Adds rupees exact to the paisa, unlike a sum of fractions. */
export function sumRupees(amounts: Iterable<number>): number {
  let paise = 0
  for (const amount of amounts) paise += Math.round(amount * 100)
  return paise / 100
}

/** @returns `rupees` × `quantity`, exact to the paisa */
export function timesRupees(rupees: number, quantity: number): number {
  return (Math.round(rupees * 100) * quantity) / 100
}
