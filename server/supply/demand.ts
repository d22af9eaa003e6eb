/**
 * What the shelves need, and ordering it. A need is never written down twice: what is under way is taken off, and the
 * supplier's row is locked while its budget of the day and its needs are read and the orders written.
 */
import * as z from 'zod/mini'
import { AMOUNT_MAX } from '../../contract/amounts.ts'
import { startOfDay } from '../../contract/india.ts'
import { HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { isStillOffered } from '../platform/database/conditions.ts'
import { literal, sql, type Database, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { FORGOTTEN_AT_ONCE } from '../platform/jobs.ts'
import { endFetches } from '../waiting/fetches.ts'
import { keysAwaited } from '../waiting/serve-queue.ts'

/** Looks that failed in a row, after which nothing more is ordered. */
const FAILURES_MAX = 3

/** True for a row `price` whose duration is for sale as `source` names it. */
const isOnSale = sql`(${isStillOffered(sql`source`)} and product.is_listed and product.deleted_at is null)`

/** True for a row `link` where the store buys. One that was turned on is compared first. */
const buys = sql`(link.is_on and not link.compares_first)`

/** After so many refused orders within an hour a source rests. Else one that always refuses is asked each minute. */
const REFUSED_MAX = 10

/** True for a row `source` that was refused too often of late. */
export const isRefusedOften = (now: Date): Sql => sql`(
  select count(*) >= ${REFUSED_MAX} from supply_orders lost
   where lost.link_id = source.link_id and lost.created_at > ${new Date(now.getTime() - HOUR_MS)}
     and lost.state in ('refused', 'dropped') and lost.price_id = source.price_id
     and lost.why not in ('unneeded', 'by-hand'))`

/** A source rests this long after a supplier without a list had none. */
const NONE_MS = 15 * MINUTE_MS
const UNANSWERED_MAX = 3

/** True for a row `source` of a supplier without a list that had none of late. */
export const hadNone = (now: Date): Sql => sql`(
  link.kind = 'http' and exists (
    select from supply_orders lost
     where lost.link_id = source.link_id and lost.created_at > ${new Date(now.getTime() - NONE_MS)}
       and lost.state = 'refused' and lost.price_id = source.price_id and lost.why = 'stock'))`

/** True for a row `link` without a list that leaves orders without an answer. They are asked for until it answers. */
const isSilent = sql`(
  link.kind = 'http' and (select count(*) >= ${UNANSWERED_MAX} from supply_orders lost
                           where lost.link_id = link.id and lost.ended_at is null and lost.why is not null
                             and not lost.is_once))`

/** True for a row `source` of a supplier `link` where keys can be bought now, as far as is known. */
const canBeBought = (now: Date): Sql => sql`(
  ${buys} and link.failures < ${FAILURES_MAX} and source.rests_why is null
  and source.their_paise <= source.cap_paise and source.their_stock > 0 and not ${isRefusedOften(now)}
  and not ${hadNone(now)} and not ${isSilent})`

const NONE = sql`null::uuid`

/** Keys that are ordered, of a row `price`. @param but an order that does not count */
const underWay = (but: Sql) => sql`(
  select coalesce(sum(quantity), 0)::bigint from supply_orders under_way
   where under_way.price_id = price.id and under_way.ended_at is null and under_way.id is distinct from ${but})`

/**
 * Keys that are missing on the shelf of a row `source` with its `price` and `link`.
 * @param but an order that does not count as under way
 */
const needOf = (now: Date, but: Sql = NONE): Sql => sql`(
  case link.runs_from when 'use' then source.keep else 0 end
  + ${keysAwaited(sql`source.their_paise`, now)}
  + (select coalesce(sum(quantity), 0)::bigint from renewals
      where renewals.price_id = price.id and ended_at is null and held_why is distinct from 'money'
        and due_at < ${new Date(now.getTime() + HOUR_MS)})
  - (select coalesce(sum(available), 0)::bigint from stock_counters where stock_counters.price_id = price.id)
  - ${underWay(but)})`

/**
 * True for a row `bought` of supply_orders that may still be bought. Its `source` and `link` are joined, the source as
 * it was when the order was written. An admin's order needs no shortage.
 */
export const isStillWanted = (now: Date): Sql => sql`coalesce(
  ${buys} and source.rests_why is null and source.their_paise <= least(source.cap_paise, bought.cap_paise)
  and ${isOnSale} and (bought.admin_id is not null or ${needOf(now, sql`bought.id`)} > 0), false)`

/** What a supplier has cost and may still cost on this day in India, of a row `link`. In paise. */
export const spentOn = (now: Date): Sql => sql`(
  select coalesce(sum(case state when 'came' then quantity * unit_paise
                                 when 'waiting' then quantity * cap_paise
                                 when 'asked' then quantity * cap_paise else 0 end), 0)::bigint
    from supply_orders where link_id = link.id and created_at >= ${startOfDay(now)})`

/**
 * What lies in the wallet there, less what is under way, of a row `link`. Null while it is not known. One with an API
 * of its own does not say it, so the budget of the day is all that bounds it.
 */
const leftThere = sql`(
  case link.kind when 'http' then ${AMOUNT_MAX}::bigint else balance_paise end
  - (select coalesce(sum(quantity * coalesce(asked_paise, cap_paise)), 0)::bigint
       from supply_orders where link_id = link.id and ended_at is null))`

const Budget = z.object({ dayPaise: z.number(), spent: z.number(), balance: z.nullable(z.number()) })

/** Locks a supplier, so that orders there are written one after the other. @returns what may still be spent */
export async function lockBudget(
  tx: Transaction,
  linkId: string,
  now: Date,
): Promise<{ today: number; balance: number | undefined }> {
  // A statement of its own, because one that waits for a lock goes on with what it read before
  await tx.run(sql`select from supply_links where id = ${linkId} for update`)
  const { dayPaise, spent, balance } = await tx.one(sql(Budget)`
    select day_paise, ${spentOn(now)} as spent,
           ${leftThere} as balance
      from supply_links link where id = ${linkId}`)
  return { today: dayPaise - spent, balance: balance ?? undefined }
}

const SourceRow = z.object({
  priceId: z.string(),
  linkId: z.string(),
  duration: z.string(),
  theirProduct: z.string(),
  theirDuration: z.string(),
  capPaise: z.number(),
  theirPaise: z.number(),
  theirStock: z.number(),
  /** Its name there, where it has no id. */
  sku: z.nullable(z.string()),
  /** Keys of one order. */
  orderMax: z.number(),
  need: z.number(),
})
type Source = z.output<typeof SourceRow>

/** Sources where keys can be bought now. @param which of a row `source` and `price` */
export function findSources(db: Queries, which: Sql, now: Date): Promise<Source[]> {
  return db.rows(sql(SourceRow)`
    select source.price_id, source.link_id, source.duration, source.their_product, source.their_duration,
           source.cap_paise, source.their_paise, source.their_stock - ${underWay(NONE)} as their_stock,
           case link.kind when 'http' then source.their_name end as sku, link.order_max, ${needOf(now)} as need
      from supply_sources source
      join supply_links link on link.id = source.link_id
      join prices price on price.id = source.price_id
      join products product on product.id = price.product_id
     where ${which} and ${canBeBought(now)} and ${isOnSale}
     order by source.price_id`)
}

export async function insertOrder(
  tx: Transaction,
  { priceId, linkId, duration, theirProduct, theirDuration, sku, capPaise }: Omit<Source, 'need'>,
  { quantity, adminId, now }: { quantity: number; adminId?: string; now: Date },
): Promise<string> {
  const id = newId()
  await tx.run(sql`
    insert into supply_orders (id, link_id, price_id, duration, their_product, their_duration, sku, quantity, cap_paise,
                               next_at, admin_id, created_at)
    values (${id}, ${linkId}, ${priceId}, ${duration}, ${theirProduct}, ${theirDuration}, ${sku}, ${quantity},
            ${capPaise}, ${now}, ${adminId ?? null}, ${now})`)
  return id
}

/** Writes orders for all that is missing. @returns how many */
export async function orderWhatIsMissing(db: Database, now: Date): Promise<number> {
  const missing = await findSources(db, sql`${needOf(now)} > 0`, now)
  let written = 0
  for (const linkId of new Set(missing.map((source) => source.linkId)))
    written += await db.transaction((tx) => orderAt(tx, linkId, now))
  return written
}

/** Reads the needs again under the lock, because another node may just have ordered. */
async function orderAt(tx: Transaction, linkId: string, now: Date): Promise<number> {
  const left = await lockBudget(tx, linkId, now)
  let { today, balance = 0 } = left
  let written = 0
  for (const source of await findSources(tx, sql`link.id = ${linkId} and ${needOf(now)} > 0`, now)) {
    const { capPaise, theirPaise, theirStock, orderMax, need } = source
    let wanted = Math.min(need, theirStock)
    while (wanted > 0) {
      const affordable = Math.min(Math.floor(today / capPaise), Math.floor(balance / theirPaise))
      const quantity = Math.min(wanted, orderMax, affordable)
      if (quantity < 1) break
      await insertOrder(tx, source, { quantity, now })
      today -= quantity * capPaise
      balance -= quantity * theirPaise
      wanted -= quantity
      written += 1
    }
  }
  return written
}

const Offer = z.object({ priceId: z.string(), offer: z.number() })

/** Keeps how many keys a buyer can order now, as far as is known. Writes only what has changed. */
export async function keepOffers(db: Database, now: Date): Promise<void> {
  const changed = await db.rows(sql(Offer)`
    select price_id, offer
      from (select source.price_id, source.offer as kept,
                   case when ${canBeBought(now)} and ${isOnSale} and not price.is_trial
                        then greatest(0, least(
                          source.for_buyers, source.their_stock - ${underWay(NONE)},
                          (link.day_paise - ${spentOn(now)}) / source.cap_paise,
                          coalesce(${leftThere}, 0) / source.their_paise)) else 0 end::int as offer
              from supply_sources source
              join supply_links link on link.id = source.link_id
              join prices price on price.id = source.price_id
              join products product on product.id = price.product_id) seen
     where offer <> kept`)
  // One after the other, so that two nodes never wait for each other
  for (const { priceId, offer } of changed)
    await db.run(sql`update supply_sources set offer = ${offer} where price_id = ${priceId}`)
}

/** Ends what was ordered for buyers and can't come any more. One whose price is being read again may still come. */
export const endHopeless = (db: Database, now: Date): Promise<number> =>
  endFetches(
    db,
    sql`not exists (
      select from supply_sources source
        join prices price on price.id = source.price_id
       where source.price_id = place.price_id
         and (source.offer > 0 or ${underWay(NONE)} > 0
              or (source.their_paise is null and source.refused_paise is not null and source.rests_why is null)
              or (select coalesce(sum(available), 0) from stock_counters
                   where stock_counters.price_id = price.id) >= place.quantity))`,
    now,
  )

/** Deletes orders that bought nothing long ago. A comparison with the supplier finds those that it sold after all. */
export const forgetOrders = (db: Database, before: Date): Promise<number> =>
  db.run(sql`
    delete from supply_orders
     where id in (select id from supply_orders
                   where state in ('refused', 'dropped') and created_at < ${before}
                   limit ${literal(FORGOTTEN_AT_ONCE)})`)
