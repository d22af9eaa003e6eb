import type { OwnedKey } from '../../contract/keys.ts'
import { durationText, own } from '../platform/i18n.ts'
import { hasWords } from '../ui/fields/has-words.ts'
import { isExpired, isExpiringSoon } from './key-time.ts'

export type KeyFilter = 'all' | 'active' | 'expiring' | 'expired'

/** Keys bought together: they start and expire at the same moment. */
export interface KeyOrder {
  /** The first key's id. */
  id: string
  productId: string
  productName: string
  duration: string
  assignedAt: string
  expiresAt: string
  keys: OwnedKey[]
}

/** Groups keys by order and keeps the sequence they came in. */
export function ordersOf(keys: readonly OwnedKey[]): KeyOrder[] {
  const orders = new Map<string, KeyOrder>()
  for (const owned of keys) {
    const { productId, duration, assignedAt, expiresAt } = owned
    const moment = `${assignedAt} ${expiresAt} ${productId._id} ${duration}`
    const order = orders.get(moment)
    if (order) order.keys.push(owned)
    else {
      const id = owned._id
      orders.set(moment, {
        id,
        productId: productId._id,
        productName: own(productId, 'name'),
        duration,
        assignedAt,
        expiresAt,
        keys: [owned],
      })
    }
  }
  return [...orders.values()]
}

/** Keys are news for a day, in ms. */
const NEW_MS = 24 * 3_600_000

/** True for an order of today whose keys can be used. */
export const isNewOrder = ({ assignedAt, keys }: KeyOrder, now: number): boolean =>
  now - Date.parse(assignedAt) < NEW_MS && keys.some((owned) => !isExpired(owned, now))

/**
 * @param orders the newest first
 * @returns a new one first, then what expires next, and what is over at the end
 */
export function soonestFirst(orders: readonly KeyOrder[], now: number): KeyOrder[] {
  const [newest] = orders
  const fresh = newest && isNewOrder(newest, now) ? newest : undefined
  const rank = (order: KeyOrder) =>
    order === fresh ? 0 : order.keys.every((owned) => isExpired(owned, now)) ? Infinity : Date.parse(order.expiresAt)
  const ranked = orders.map((order) => ({ order, at: rank(order) }))
  // A comparison of two that are over must not be NaN
  return ranked.toSorted((one, other) => (one.at === other.at ? 0 : one.at - other.at)).map(({ order }) => order)
}

const BELONGS: Record<KeyFilter, (owned: OwnedKey, now: number) => boolean> = {
  all: () => true,
  active: (owned, now) => !isExpired(owned, now),
  expiring: isExpiringSoon,
  expired: isExpired,
}

/** Among these, the one that expires first is the one to look at. */
const SOONEST_FIRST: ReadonlySet<KeyFilter> = new Set(['active', 'expiring'])

/** Keeps orders whose product, duration or keys contain every typed word. */
export function filterKeys(keys: readonly OwnedKey[], filter: KeyFilter, search: string, now: number): OwnedKey[] {
  const found = keys.filter((owned) => {
    if (!BELONGS[filter](owned, now)) return false
    const { productId, duration, key } = owned
    return hasWords(search, ...Object.values(productId), duration, durationText(duration), key)
  })
  return SOONEST_FIRST.has(filter) ? found.toSorted((one, other) => leftOf(one) - leftOf(other)) : found
}

const leftOf = ({ expiresAt }: OwnedKey) => Date.parse(expiresAt)
