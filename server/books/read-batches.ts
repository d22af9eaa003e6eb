/** Batches: what each has earned, how fast it sells and what is tied up in it. */
import * as z from 'zod/mini'
import { BookBatch, STOCK_AGES, type BookBatches, type books } from '../../contract/books.ts'
import { Rupees } from '../../contract/amounts.ts'
import { dayOf } from '../../contract/india.ts'
import { BOOK_BATCHES_PAGE_SIZE } from '../../contract/limits.ts'
import { allOf, literal, planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { bookOf, closedThrough, FIGURES } from './day-figures.ts'

type Search = z.output<(typeof books.batches)['input']>

const Row = z.extend(BookBatch, { total: z.number(), losing: z.number() })

/** Lists a page of batches whose keys came to be sold; those that were undone are left out. */
export async function readBatches(db: Database, wanted: Search, now: Date): Promise<BookBatches> {
  const { limit = BOOK_BATCHES_PAGE_SIZE, skip = 0 } = wanted
  const [rows, ageing] = await Promise.all([
    readPage(db, wanted, now, sql`limit ${literal(limit)} offset ${skip}`),
    readAgeing(db, now),
  ])
  return {
    batches: rows.map(({ total: _, losing: __, ...batch }) => batch),
    total: rows[0]?.total ?? 0,
    losing: rows[0]?.losing ?? 0,
    ageing,
  }
}

/** The place in `STOCK_AGES` of a batch's age. */
function ageOf(today: string): Sql {
  const age = sql`(${today}::date - ${indianDay(sql`batch.created_at`)})`
  return sql`(case when ${age} <= 30 then 1 when ${age} <= 60 then 2 when ${age} <= 90 then 3 else 4 end)`
}

/** The unsold keys of a batch. */
const LEFT = sql`(
  batch.added - batch.removed - (
    select coalesce(sum(sold), 0)::bigint from batch_counters where batch_id = batch.id))`

/** How many percent were sold in the first days. The day on which the batch came is the first. */
const soldWithin = (days: number, today: string): Sql => sql`
  case when ${indianDay(sql`batch.created_at`)} + ${days}::int <= ${today}::date and batch.added > batch.removed
       then round(100.0 * coalesce(sum(book.keys)
              filter (where book.day < ${indianDay(sql`batch.created_at`)} + ${days}::int), 0)
              / (batch.added - batch.removed))::integer end`

export async function readPage(
  db: Database,
  { show, search }: Search,
  now: Date,
  page: Sql,
): Promise<z.output<typeof Row>[]> {
  const today = dayOf(now)
  const closed = await closedThrough(db)
  const meant = search?.toLowerCase()
  const nth = STOCK_AGES.findIndex((age) => age === show) + 1
  const which = allOf([
    sql`batch.undone_at is null`,
    ...(meant ? [sql`position(${meant}::text in lower(batch.supplier || ' ' || product.name)) > 0`] : []),
    ...(show === 'unknown-cost' ? [sql`batch.cost_paise is null`] : []),
    ...(nth > 0 ? [sql`${ageOf(today)} = ${nth} and ${LEFT} > 0`] : []),
  ])
  const isShown = show === 'losing' ? sql`profit < 0` : sql`true`
  const order = show === 'losing' ? sql`profit, id` : sql`created_at desc, id desc`
  return db.rows(
    planned(sql(Row)`
    with figure as (
      select batch.id as batch_id, ${FIGURES},
             json_build_object(7, ${soldWithin(7, today)}, 30, ${soldWithin(30, today)}, 90, ${soldWithin(90, today)})
               as sold_within,
             max(book.day) filter (where book.keys > 0) - ${indianDay(sql`batch.created_at`)} + 1 as days
        from key_batches batch
        left join ${bookOf({ from: '2000-01-01', to: today }, closed)} book on book.batch_id = batch.id
        left join key_batches paid_for on paid_for.id = book.cost_batch_id
        join prices price on price.id = batch.price_id
        join products product on product.id = price.product_id
       where ${which}
       group by batch.id
    ), listed as (
      select figure.*, batch.*,
             count(*) over () as total, count(*) filter (where profit < 0) over () as losing
        from figure join key_batches batch on batch.id = figure.batch_id
    ), page as (
      select batch.*, ${LEFT} as left from listed batch where ${isShown} order by ${order} ${page}
    )
    select page.id as _id, json_build_object('_id', product.id, 'name', product.name) as product_id, price.duration,
           page.supplier, page.note, page.cost_paise as cost_per_key, page.created_at, page.recalled_at, page.added,
           page.left, page.left * page.cost_paise as tied_up, page.sold_within,
           case when page.left = 0 then page.days end as days_to_empty,
           page.keys, page.sold, page.refunded, page.revenue, page.bonus, page.cost, page.warranty_keys, page.warranty,
           page.unknown_cost_keys, page.unknown_cost_sales, page.lost, page.profit,
           case when ${show === 'losing'} then page.losing else page.total end as total, page.losing
      from page
      join prices price on price.id = page.price_id
      join products product on product.id = price.product_id
     order by ${show === 'losing' ? sql`page.profit, page.id` : sql`page.created_at desc, page.id desc`}`),
  )
}

const Age = z.object({ days: z.enum(STOCK_AGES), keys: z.number(), tiedUp: Rupees, unknownCostKeys: z.number() })

function readAgeing(db: Database, now: Date): Promise<BookBatches['ageing']> {
  return db.rows(sql(Age)`
    select age.days, coalesce(sum(stock.left), 0)::bigint as keys,
           coalesce(sum(stock.left * stock.cost_paise), 0)::bigint as tied_up,
           coalesce(sum(stock.left) filter (where stock.cost_paise is null), 0)::bigint as unknown_cost_keys
      from unnest(${[...STOCK_AGES]}::text[]) with ordinality as age (days, nth)
      left join (
           select batch.cost_paise, ${LEFT} as left, ${ageOf(dayOf(now))} as nth
             from key_batches batch where batch.undone_at is null) stock using (nth)
     group by age.days, age.nth
     order by age.nth`)
}
