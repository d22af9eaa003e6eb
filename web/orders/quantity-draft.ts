import { ORDER_QUANTITY_MAX, ORDER_QUANTITY_MIN } from '../../contract/limits.ts'

const STORAGE_KEY = 'buy-quantity'

/** What was filled in before a reload; product and duration are in the address. */
export function readQuantity(): number {
  try {
    const kept = Number(sessionStorage.getItem(STORAGE_KEY))
    if (Number.isInteger(kept) && kept >= ORDER_QUANTITY_MIN && kept <= ORDER_QUANTITY_MAX) return kept
  } catch {
    // Storage is off.
  }
  return ORDER_QUANTITY_MIN
}

export function keepQuantity(quantity: number): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, String(quantity))
  } catch {
    // Then a reload starts with one.
  }
}
