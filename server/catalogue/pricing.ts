/** Prices by viewer. The server decides them, here and in the purchase, never a client. */
import { toRupees, type Paise } from '../../contract/money.ts'

/**
 * The reader of the catalogue. An admin sees list prices and all products, so that a form never saves a custom
 * price as the list price.
 */
export type Viewer = { kind: 'visitor' } | { kind: 'user'; userId: string } | { kind: 'admin' }

export function viewerOf({ user, admin }: { user: { id: string } | null; admin: { id: string } | null }): Viewer {
  if (admin) return { kind: 'admin' }
  return user ? { kind: 'user', userId: user.id } : { kind: 'visitor' }
}

/** Returns a user's price of one key: the custom price if there is one, even above the list price. */
export function unitPrice(list: Paise, custom: Paise | null): Paise {
  return custom ?? list
}

/** True if its stock can be sold. A price of zero means not for sale. Admins see it all. */
export function isForSale(viewer: Viewer, list: Paise, custom: Paise | null): boolean {
  return viewer.kind === 'admin' || unitPrice(list, custom) !== 0
}

/** Returns the prices that a viewer may see, in rupees; none for a visitor. */
export function visiblePrices(
  viewer: Viewer,
  list: Paise,
  custom: Paise | null,
): { price?: number; listPrice?: number } {
  if (viewer.kind === 'visitor') return {}
  const price = viewer.kind === 'admin' ? list : unitPrice(list, custom)
  return { price: toRupees(price), listPrice: toRupees(list) }
}

/** Returns the price on a product's card, the lowest for sale, as 0 means “not for sale”; undefined if none is seen. */
export function lowestPrice(prices: readonly { price?: number | undefined }[]): number | undefined {
  const seen = prices.flatMap(({ price }) => (price === undefined ? [] : [price]))
  const forSale = seen.filter((price) => price > 0)
  return forSale.length > 0 ? Math.min(...forSale) : seen[0]
}
