/**
 * An order whose answer has not come yet. It is kept over a reload, with its Idempotency-Key, so that asking again
 * ends in one purchase and never in two.
 */
export interface PendingPurchase {
  idempotencyKey: string
  userId: string
  productId: string
  productName: string
  duration: string
  quantity: number
  /** What one key cost on the screen, in rupees: at another price it is not bought. */
  expectedPrice: number
  /** It was sent, and no answer told what became of it. */
  isOpen: boolean
}

const STORAGE_KEY = 'pending-purchase'

/** Where storage is off, at least for as long as the page lives. */
let inMemory: PendingPurchase | undefined

export function keepPurchase(purchase: PendingPurchase): void {
  inMemory = purchase
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(purchase))
  } catch {
    // Off or full: then a reload forgets it.
  }
}

/** @param idempotencyKey of the one to forget: another that has taken its place stays */
export function forgetPurchase(idempotencyKey: string): void {
  const kept = inMemory ?? readStored()
  if (kept?.idempotencyKey !== idempotencyKey) return
  inMemory = undefined
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing was kept.
  }
}

/** The one that this person has left open, if any. */
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
