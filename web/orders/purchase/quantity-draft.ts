import { ORDER_QUANTITY_MAX, ORDER_QUANTITY_MIN } from '../../../contract/limits.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { keepTab, readTab } from '../../platform/tab-storage.ts'

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
  keepTab(STORAGE_KEY, next)
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
  // Data of an older page may be anything.
  const kept = readTab(STORAGE_KEY) as Draft | null
  const quantity = Number(kept?.quantity)
  const isRight = Number.isInteger(quantity) && quantity >= ORDER_QUANTITY_MIN && quantity <= ORDER_QUANTITY_MAX
  return kept && isRight ? { ...kept, quantity } : NONE
}
