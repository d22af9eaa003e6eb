/** Looks at the stock every few minutes: notes the day of each duration, and rings alarms. */
import * as z from 'zod/mini'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { startOfDay } from '../../contract/india.ts'
import { placedSince } from '../platform/database/conditions.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { sql, type Database, type Transaction } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'

const LOOK_MS = 10 * MINUTE_MS
/** All that crossed a mark since the list before goes out at 09:00 in India. */
const LIST_MS = 9 * 60 * MINUTE_MS
/** A longer gap means that the store was off, and its stock then is unknown. */
const UNSEEN_MINUTES_MAX = 30
const DAYS_KEPT = 90

export const forecastJobs = ({ db }: Pick<Services, 'db'>): Job[] => [
  { name: 'watch-stock', nextAfter: (now) => new Date(now.getTime() + LOOK_MS), run: (now) => watchStock(db, now) },
]

/** @returns how many alarms rang */
export function watchStock(db: Database, now: Date): Promise<{ low: number; out: number }> {
  return db.transaction(async (tx) => {
    const { since } = await tx.one(
      sql(() => z.object({ since: z.nullable(z.date()) }))`select max(seen_at) as since from stock_days`,
    )
    await noteDay(tx, now)
    return ringAlarms(tx, now, since ?? now)
  })
}

const STOCK = sql`
  prices price
  join products product on product.id = price.product_id and product.deleted_at is null and product.is_listed
 cross join lateral (
       select coalesce(sum(available), 0)::bigint as available from stock_counters where price_id = price.id) stock`

/** Counts a stretch as empty if there was nothing at both of its ends. Yesterday's last sales are counted, too. */
async function noteDay(tx: Transaction, now: Date): Promise<void> {
  await tx.run(sql`
    insert into stock_days (price_id, day, sold, left_over, empty_minutes, seen_at)
    select price.id, ${indianDay(sql`${now}::timestamptz`)}, 0, stock.available, 0, ${now}
      from ${STOCK}
     where price.removed_at is null
     order by price.id
    on conflict (price_id, day) do update
       set left_over = excluded.left_over, seen_at = excluded.seen_at,
           empty_minutes = stock_days.empty_minutes + case
             when stock_days.left_over = 0 and excluded.left_over = 0
             then greatest(0, least(${UNSEEN_MINUTES_MAX}::int,
                                    round(extract(epoch from excluded.seen_at - stock_days.seen_at) / 60)))
             else 0 end`)
  const yesterday = new Date(startOfDay(now).getTime() - DAY_MS)
  await tx.run(sql`
    update stock_days set sold = counted.sold
      from (select price_id, ${indianDay(sql`created_at`)} as day, sum(quantity) as sold
              from orders where created_at >= ${yesterday} and ${placedSince(yesterday)} group by 1, 2) counted
     where stock_days.price_id = counted.price_id and stock_days.day = counted.day`)
  await tx.run(sql`delete from stock_days where seen_at < ${new Date(now.getTime() - DAYS_KEPT * DAY_MS)}`)
}

/** @param since the look before. What was there then, and what came in, is still there or was sold since */
async function ringAlarms(tx: Transaction, now: Date, since: Date): Promise<{ low: number; out: number }> {
  const watched = sql`
    ${STOCK}
  cross join lateral (
       select stock.available + coalesce(sum(quantity), 0)::bigint as available
         from orders where price_id = price.id and created_at > ${since} and ${placedSince(since)}) most`
  // A duration that never had stock crosses nothing
  await tx.run(sql`
    insert into stock_alarms (price_id, armed, out_armed)
    select price.id, most.available >= price.low_stock_below, most.available > 0
      from ${watched}
     where price.removed_at is null
     order by price.id
    on conflict do nothing`)
  const marked = sql`
    ${watched}
     where alarm.price_id = price.id and price.removed_at is null and price.low_stock_below > 0`
  await tx.run(sql`
    update stock_alarms alarm set armed = true, out_armed = true
      from ${marked} and not (armed and out_armed) and most.available > 1.5 * price.low_stock_below`)
  const low = await tx.run(sql`
    update stock_alarms alarm set armed = false, fired_at = ${now}
      from ${marked} and armed and stock.available < price.low_stock_below`)
  const out = await tx.run(sql`
    update stock_alarms alarm set out_armed = false, out_at = ${now}
      from ${marked} and out_armed and stock.available = 0`)
  if (low > 0) tellAtNine(tx, 'stock.low', now)
  if (out > 0) tellAtNine(tx, 'stock.out', now)
  return { low, out }
}

function tellAtNine(tx: Transaction, kind: 'stock.low' | 'stock.out', now: Date): void {
  const today = new Date(startOfDay(now).getTime() + LIST_MS)
  const notBefore = now < today ? today : new Date(today.getTime() + DAY_MS)
  enqueue(tx, { kind, dedupe: `${kind}:${notBefore.toISOString()}`, notBefore, now })
}
