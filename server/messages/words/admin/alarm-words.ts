/** What the morning's list of stock says. */
import * as z from 'zod/mini'
import { sayDuration } from '../../../../contract/duration-words.ts'
import { sql } from '../../../platform/database/database.ts'
import type { Tell } from '../wording.ts'
import { namedFirst } from './named-first.ts'

const Row = z.object({ name: z.string(), duration: z.string(), available: z.number() })

const tellStock: Tell = async ({ kind, createdAt }, { db, t }) => {
  const isOut = kind === 'stock.out'
  const rows = await db.rows(sql(Row)`
    select product.name, price.duration, stock.available
      from stock_alarms alarm
      join prices price on price.id = alarm.price_id and price.removed_at is null
      join products product on product.id = price.product_id and product.deleted_at is null and product.is_listed
     cross join lateral (
           select coalesce(sum(available), 0)::bigint as available from stock_counters where price_id = price.id) stock
     where case when ${isOut} then alarm.out_at >= ${createdAt} and stock.available = 0
                else alarm.fired_at >= ${createdAt} and stock.available between 1 and price.low_stock_below - 1 end
     order by stock.available, product.name, price.position`)
  const [first, ...others] = rows
  if (!first) return { gone: 'Back in stock' }
  const names = rows.map(
    ({ name, duration, available }) => `${name} (${sayDuration(t, duration)})${isOut ? '' : `: ${available}`}`,
  )
  return {
    title:
      others.length === 0
        ? t(isOut ? '{name} is out of stock' : '{name} is low on stock', { name: first.name })
        : t(isOut ? '{count} durations are out of stock' : '{count} durations are low on stock', {
            count: rows.length,
          }),
    body: t('{list}. Add keys to keep selling.', { list: namedFirst(t, names) }),
    path: '/admin/key-manager?view=stock',
    tag: kind,
  }
}

export const alarmWords = { 'stock.low': tellStock, 'stock.out': tellStock }
