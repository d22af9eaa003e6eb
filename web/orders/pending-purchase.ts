/**
 * Keeps an order without an answer over a reload, with its Idempotency-Key. Asking again then buys once, never twice.
 */
import { keepTab, readTab } from '../platform/tab-storage.ts'

export interface PendingPurchase {
  idempotencyKey: string
  userId: string
  productId: string
  productName: string
  duration: string
  quantity: number
  /** Price per key on the screen, in rupees. At another price the order is refused. */
  expectedPrice: number
  /** True if it was sent and no answer said what became of it. */
  isOpen: boolean
}

const STORAGE_KEY = 'pending-purchase'

/** Without storage the order lives as long as the page. */
let inMemory: PendingPurchase | undefined

export function keepPurchase(purchase: PendingPurchase): void {
  inMemory = purchase
  keepTab(STORAGE_KEY, purchase)
}

/** @param idempotencyKey of the order to forget; a newer order stays */
export function forgetPurchase(idempotencyKey: string): void {
  if (kept()?.idempotencyKey !== idempotencyKey) return
  inMemory = undefined
  keepTab(STORAGE_KEY, null)
}

/** Returns the order that this buyer left open, if any. */
export function keptPurchase(userId: string): PendingPurchase | undefined {
  const purchase = kept()
  return purchase?.userId === userId ? purchase : undefined
}

const kept = () => inMemory ?? (readTab(STORAGE_KEY) as PendingPurchase | null)
