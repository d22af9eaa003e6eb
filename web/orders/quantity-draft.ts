import { ORDER_QUANTITY_MAX, ORDER_QUANTITY_MIN } from '../../contract/limits.ts'
import { createStore, useStore } from '../platform/store.ts'

interface Draft {
  userId: string
  productId: string
  /** Undefined while the typed text is not a quantity. */
  quantity: number | undefined
}

const STORAGE_KEY = 'buy-quantity'
const NONE: Draft = { userId: '', productId: '', quantity: ORDER_QUANTITY_MIN }

const draft = createStore(readDraft(), NONE)

/** Keeps the quantity over a reload. Another product or buyer starts with one. */
export function useQuantity(userId: string, productId: string | undefined): number | undefined {
  const kept = useStore(draft)
  return kept.userId === userId && kept.productId === productId ? kept.quantity : ORDER_QUANTITY_MIN
}

export function keepQuantity(next: Draft): void {
  draft.set(next)
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  } catch {
    // Without storage a reload starts with one.
  }
}

/** Invalid text is not kept for the next visit. */
export function forgetMistyped(): void {
  if (draft.get().quantity === undefined) forgetQuantity()
}

/** Forgets the quantity after a purchase. */
export function forgetQuantity(): void {
  keepQuantity(NONE)
}

function readDraft(): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Draft | null
    const quantity = Number(kept?.quantity)
    if (kept && Number.isInteger(quantity) && quantity >= ORDER_QUANTITY_MIN && quantity <= ORDER_QUANTITY_MAX)
      return { ...kept, quantity }
  } catch {
    // Storage is off, or holds data of an older page.
  }
  return NONE
}
