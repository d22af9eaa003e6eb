/**
 * Compares what a supplier has sold under the store's numbers with the store's own orders. What it sold and the store
 * does not have, after a restored backup for example, is asked for again under its number, and comes into stock.
 */
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { startOfDay } from '../../contract/india.ts'
import { SUPPLY_ORDER_MAX } from '../../contract/limits.ts'
import { latestAfter } from '../platform/clock.ts'
import { columns, literal, sql, type Database, type Sql, type Transaction } from '../platform/database/database.ts'
import { readTheirOrders, type Sold } from './chaabi/books.ts'
import { lockLink } from './links.ts'
import type { Supplying } from './supplying.ts'
import { tellTrouble } from './telling/trouble.ts'

/** Purchases of this time are read again each night, because refunds of them come later. */
const READ_AGAIN_MS = 31 * DAY_MS
/** Ten past three at night in India. */
const TIME_OF_NIGHT_MS = 3 * HOUR_MS + 10 * MINUTE_MS
/** After this another node may take over. A repetition finds nothing more. */
const LEASE_MS = MINUTE_MS
const RETRY_MS = 5 * MINUTE_MS
const NUMBERS_MAX = 20

const Due = z.object({
  id: z.string(),
  address: z.string(),
  sealed: z.instanceof(Buffer),
  comparedUntil: z.nullable(z.date()),
})
type Due = z.output<typeof Due>

/** Takes suppliers that are due. */
export const takeCompares = (db: Database, most: number, now: Date): Promise<Due[]> =>
  db.rows(sql(Due)`
    update supply_links set compare_at = ${new Date(now.getTime() + LEASE_MS)}
     where id in (select id from supply_links
                   where is_on and kind = 'chaabi'
                     and (compare_at <= ${now} or compare_at > ${latestAfter(DAY_MS, now)})
                   order by compare_at, id limit ${literal(most)} for update skip locked)
    returning id, address, sealed, compared_until`)

function nightAfter(now: Date): Date {
  const tonight = startOfDay(now).getTime() + TIME_OF_NIGHT_MS
  return new Date(tonight > now.getTime() ? tonight : tonight + DAY_MS)
}

export async function compare({ db, sealer, outbound, clock, ended }: Supplying, link: Due): Promise<void> {
  const { id, address, sealed, comparedUntil } = link
  const began = clock.now()
  // The hour is for purchases that were under way
  const since = comparedUntil && new Date(Math.min(comparedUntil.getTime() - HOUR_MS, began.getTime() - READ_AGAIN_MS))
  const account = { address, token: sealer.open('supplier', id, sealed) }
  const read = await readTheirOrders(outbound, account, { since, prefix: `${id}/` }, ended)
  await db.transaction(async (tx) => {
    await lockLink(tx, id)
    if (read.is === 'unknown') {
      const retryAt = new Date(clock.now().getTime() + RETRY_MS)
      await tx.run(sql`update supply_links set compare_at = ${retryAt} where id = ${id}`)
    } else await noteCompared(tx, id, { ...read, since, began, now: clock.now() })
  })
}

interface Read {
  orders: readonly Sold[]
  until: Date | null
  since: Date | null
  began: Date
  now: Date
}

/** Locks nothing but the supplier, without which no order ends. */
async function noteCompared(
  tx: Transaction,
  linkId: string,
  { orders, until, since, began, now }: Read,
): Promise<void> {
  const theirs = columns(
    orders,
    'id uuid, product uuid, duration text, quantity int, paise bigint, unit_paise bigint, at timestamptz',
  )
  const back = (await askAgain(tx, linkId, theirs, now)) + (await makeAgain(tx, linkId, theirs, now))
  const differs = await findDifferences(tx, linkId, { theirs, orders, since, began })
  const sumOf = (each: (order: Sold) => number) => orders.reduce((sum, order) => sum + each(order), 0)
  const found = {
    orders: orders.length,
    sum: sumOf(({ paise }) => paise),
    refunded: sumOf(({ refundedPaise }) => refundedPaise),
    back,
    ...differs,
  }
  const isDifferent = differs.cost.length + differs.gone.length + differs.strange > 0
  const isNews = await tx.holds(sql`
    select compared is null or not compared @> ${JSON.stringify(differs)}::jsonb
      from supply_links where id = ${linkId}`)
  await tx.run(sql`
    update supply_links
       set compare_at = ${nightAfter(now)}, compares_first = false, compared_at = ${now},
           compared_until = coalesce(${until}, compared_until), compared = ${JSON.stringify(found)}::jsonb
     where id = ${linkId}`)
  if (back > 0) tellTrouble(tx, linkId, { why: 'back', count: back }, now)
  if (isDifferent && isNews) tellTrouble(tx, linkId, { why: 'differs' }, now)
}

/** What ended without keys here, and was bought there. */
const askAgain = (tx: Transaction, linkId: string, theirs: Sql, now: Date): Promise<number> =>
  tx.run(sql`
    update supply_orders bought
       set state = 'asked', why = null, ended_at = null, leased_until = null, next_at = ${now}, again_at = ${now}
      from ${theirs} as sold
     where bought.id = sold.id and bought.link_id = ${linkId} and bought.state in ('refused', 'dropped')`)

/** Makes orders of purchases that are not here at all, for the duration that is bought under that name now. */
const makeAgain = (tx: Transaction, linkId: string, theirs: Sql, now: Date): Promise<number> =>
  tx.run(sql`
    insert into supply_orders (id, link_id, price_id, duration, their_product, their_duration, quantity, cap_paise,
                               state, asked_paise, tries, next_at, again_at, created_at)
    select sold.id, source.link_id, source.price_id, source.duration, sold.product, sold.duration, sold.quantity,
           greatest(source.cap_paise, 1), 'asked', sold.unit_paise, 1, ${now}, ${now}, least(sold.at, ${now})
      from ${theirs} as sold
      join supply_sources source on source.link_id = ${linkId} and source.their_product = sold.product
                                    and source.their_duration = sold.duration
     where sold.quantity between 1 and ${SUPPLY_ORDER_MAX}
    on conflict (id) do nothing`)

const Differences = z.object({
  /** Orders of which they say another cost or quantity. */
  cost: z.array(z.string()),
  /** Orders whose keys came and of which they do not know. */
  gone: z.array(z.string()),
  /** Purchases there that belong to no duration of the store. */
  strange: z.number(),
})

/** A person's word on what came is not held against theirs. */
function findDifferences(
  tx: Transaction,
  linkId: string,
  { theirs, orders, since, began }: { theirs: Sql; orders: readonly Sold[] } & Pick<Read, 'since' | 'began'>,
): Promise<z.output<typeof Differences>> {
  const from = since && new Date(since.getTime() + HOUR_MS)
  const ofLink = sql`bought.link_id = ${linkId} and bought.state = 'came' and bought.why is null`
  return tx.one(sql(Differences)`
    select array(select 'S-' || bought.number from supply_orders bought join ${theirs} as sold on sold.id = bought.id
                  where ${ofLink} and (bought.quantity * bought.unit_paise <> sold.paise
                                       or bought.quantity <> sold.quantity)
                  order by bought.number limit ${literal(NUMBERS_MAX)}) as cost,
           array(select 'S-' || bought.number from supply_orders bought
                  where ${ofLink} and bought.ended_at < ${began}
                    and (${from}::timestamptz is null or bought.created_at > ${from})
                    and bought.id <> all(${orders.map(({ id }) => id)}::uuid[])
                  order by bought.number limit ${literal(NUMBERS_MAX)}) as gone,
           (select count(*) from ${theirs} as sold
             where not exists (select from supply_orders bought
                                where bought.id = sold.id and bought.link_id = ${linkId})) as strange`)
}
