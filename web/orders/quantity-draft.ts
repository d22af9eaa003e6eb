import { ORDER_QUANTITY_MAX, ORDER_QUANTITY_MIN } from '../../contract/limits.ts'
import { createStore } from '../platform/store.ts'

const STORAGE_KEY = 'buy-quantity'

/** How many are wanted; a reload keeps it. Product and duration are in the address. */
export const quantityDraft = createStore(readQuantity(), ORDER_QUANTITY_MIN)

function readQuantity(): number {
  try {
    const kept = Number(sessionStorage.getItem(STORAGE_KEY))
    if (Number.isInteger(kept) && kept >= ORDER_QUANTITY_MIN && kept <= ORDER_QUANTITY_MAX) return kept
  } catch {
    // Storage is off.
  }
  return ORDER_QUANTITY_MIN
}

export function keepQuantity(quantity: number): void {
  quantityDraft.set(quantity)
  try {
    sessionStorage.setItem(STORAGE_KEY, String(quantity))
  } catch {
    // Then a reload starts with one.
  }
}
