/** The turnover of a financial year. Nothing of it is stored: it comes from the books of the days and the ledger. */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import type { BookYear } from '../../contract/books.ts'
import { Refusal } from '../../contract/errors.ts'
import { dayAfter, dayOf, financialYear, startOf } from '../../contract/india.ts'
import { toRupees, ZERO, type Paise } from '../../contract/money.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { planned, sql, type Database, type Queries, type Sql } from '../platform/database/database.ts'
import { enqueue } from '../platform/outbox.ts'
import { readSettings } from '../settings/settings.ts'
import { bookOf, closedThrough } from './day-figures.ts'
import { monthBefore, readMonths } from './read-months.ts'

const Row = z.object({
  month: z.nullable(z.string()),
  received: Rupees,
  seen: Rupees,
  takenBack: Rupees,
  sales: Rupees,
})

const daysOf = (year: number) => ({ from: `${year}-04-01`, to: `${year + 1}-03-31` })
const SALES = sql`revenue_paise - refunded_paise - bonus_paise`
const NOTHING = { received: 0, seen: 0, takenBack: 0, sales: 0 }

/** @throws Refusal BAD_PERIOD for a year that has not begun */
export async function readYear(db: Database, year: number, now: Date): Promise<BookYear> {
  const today = dayOf(now)
  if (financialYear(today) < year) throw new Refusal('BAD_PERIOD', { message: 'This year has not begun yet.' })
  const { from, to } = daysOf(year)
  const end = to < today ? to : today
  const begun: string[] = []
  for (let month = end.slice(0, 7); month >= from.slice(0, 7); month = monthBefore(month)) begun.unshift(month)
  const closed = await closedThrough(db)
  const [rows, { months }, { turnoverLine }] = await Promise.all([
    db.rows(planned(sql(Row)`${figuresOf({ from, to: end, months: begun }, closed)}`)),
    readMonths(db, end.slice(0, 7), now),
    readSettings(db),
  ])
  const figuresIn = (wanted: string | null) => {
    const { month: _, ...figures } = rows.find(({ month }) => month === wanted) ?? { ...NOTHING, month: wanted }
    return figures
  }
  return {
    year,
    months: begun.map((month) => ({ month, ...figuresIn(month) })),
    total: figuresIn(null),
    unspent: toRupees(months.at(-1)?.after ?? ZERO),
    line: turnoverLine && toRupees(turnoverLine),
  }
}

/** Selects a row for each month, and one without a month for all of them. */
function figuresOf({ from, to, months }: { from: string; to: string; months: string[] }, closed: string): Sql {
  const end = startOf(dayAfter(to, 1))
  const within = (moment: Sql) => sql`${moment} >= ${startOf(from)} and ${moment} < ${end}`
  const first = months.map((month) => `${month}-01`)
  const ends = [...first.slice(1).map(startOf), end]
  return sql`
    select to_char(day, 'YYYY-MM') as month, coalesce(sum(received), 0)::bigint as received,
           coalesce(sum(seen), 0)::bigint as seen, coalesce(sum(taken_back), 0)::bigint as taken_back,
           coalesce(sum(sales), 0)::bigint as sales
      -- By day first: few rows, so that the names of months are made seldom
      -- The requests of a month are neighbours in an index, and so many that a day for each would take most of the time
      from (select month.first as day, paid.amount as received, 0 as seen, 0 as taken_back, 0 as sales
              from unnest(${first}::date[], ${first.map(startOf)}::timestamptz[], ${ends}::timestamptz[])
                     as month (first, begins, ends)
             cross join lateral (select sum(amount_paise) as amount from topup_requests
                                  where status = 'approved' and decided_at >= begins and decided_at < ends) paid
            union all
            select ${indianDay(sql`request.decided_at`)}, 0, sum(request.amount_paise), 0, 0
              from bank_matches match
              join bank_credits credit on credit.id = match.credit_id and credit.proof = 'statement'
              join topup_requests request on request.id = match.topup_id
             where match.released_at is null and request.status = 'approved' and ${within(sql`request.decided_at`)}
             group by 1
            union all
            -- Came on the day of its credit, and was decided again since
            select ${indianDay(sql`movement.created_at`)}, request.amount_paise, 0, 0, 0
              from topup_requests request join wallet_movements movement on movement.topup_id = request.id
             where taken_back is not null and movement.kind = 'topup' and ${within(sql`movement.created_at`)}
            union all
            select ${indianDay(sql`decided_at`)}, 0, 0, amount_paise, 0
              from topup_requests where taken_back is not null and ${within(sql`decided_at`)}
            union all
            select day, 0, 0, 0, sum(${SALES}) from ${bookOf({ from, to }, closed)} book group by day) line
     group by grouping sets ((to_char(day, 'YYYY-MM')), ())`
}

const AT_PERCENT = [80, 100] as const

/**
 * Tells owners when the closed days bring a year's sales to a part of the store's line. After a pause of the store,
 * days of two years are closed together.
 * @param before the last day that was closed before
 */
export async function tellTurnover(db: Database, before: string, now: Date): Promise<void> {
  const [closed, { turnoverLine: line }] = [await closedThrough(db), await readSettings(db)]
  if (closed <= before || line === null) return
  const present = financialYear(closed)
  for (const year of financialYear(dayAfter(before, 1)) < present ? [present - 1, present] : [present])
    await tellOfYear(db, year, { before, closed, line, now })
}

interface Closing {
  before: string
  closed: string
  line: Paise
  now: Date
}

async function tellOfYear(db: Database, year: number, { before, closed, line, now }: Closing): Promise<void> {
  const [then, today] = [await salesUntil(db, year, before), await salesUntil(db, year, closed)]
  const percent = AT_PERCENT.findLast((each) => then * 100 < line * each && today * 100 >= line * each)
  if (percent === undefined) return
  const data = { year, percent, line: toRupees(line) }
  await db.transaction(async (tx) => {
    enqueue(tx, { kind: 'books.turnover', data, dedupe: `books.turnover:${year}:${percent}:${data.line}`, now })
  })
}

const salesUntil = (db: Queries, year: number, day: string): Promise<number> =>
  db.count(sql`
    select coalesce(sum(${SALES}), 0)::bigint from book_days
     where day between ${daysOf(year).from}::date and least(${daysOf(year).to}, ${day})::date`)
