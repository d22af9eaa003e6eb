/**
 * Keeps an order without an answer over a reload, with its Idempotency-Key. Asking again then buys once, never twice.
 */
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
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(purchase))
  } catch {
    // Storage is off or full. Then a reload forgets the order.
  }
}

/** @param idempotencyKey of the order to forget; a newer order stays */
export function forgetPurchase(idempotencyKey: string): void {
  const kept = inMemory ?? readStored()
  if (kept?.idempotencyKey !== idempotencyKey) return
  inMemory = undefined
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is off, so nothing was stored.
  }
}

/** Returns the order that this buyer left open, if any. */
export function keptPurchase(userId: string): PendingPurchase | undefined {
  const kept = inMemory ?? readStored()
  return kept?.userId === userId ? kept : undefined
}

function readStored(): PendingPurchase | undefined {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY)
    return text ? (JSON.parse(text) as PendingPurchase) : undefined
  } catch {
    return undefined
  }
}
