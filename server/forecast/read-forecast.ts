import * as z from 'zod/mini'
import type { Forecast } from '../../contract/forecast.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { dayOf } from '../../contract/india.ts'
import { placedSince } from '../platform/database/conditions.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { estimate, type Stretch } from './estimate.ts'

const WINDOWS_DAYS = [7, 28] as const
const ROWS_MAX = 200

const Row = z.object({
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  left: z.number(),
  lowStockBelow: z.number(),
  since: z.nullable(z.date()),
  soldShort: z.number(),
  soldLong: z.number(),
  emptyShort: z.number(),
  emptyLong: z.number(),
})

/** What the forecast says of a duration, and below how many keys its stock is low. */
type Outlook = Forecast & { lowStockBelow: number; hadKeys: boolean }

/** Durations on sale that ever had keys, those that run out soonest first. */
export async function readForecast(db: Queries, now: Date): Promise<Forecast[]> {
  return (await readOutlooks(db, now))
    .filter(({ hadKeys }) => hadKeys)
    .slice(0, ROWS_MAX)
    .map(({ lowStockBelow: _, hadKeys: __, ...forecast }) => forecast)
}

/** All durations on sale, those that run out soonest first. */
export async function readOutlooks(db: Queries, now: Date): Promise<Outlook[]> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const [short, long] = [ago(WINDOWS_DAYS[0]), ago(WINDOWS_DAYS[1])]
  const [rows, leadDays] = await Promise.all([
    db.rows(sql(Row)`
      select product.id as product_id, product.name as product_name, price.duration, stock.left,
             price.low_stock_below, batch.since,
             coalesce(sales.short, 0) as sold_short, coalesce(sales.long, 0) as sold_long,
             coalesce(empty.short, 0) as empty_short, coalesce(empty.long, 0) as empty_long
        from prices price
        join products product on product.id = price.product_id and product.deleted_at is null and product.is_listed
       cross join lateral (
             select coalesce(sum(available), 0)::bigint as left from stock_counters where price_id = price.id) stock
        left join (select price_id, min(created_at) as since from key_batches group by price_id) batch
             on batch.price_id = price.id
        left join (select price_id, sum(quantity) as long, sum(quantity) filter (where created_at > ${short}) as short
                     from orders where created_at > ${long} and ${placedSince(long)}
                    group by price_id) sales on sales.price_id = price.id
        left join (select price_id, sum(empty_minutes) as long,
                          sum(empty_minutes) filter (where seen_at > ${short}) as short
                     from stock_days where seen_at > ${long} group by price_id) empty on empty.price_id = price.id
       where price.removed_at is null and price.list_paise > 0
       order by sales.long desc nulls last, product.name, price.position`),
    db.count(sql`select lead_days from waiting_settings`),
  ])
  return rows
    .map(({ since, soldShort, soldLong, emptyShort, emptyLong, ...row }): Outlook => {
      const hoursOf = (days: number, emptyMinutes: number) =>
        Math.min(days * 24, since ? (now.getTime() - since.getTime()) / HOUR_MS : Infinity) - emptyMinutes / 60
      const stretches: Stretch[] = [
        { sold: soldShort, hours: hoursOf(WINDOWS_DAYS[0], emptyShort) },
        { sold: soldLong, hours: hoursOf(WINDOWS_DAYS[1], emptyLong) },
      ]
      const found = estimate(row.left, stretches)
      const orderBy = found.daysLeft && orderDay(now, found.daysLeft.low - leadDays)
      return { ...row, ...found, hadKeys: since !== null, orderBy }
    })
    .toSorted((one, other) => (one.daysLeft?.mid ?? Infinity) - (other.daysLeft?.mid ?? Infinity) || 0)
}

/** @returns the day in India, today at the earliest */
const orderDay = (now: Date, days: number): string => dayOf(new Date(now.getTime() + Math.max(0, days) * DAY_MS))
