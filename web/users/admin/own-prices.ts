/** A user's custom prices while edited: typed text by product and duration; empty means the list price. */
import type { Product } from '../../../contract/catalogue.ts'
import { parseRupees, toRupees } from '../../../contract/money.ts'
import type { AdminUser } from '../../../contract/users.ts'

type CustomPrice = AdminUser['customPrices'][number]
export type PriceDraft = Readonly<Record<string, string>>

export function priceKey(productId: string, duration: string): string {
  return `${productId}_${duration}`
}

export function draftOf(prices: readonly CustomPrice[]): PriceDraft {
  return Object.fromEntries(
    prices.map(({ productId, duration, price }) => [priceKey(productId, duration), String(price)]),
  )
}

export function isPriceWrong(typed: string): boolean {
  if (typed.trim() === '') return false
  const price = parseRupees(typed)
  return price === undefined || price < 0
}

/** The part of the draft that differs from what was `opened`. */
export function changedIn(draft: PriceDraft, opened: readonly CustomPrice[]): PriceDraft {
  const before = draftOf(opened)
  return Object.fromEntries(
    Object.entries(draft).filter(([key, typed]) => parseRupees(typed) !== parseRupees(before[key] ?? '')),
  )
}

/** Returns the whole list to store, without prices that are no longer for sale. */
export function pricesOf(draft: PriceDraft, products: readonly Product[]): CustomPrice[] {
  return products.flatMap((product) =>
    product.prices.flatMap(({ duration }) => {
      const price = parseRupees(draft[priceKey(product._id, duration)] ?? '')
      return price === undefined ? [] : [{ productId: product._id, duration, price: toRupees(price) }]
    }),
  )
}
