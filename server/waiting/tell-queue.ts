/**
 * Tells the queue that keys have arrived: as many people as there are keys. Half an hour later it tells the next, as
 * many as there are keys left. No key is held for anyone.
 */
import * as z from 'zod/mini'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { buyersPrice } from '../catalogue/pricing.ts'
import type { Arrival } from '../keys/hooks.ts'
import { isStillOffered, mayAct } from '../platform/database/conditions.ts'
import { sql, type Database, type Transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/outbox.ts'
import { isFetch } from './fetches.ts'
import { beyondLimit, boughtSince } from './places.ts'

/** How long before the next people get a message, in ms. */
const TURN_MS = 30 * MINUTE_MS
/** After this many messages without a purchase a buyer leaves the queue. */
const TIMES_TOLD_MAX = 3
const PLACE_LASTS_MS = 90 * DAY_MS
/** A message about stock is useless after this. */
const WORTH_TELLING_MS = DAY_MS
/** Ended places are kept this long, for the buyer's own data. */
const ENDED_KEPT_MS = 90 * DAY_MS

/** Begins a new round: people who got a message about earlier stock can get another. */
export async function tellArrival(
  tx: Transaction,
  { priceId, now, onSale, short }: Arrival & { onSale: number; short: readonly string[] },
): Promise<void> {
  await endTold(tx, priceId, now)
  await tx.run(sql`
    update waiting_places set told_at = null
     where price_id = ${priceId} and ended_at is null and told_at is not null and id <> all(${short}::uuid[])`)
  await tellShort(tx, short, now)
  await tellNext(tx, { priceId, now }, onSale)
}

/** Too little money: the first time the place stays. */
async function tellShort(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const short = await tx.rows(sql(() => z.object({ id: z.string(), userId: z.string(), left: z.boolean() }))`
    update waiting_places
       set told_at = ${now}, times_short = times_short + 1,
           ended_at = case when times_short > 0 then ${now}::timestamptz end,
           end_reason = case when times_short > 0 then 'short' end
     where id = any(${ids}::uuid[]) and ended_at is null
    returning id, user_id, ended_at is not null as left`)
  for (const { id, userId, left } of short) tell(tx, { id, userId, data: { short: left ? 2 : 1 } }, now)
}

function tell(
  tx: Transaction,
  { id, userId, data }: NotifiedPlace & { data?: Record<string, number> },
  now: Date,
): void {
  const goneAfter = new Date(now.getTime() + WORTH_TELLING_MS)
  enqueue(tx, { kind: 'stock.back', userId, subjectId: id, ...(data && { data }), goneAfter, now })
}

const NotifiedPlace = z.object({ id: z.string(), userId: z.string() })
type NotifiedPlace = z.output<typeof NotifiedPlace>

/**
 * Tells as many as there are keys, of those without a message about it. A buyer who wants ten counts as one. The queue
 * of a product that is not listed pauses, and so does the place of a blocked buyer.
 */
async function tellNext(tx: Transaction, { priceId, now }: Arrival, keys: number): Promise<number> {
  if (keys <= 0) return 0
  const told = await tx.rows(sql(NotifiedPlace)`
    update waiting_places told set told_at = ${now}, times_told = times_told + 1
      from (select place.id, row_number() over (order by place.seq) as position
              from waiting_places place
             where place.price_id = ${priceId} and place.ended_at is null and place.told_at is null
               and not ${isFetch} and not ${boughtSince} and not ${beyondLimit}
               and exists (select from users where users.id = place.user_id and ${mayAct(sql`users`)})
               and exists (select from prices price join products product on product.id = price.product_id
                             join users buyer on buyer.id = place.user_id
                             left join custom_prices custom on custom.price_id = price.id
                                                           and custom.user_id = place.user_id
                            where price.id = place.price_id and product.is_listed and ${isStillOffered(sql`place`)}
                              and ${buyersPrice(sql`place.quantity`, sql`buyer.group_id`)} > 0)) queue
     where told.id = queue.id and queue.position <= ${keys} and told.ended_at is null and told.told_at is null
    returning told.id, told.user_id`)
  for (const each of told) tell(tx, each, now)
  return told.length
}

function endTold(tx: Transaction, priceId: string, now: Date): Promise<number> {
  return tx.run(sql`
    update waiting_places set ended_at = ${now}, end_reason = 'told'
     where price_id = ${priceId} and ended_at is null and times_told >= ${TIMES_TOLD_MAX}`)
}

/** Continues the running rounds, and ends places that nobody needs. */
export async function moveQueues(db: Database, now: Date): Promise<{ told: number; ended: number }> {
  const ended = await endPlaces(db, now)
  const due = await db.rows(sql(() => z.object({ priceId: z.string(), available: z.number() }))`
    select price_id, available
      from (select distinct price_id from waiting_places where ended_at is null and told_at is null) queue
     cross join lateral (
           select coalesce(sum(available), 0)::bigint as available from stock_counters
            where stock_counters.price_id = queue.price_id) stock
     where available > 0
       and not exists (select from waiting_places
                        where waiting_places.price_id = queue.price_id
                          and told_at > ${new Date(now.getTime() - TURN_MS)})`)
  let told = 0
  for (const { priceId, available } of due)
    told += await db.transaction((tx) => tellNext(tx, { priceId, now }, available))
  return { told, ended }
}

async function endPlaces(db: Database, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db.run(sql`delete from waiting_places where ended_at < ${before(ENDED_KEPT_MS)}`)
  return db.run(sql`
    with over as (
      select place.id, case when ${boughtSince} then 'bought'
                            when buyer.closes_at is not null or buyer.deleted_at is not null
                                 or not ${isStillOffered(sql`place`)} or product.deleted_at is not null
                                 or ${beyondLimit}
                                 or exists (select from hidden_products hidden
                                             where hidden.user_id = place.user_id and hidden.product_id = product.id)
                              then 'gone'
                            when place.times_told >= ${TIMES_TOLD_MAX} and place.told_at <= ${before(TURN_MS)}
                              then 'told'
                            when place.created_at <= ${before(PLACE_LASTS_MS)} then 'expired' end as reason
        from waiting_places place
        join users buyer on buyer.id = place.user_id
        join prices price on price.id = place.price_id
        join products product on product.id = price.product_id
       where place.ended_at is null)
    update waiting_places place set ended_at = ${now}, end_reason = over.reason
      from over where place.id = over.id and over.reason is not null and place.ended_at is null`)
}
