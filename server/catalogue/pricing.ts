/**
 * What a buyer pays, and what each viewer sees of it. The server decides it, here and in the purchase, never a client.
 *
 * One rule (docs/prices.md), in code for lists and in SQL for what buys: a buyer's own price decides alone. Without one
 * it is the lowest of the list price, of the step that the quantity reaches, and of the price of the buyer's group.
 */
import * as z from 'zod/mini'
import { paise, toRupees, type Paise } from '../../contract/money.ts'
import { priceFor } from '../../contract/prices.ts'
import { sql, type Sql } from '../platform/database/database.ts'

/**
 * The reader of the catalogue. An admin sees list prices and all products, so that a form never saves a custom
 * price as the list price.
 */
export type Viewer =
  | { kind: 'visitor' }
  | { kind: 'user'; userId: string; groupId?: string | null; isProgram?: true }
  /** `userId` of the buyer who is logged in beside. */
  | { kind: 'admin'; userId?: string; groupId?: string | null }

export function viewerOf({
  user,
  admin,
  token,
}: {
  user: { id: string } | null
  admin: { id: string } | null
  token?: object | null
}): Viewer {
  if (admin) return { kind: 'admin', ...(user && { userId: user.id }) }
  return user ? { kind: 'user', userId: user.id, ...(token && { isProgram: true }) } : { kind: 'visitor' }
}

/** As a duration's row keeps them, in paise. */
export const KeptSteps = z.nullable(z.array(z.object({ from: z.number(), price: z.number() })))

/** What decides a price. In paise. */
export interface PriceTerms {
  list: number
  /** The buyer's own price, even above the list price. */
  custom: number | null
  /** The price of the buyer's group. */
  group: number | null
  steps: z.output<typeof KeptSteps>
}

/** Returns a buyer's price of each of so many keys. 0 is not for sale. */
export function unitPrice({ list, custom, group, steps }: PriceTerms, quantity = 1): Paise {
  const price = priceFor({ price: list, steps }, quantity)
  return paise(custom ?? (group === null ? price : price === 0 ? group : Math.min(price, group)))
}

/** The same in SQL, of a row `price` and the buyer's row `custom`. Reads steps and groups only where there are any. */
export const buyersPrice = (quantity: Sql, groupId: Sql): Sql => sql`
  coalesce(custom.paise, least(
    nullif(price.list_paise, 0),
    case when price.steps is not null and price.list_paise > 0 then (
      select min(step.price)
        from jsonb_to_recordset(price.steps) as step ("from" int, price bigint) where step."from" <= ${quantity}) end,
    case when ${groupId} is not null then ${groupPrice(groupId)} end), 0)`

/** What a group pays for one of a row `price`. Null for what is not for sale to it. In code it is `lessPercent`. */
export const groupPrice = (groupId: Sql): Sql => sql`(
  select coalesce(own.paise, case when price.list_paise > 0 then
           greatest((price.list_paise * (100 - buyers.percent_off) + 9999) / 10000 * 100, 100) end)
    from buyer_groups buyers
    left join group_prices own on own.group_id = buyers.id and own.price_id = price.id
   where buyers.id = ${groupId})`

/** True if its stock can be sold. A price of zero means not for sale. Admins see it all. */
export function isForSale(viewer: Viewer, terms: PriceTerms): boolean {
  return viewer.kind === 'admin' || unitPrice(terms) !== 0
}

/** What a viewer sees of a duration's price, in rupees. */
interface VisiblePrices {
  price?: number
  listPrice?: number
  groupPrice?: number
  steps?: { from: number; price: number }[]
}

/** Returns the prices that a viewer may see; none for a visitor. Steps are those that make it cheaper for them. */
export function visiblePrices(viewer: Viewer, { list, custom, group, steps }: PriceTerms): VisiblePrices {
  if (viewer.kind === 'visitor') return {}
  const isAdmin = viewer.kind === 'admin'
  const price = isAdmin ? paise(list) : unitPrice({ list, custom, group, steps })
  const mayStep = isAdmin || (custom === null && list > 0)
  const cheaper = mayStep ? (steps ?? []).filter((step) => isAdmin || step.price < price) : []
  return {
    price: toRupees(price),
    listPrice: toRupees(paise(list)),
    ...(isAdmin && group !== null && { groupPrice: toRupees(unitPrice({ list, custom: null, group, steps: null })) }),
    ...(cheaper.length > 0 && { steps: cheaper.map((step) => ({ ...step, price: toRupees(paise(step.price)) })) }),
  }
}

/** Returns the price on a product's card, the lowest for sale, as 0 means “not for sale”; undefined if none is seen. */
export function lowestPrice(prices: readonly { price?: number | undefined }[]): number | undefined {
  const seen = prices.flatMap(({ price }) => (price === undefined ? [] : [price]))
  const forSale = seen.filter((price) => price > 0)
  return forSale.length > 0 ? Math.min(...forSale) : seen[0]
}
