import * as z from 'zod/mini'
import { BookFigures, ReplacedBy, type Books, type BooksBy } from '../../contract/books.ts'
import { Refusal } from '../../contract/errors.ts'
import { dayAfter, daysBetween, startOf } from '../../contract/india.ts'
import { planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import { bookOf, closedThrough, FIGURES, lostIn, summedBy, type Period } from './day-figures.ts'

const DAYS_MAX = 1_098

/** Refuses a period that ends before it begins, or is too long. */
export function checkPeriod({ from, to }: Period): void {
  if (to < from || daysBetween(from, to) >= DAYS_MAX) throw new Refusal('BAD_PERIOD')
}

interface Group {
  /** Selects a day's rows before others are joined. Absent where that would leave as many. */
  parts?: Sql
  joins: Sql
  /** What a row is about, what it is called, and what it is sorted by. */
  id: Sql
  name: Sql
  order: Sql
}

/** Null for amounts without a product, which only the total has. */
const SUPPLIER = sql`case when book.price_id is not null then coalesce(batch.supplier, '') end`

const GROUPS: Record<BooksBy, Group> = {
  day: {
    joins: sql``,
    id: sql`book.day`,
    name: sql`book.day::text`,
    order: sql`book.day desc`,
  },
  product: {
    parts: sql`price_id, cost_batch_id`,
    joins: sql`
      left join prices price on price.id = book.price_id left join products product on product.id = price.product_id`,
    id: sql`product.id`,
    name: sql`product.name`,
    order: sql`revenue desc, name, id`,
  },
  supplier: {
    parts: sql`price_id, batch_id, cost_batch_id`,
    joins: sql`left join key_batches batch on batch.id = book.batch_id`,
    id: SUPPLIER,
    name: SUPPLIER,
    order: sql`revenue desc, name`,
  },
}

const Row = z.extend(BookFigures, { isTotal: z.boolean(), id: z.nullable(z.string()), name: z.nullable(z.string()) })

/** @throws Refusal BAD_PERIOD */
export async function readBooks(db: Database, { by, ...period }: Period & { by: BooksBy }): Promise<Books> {
  checkPeriod(period)
  const { parts, joins, id, name, order } = GROUPS[by]
  const days = sql`(select * from ${bookOf(period, await closedThrough(db))} traded union all ${lostIn(period)})`
  const [total, ...rows] = await db.rows(
    planned(sql(Row)`
    select grouping(${id}) = 1 as is_total, ${id}::text as id, ${name} as name, ${FIGURES}
      from ${parts ? summedBy(parts, days) : days} book ${joins}
      left join key_batches paid_for on paid_for.id = book.cost_batch_id
     group by grouping sets ((${id}, ${name}), ())
    having grouping(${id}) = 1 or ${id} is not null
     order by is_total desc, ${order}`),
  )
  if (!total) throw new Error('No total')
  return {
    replacedBy: await readReplacedBy(db, period),
    total: figuresOf(total),
    rows: rows.map((row) => ({ ...figuresOf(row), id: row.id ?? '', name: row.name ?? '' })),
  }
}

const figuresOf = ({ isTotal: _, id: __, name: ___, ...figures }: z.output<typeof Row>): BookFigures => figures

/** The most first. A purchase whose key was replaced twice counts twice. */
const readReplacedBy = (db: Database, { from, to }: Period): Promise<Books['replacedBy']> =>
  db.rows(sql(ReplacedBy)`
    select admin.username, count(*) as keys, sum(sale.unit_paise)::bigint as worth
      from key_claims claim
      join orders sale on sale.id = claim.order_id
      join admins admin on admin.id = claim.decided_by
     where claim.status = 'replaced'
       and claim.decided_at >= ${startOf(from)} and claim.decided_at < ${startOf(dayAfter(to, 1))}
     group by admin.id, admin.username order by keys desc, admin.username`)
