/** What a buyer can get, and what it costs. The one measure of whether an admin's change makes something cheaper. */
import * as z from 'zod/mini'
import { priceFor } from '../../contract/prices.ts'
import { sql, type Sql, type Transaction } from '../platform/database/database.ts'
import { buyersPrice, KeptSteps } from './pricing.ts'

const Offer = z.object({
  priceId: z.string(),
  /** Paise; null for what cannot be bought: unlisted, deleted, removed, hidden, or at a price of zero. */
  price: z.nullable(z.number()),
  /** The price for everybody without a price of their own. */
  list: z.nullable(z.number()),
  steps: KeptSteps,
  isOwn: z.boolean(),
  perBuyer: z.nullable(z.number()),
  isTrial: z.boolean(),
})
type Offer = z.output<typeof Offer>
/** By the id of a duration's row. */
type Offers = Map<string, Offer>

interface Buyer {
  userId: Sql
  groupId: Sql
}
const NOBODY = sql`null::uuid`

/** Reads the durations of these products, as everybody buys them. */
export const readOffers = (tx: Transaction, productIds: readonly string[]): Promise<Offers> =>
  read(tx, { userId: NOBODY, groupId: NOBODY }, sql`product.id = any(${[...productIds]}::uuid[])`)

/** Reads all durations, as this user buys them. */
export const readOffersTo = (tx: Transaction, userId: string): Promise<Offers> =>
  read(tx, { userId: sql`${userId}::uuid`, groupId: sql`(select group_id from users where id = ${userId})` })

/** Reads all durations, as this group buys them. */
export const readOffersOfGroup = (tx: Transaction, groupId: string): Promise<Offers> =>
  read(tx, { userId: NOBODY, groupId: sql`${groupId}::uuid` })

async function read(tx: Transaction, { userId, groupId }: Buyer, condition: Sql = sql`true`): Promise<Offers> {
  const rows = await tx.rows(sql(Offer)`
    select price.id as price_id,
           case when ${IS_OFFERED} and hidden.user_id is null
                then nullif(${buyersPrice(sql`1`, sql`buyer.group_id`)}, 0) end as price,
           case when ${IS_OFFERED} then nullif(list_paise, 0) end as list,
           case when list_paise > 0 then price.steps end as steps, custom.paise is not null as is_own,
           price.per_buyer, price.is_trial
      from prices price
      join products product on product.id = price.product_id
     cross join (select ${userId} as id, ${groupId} as group_id) buyer
      left join custom_prices custom on custom.price_id = price.id and custom.user_id = buyer.id
      left join hidden_products hidden on hidden.product_id = product.id and hidden.user_id = buyer.id
     where ${condition}`)
  return new Map(rows.map((row) => [row.priceId, row]))
}

const IS_OFFERED = sql`(product.is_listed and product.deleted_at is null and price.removed_at is null)`

/**
 * True if something that was there before can now be had for less than anybody could get it for. A duration that is new
 * has no keys yet.
 */
export const isCheaper = (before: Offers, after: Offers): boolean =>
  [...after].some(([id, offer]) => {
    const was = before.get(id)
    const quantities = [1, ...(offer.steps ?? []).map(({ from }) => from)]
    return was && quantities.some((count) => cost(offer, count) < Math.min(cost(was, count), costToAll(was, count)))
  })

/** Of each of so many keys. No price is above all. */
const cost = ({ price, steps, isOwn }: Offer, quantity: number): number =>
  price === null ? Infinity : isOwn ? price : priceFor({ price, steps }, quantity)
const costToAll = ({ list, steps }: Offer, quantity: number): number =>
  list === null ? Infinity : priceFor({ price: list, steps }, quantity)

/** True if a buyer can now have more of something than before, or a person a trial again. */
export const isLooser = (before: Offers, after: Offers): boolean =>
  [...after].some(([id, { price, perBuyer, isTrial }]) => {
    const was = before.get(id)
    if (price === null || !was || was.perBuyer === null) return false
    return (perBuyer ?? Infinity) > was.perBuyer || (was.isTrial && !isTrial)
  })
