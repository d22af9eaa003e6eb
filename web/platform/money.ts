/** Writes amounts and counts for people. */
import { formatRupees } from '../../contract/money.ts'

export { formatDollars, formatRupees } from '../../contract/money.ts'

let whole: Intl.NumberFormat | undefined

/** Returns +₹1,100 or −₹649, for lists where the direction matters. */
export function formatSignedRupees(rupees: number): string {
  return rupees > 0 ? `+${formatRupees(rupees)}` : formatRupees(rupees)
}

/** Returns "1,28,440" for 128440. */
export function formatCount(count: number): string {
  whole ??= new Intl.NumberFormat('en-IN')
  return whole.format(count)
}

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
