/**
 * What a buyer pays, and what each viewer sees of it. The server decides it, here and in the purchase, never a client.
 *
 * One rule (docs/prices.md), in code for lists and in SQL for what buys: a buyer's own price decides alone. Without one
 * it is the lowest of the list price and of the step that the quantity reaches.
 */
import * as z from 'zod/mini'
import { paise, toRupees, type Paise } from '../../contract/money.ts'
import { priceFor } from '../../contract/prices.ts'
import { sql, type Sql } from '../platform/database/database.ts'

/**
 * The reader of the catalogue. An admin sees list prices and all products, so that a form never saves a custom
 * price as the list price.
 */
export type Viewer = { kind: 'visitor' } | { kind: 'user'; userId: string } | { kind: 'admin' }

export function viewerOf({ user, admin }: { user: { id: string } | null; admin: { id: string } | null }): Viewer {
  if (admin) return { kind: 'admin' }
  return user ? { kind: 'user', userId: user.id } : { kind: 'visitor' }
}

/** As a duration's row keeps them, in paise. */
export const KeptSteps = z.nullable(z.array(z.object({ from: z.number(), price: z.number() })))

/** What decides a price. In paise. */
export interface PriceTerms {
  list: number
  /** The buyer's own price, even above the list price. */
  custom: number | null
  steps: z.output<typeof KeptSteps>
}

/** Returns a buyer's price of each of so many keys. 0 is not for sale. */
export function unitPrice({ list, custom, steps }: PriceTerms, quantity = 1): Paise {
  return paise(custom ?? priceFor({ price: list, steps }, quantity))
}

/** The same in SQL, of a row `price` and the buyer's row `custom`, if there is one. */
export const buyersPrice = (quantity: Sql): Sql => sql`
  coalesce(custom.paise, case when price.steps is null or price.list_paise = 0 then price.list_paise else (
    select least(price.list_paise, min(step.price))
      from jsonb_to_recordset(price.steps) as step ("from" int, price bigint) where step."from" <= ${quantity}) end)`

/** True if its stock can be sold. A price of zero means not for sale. Admins see it all. */
export function isForSale(viewer: Viewer, terms: PriceTerms): boolean {
  return viewer.kind === 'admin' || unitPrice(terms) !== 0
}

/** What a viewer sees of a duration's price, in rupees. */
interface VisiblePrices {
  price?: number
  listPrice?: number
  steps?: { from: number; price: number }[]
}

/** Returns the prices that a viewer may see; none for a visitor. Steps are those that make it cheaper for them. */
export function visiblePrices(viewer: Viewer, { list, custom, steps }: PriceTerms): VisiblePrices {
  if (viewer.kind === 'visitor') return {}
  const own = viewer.kind === 'admin' ? null : custom
  const price = unitPrice({ list, custom: own, steps })
  const cheaper = own === null ? (steps ?? []).filter((step) => viewer.kind === 'admin' || step.price < price) : []
  return {
    price: toRupees(price),
    listPrice: toRupees(paise(list)),
    ...(cheaper.length > 0 && { steps: cheaper.map((step) => ({ ...step, price: toRupees(paise(step.price)) })) }),
  }
}

/** Returns the price on a product's card, the lowest for sale, as 0 means “not for sale”; undefined if none is seen. */
export function lowestPrice(prices: readonly { price?: number | undefined }[]): number | undefined {
  const seen = prices.flatMap(({ price }) => (price === undefined ? [] : [price]))
  const forSale = seen.filter((price) => price > 0)
  return forSale.length > 0 ? Math.min(...forSale) : seen[0]
}
