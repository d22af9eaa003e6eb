/** What things cost, and to whom. Prices are decided here and by the purchase, never by a client. */
import { toRupees, type Paise } from '../../contract/money.ts'

/** Who looks at the shop. An admin sees list prices and every product, so that an editor never saves a custom price as the list price. */
export type Viewer = { kind: 'visitor' } | { kind: 'user'; userId: string } | { kind: 'admin' }

export function viewerOf({ user, admin }: { user: { id: string } | null; admin: { id: string } | null }): Viewer {
  if (admin) return { kind: 'admin' }
  return user ? { kind: 'user', userId: user.id } : { kind: 'visitor' }
}

/** What a user pays for one key: their own price where they have one, even above the list price, else the list price. */
export function unitPrice(list: Paise, custom: Paise | null): Paise {
  return custom ?? list
}

/** A price of zero says that a duration is not for sale, so none of its stock can be sold; an admin sees what there is. */
export function isForSale(viewer: Viewer, list: Paise, custom: Paise | null): boolean {
  return viewer.kind === 'admin' || unitPrice(list, custom) !== 0
}

/** The prices that a viewer may see, in rupees; nothing at all for a visitor. */
export function visiblePrices(
  viewer: Viewer,
  list: Paise,
  custom: Paise | null,
): { price?: number; listPrice?: number } {
  if (viewer.kind === 'visitor') return {}
  const price = viewer.kind === 'admin' ? list : unitPrice(list, custom)
  return { price: toRupees(price), listPrice: toRupees(list) }
}

/** The price on a product's card: the lowest of its prices; undefined where none may be seen. */
export function lowestPrice(prices: readonly { price?: number | undefined }[]): number | undefined {
  const seen = prices.flatMap(({ price }) => (price === undefined ? [] : [price]))
  return seen.length > 0 ? Math.min(...seen) : undefined
}
