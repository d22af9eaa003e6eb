import * as z from 'zod/mini'
import { SupplyTemplate } from '../../contract/supply.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { latestAfter } from '../platform/clock.ts'
import { literal, sql, type Sql, type Transaction } from '../platform/database/database.ts'
import { isStillWanted } from './demand.ts'
import { figuresOf } from './telling/figures.ts'
import type { Supplying } from './supplying.ts'

/** An order is with one worker for this long. A call takes ten seconds at the most. */
const LEASE_MS = 30 * SECOND_MS
/** What may not be asked for now is looked at again after this. */
const PUT_OFF_MS = 5 * MINUTE_MS
/** Calls at one supplier at a time. */
const OF_A_LINK = 4

const Taken = z.object({
  id: z.string(),
  number: z.number(),
  linkId: z.string(),
  priceId: z.string(),
  productId: z.string(),
  duration: z.string(),
  theirProduct: z.string(),
  theirDuration: z.string(),
  sku: z.nullable(z.string()),
  quantity: z.number(),
  capPaise: z.number(),
  state: z.enum(['waiting', 'asked']),
  tries: z.number(),
  againAt: z.nullable(z.date()),
  createdAt: z.date(),
  linkName: z.string(),
  address: z.string(),
  sealed: z.instanceof(Buffer),
  template: z.nullable(SupplyTemplate),
  isOnce: z.boolean(),
  isOn: z.boolean(),
  theirPaise: z.nullable(z.number()),
  isWanted: z.boolean(),
})
export type TakenOrder = Omit<z.output<typeof Taken>, 'state' | 'isWanted' | 'isOn' | 'theirPaise' | 'tries'> & {
  /** It was sent once, nobody knows what came of it, and it may not be sent again. */
  isLost: boolean
  /** This one included. */
  tries: number
  /** What one key costs there, or zero to buy nothing. */
  price: number
}

/** True from a moment on. Also for a moment so far ahead that only a wrong clock can have written it. */
const isPast = (moment: Sql, now: Date, most: number): Sql =>
  sql`(${moment} <= ${now} or ${moment} > ${latestAfter(most, now)})`

/**
 * Takes orders that are due. Each is marked as asked and committed before it is sent, because after that nobody can
 * know whether it was bought. One that was never sent and that nobody needs any more is dropped. A supplier that would
 * sell a second time under the same number gets it once, and one that is off is not asked what became of it, because a
 * template has no way to ask without buying.
 */
export async function takeOrders(
  { db, metrics }: Pick<Supplying, 'db' | 'metrics'>,
  most: number,
  now: Date,
): Promise<TakenOrder[]> {
  const { taken, dropped } = await db.transaction(async (tx) => {
    const taken: TakenOrder[] = []
    let dropped = 0
    for (const { state, isWanted, isOn, theirPaise, ...order } of await lockDue(tx, most, now)) {
      const { template } = order
      const isOnce = order.isOnce || template?.repeats === false
      const isLost = isOnce && state === 'asked'
      if (state === 'waiting' && !isWanted) {
        void tx.send(sql`
          update supply_orders set state = 'dropped', why = 'unneeded', ended_at = ${now} where id = ${order.id}`)
        dropped += 1
        continue
      }
      if (template && state === 'asked' && !isLost && !isOn) {
        void tx.send(sql`
          update supply_orders set next_at = ${new Date(now.getTime() + PUT_OFF_MS)} where id = ${order.id}`)
        continue
      }
      const price = template ? order.capPaise : isWanted ? (theirPaise ?? 0) : 0
      const tries = isLost ? order.tries : order.tries + 1
      void tx.send(sql`
        update supply_orders
           set state = 'asked', tries = ${tries}, leased_until = ${new Date(now.getTime() + LEASE_MS)},
               is_once = ${isOnce}, asked_paise = coalesce(nullif(${price}::bigint, 0), asked_paise)
         where id = ${order.id}`)
      taken.push({ ...order, isOnce, isLost, tries, price })
    }
    return { taken, dropped }
  })
  if (dropped > 0) figuresOf(metrics).ended('dropped', dropped)
  return taken
}

function lockDue(tx: Transaction, most: number, now: Date): Promise<z.output<typeof Taken>[]> {
  const isDue = sql`bought.ended_at is null and ${isPast(sql`bought.next_at`, now, HOUR_MS)}
    and (bought.leased_until is null or ${isPast(sql`bought.leased_until`, now, LEASE_MS)})
    and not (bought.is_once and bought.why is not null)`
  return tx.rows(sql(Taken)`
    select bought.id, bought.number, bought.link_id, bought.price_id, price.product_id, bought.duration,
           bought.their_product, bought.their_duration, bought.sku, bought.quantity, bought.cap_paise,
           bought.state, bought.tries, bought.again_at, bought.is_once, bought.created_at,
           link.name as link_name, link.address, link.sealed, link.template, link.is_on, source.their_paise,
           ${isStillWanted(now)} as is_wanted
      from supply_orders bought
      join supply_links link on link.id = bought.link_id
      join prices price on price.id = bought.price_id
      join products product on product.id = price.product_id
      left join supply_sources source
             on source.price_id = bought.price_id and source.link_id = bought.link_id
                and source.duration = bought.duration and source.their_product = bought.their_product
                and source.their_duration = bought.their_duration
     where ${isDue} and bought.id in (
           select id from (
                  select id, coalesce(busy.orders, 0)
                             + row_number() over (partition by bought.link_id order by next_at, id) as place
                    from supply_orders bought
                    left join (select link_id, count(*) as orders from supply_orders
                                where ended_at is null and leased_until > ${now} group by link_id) busy
                           on busy.link_id = bought.link_id
                   where ${isDue}) ranked
            where place <= ${OF_A_LINK})
     order by bought.next_at, bought.id limit ${literal(most)} for update of bought skip locked`)
}
