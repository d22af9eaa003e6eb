/**
 * Keeps an order without an answer over a reload, with its Idempotency-Key. Asking again then buys once, never twice.
 */
import { keepTab, readTab } from '../../platform/tab-storage.ts'

export interface PendingPurchase {
  idempotencyKey: string
  userId: string
  productId: string
  /** As the address has it. */
  productName: string
  /** As the buyer has seen it. An order of an earlier version has none. */
  shownName?: string
  duration: string
  quantity: number
  /** Price per key on the screen, in rupees. At another price the order is refused. */
  expectedPrice: number
  /** True if it was sent and no answer said what became of it. */
  isOpen: boolean
  /** When its keys were shown, in ms since 1970. */
  boughtAt?: number
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

/** A reload just after a purchase shows its keys again. Later they are in My Key. */
const RESULT_KEPT_MS = 10_000

/** True for an order whose keys were shown, once another product or another time is shown. */
export function isOver(purchase: PendingPurchase): boolean {
  const { boughtAt } = purchase
  return boughtAt !== undefined && (Date.now() - boughtAt > RESULT_KEPT_MS || !isOrderedHere(purchase))
}

/** True while the page shows the form of this order's product. */
export function isOrderedHere({ productName }: PendingPurchase): boolean {
  const shown = new URLSearchParams(location.search).get('product')
  return location.pathname === '/buy' && shown?.trim().toLowerCase() === productName.toLowerCase()
}

const kept = () => inMemory ?? (readTab(STORAGE_KEY) as PendingPurchase | null)
