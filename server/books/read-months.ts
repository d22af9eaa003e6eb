/**
 * How the unspent credit of all buyers changed, by month in India. The ledger posts expired credit when its wallet is
 * next used, dated to its moment. Here it counts from that moment on, posted or not.
 */
import * as z from 'zod/mini'
import { MONTH_LINES, type MonthStatement } from '../../contract/books.ts'
import { Refusal } from '../../contract/errors.ts'
import { dayAfter, dayOf, startOf } from '../../contract/india.ts'
import { add, negate, paise, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import { planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import { placedSince } from '../platform/database/conditions.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { closedThrough } from './day-figures.ts'

const Row = z.object({ month: z.string(), line: z.string(), amount: z.number() })

interface Months {
  /** The unspent credit at this moment. */
  liability: Paise
  /** Newest first, from now back. Each has its changes by line. */
  months: { month: string; lines: Map<string, Paise>; sum: Paise; after: Paise }[]
}

const monthOf = (moment: Sql): Sql => sql`to_char(${indianDay(moment)}, 'YYYY-MM')`

/** The line of each kind of the ledger's lines. A top-up's bonus has a line of its own. */
const LINE_OF_KIND = sql`
  case kind when 'topup' then 'top-ups' when 'referral_reward' then 'rewards' when 'admin_credit' then 'given'
    when 'admin_debit' then 'taken' when 'deduction_lapsed' then 'returned' when 'refund' then 'refunds'
    when 'reversal' then 'taken-back' when 'expiry' then 'expired' end`

/** Selects what has ended by now and is not posted yet: deductions that are `returned`, and lots that are `expired`. */
export const due = (now: Date): Sql => sql`
    with ended as (
      select id, user_id, lot_id, lapses_at as at, amount_paise as amount
        from wallet_deductions where returned_at is null and lapses_at <= ${now}
    )
    select id, user_id, at, 'returned' as line, amount from ended
    union all
    select lot.id, lot.user_id, lot.expires_at, 'expired', -(lot.remaining_paise + coalesce(back.amount, 0))
      from wallet_lots lot
      left join (select lot_id, sum(amount)::bigint as amount from ended group by lot_id) back on back.lot_id = lot.id
     where lot.expires_at <= ${now} and (lot.is_open or back.amount is not null)`

/** Reads the months from `first` (YYYY-MM) on. One statement, so that all its figures are of one moment. */
export async function readMonths(db: Database, first: string, now: Date): Promise<Months> {
  const closed = await closedThrough(db)
  const from = startOf(`${first}-01`)
  const unclosed = startOf(dayAfter(closed, 1))
  const rows = await db.rows(
    planned(sql(Row)`
    with due as (${due(now)}), change as (
      -- Few rows, so that the names of months and lines are made seldom. A reward that was taken back is one less
      select ${indianDay(sql`movement.created_at`)} as day,
             case when movement.kind = 'reversal' and movement.topup_id is null then 'referral_reward'
                  else movement.kind end as kind,
             sum(movement.amount_paise - coalesce(bonus.amount_paise, 0)) as amount, sum(bonus.amount_paise) as bonus
        from wallet_movements movement
        left join wallet_entries bonus
          on movement.kind = 'topup' and bonus.movement_id = movement.id and bonus.account = 'promotions'
       where movement.kind <> 'purchase' and movement.created_at >= ${from}
       group by 1, 2
    ), sale as (
      select day, -sum(revenue_paise) as amount
        from book_days where day >= ${`${first}-01`}::date and day <= ${closed}::date
       group by day
    )
    select month, line, sum(amount)::bigint as amount
      from (
        select to_char(day, 'YYYY-MM') as month, ${LINE_OF_KIND} as line, amount from change
        union all
        select to_char(day, 'YYYY-MM'), 'bonus', bonus from change where bonus is not null
        union all
        select ${monthOf(sql`due.at`)}, line, amount from due where due.at >= ${from}
        union all
        select to_char(day, 'YYYY-MM'), 'sales', amount from sale
        union all
        select ${monthOf(sql`created_at`)}, 'sales', -amount_paise
          from orders
         where created_at >= ${from} and created_at >= ${unclosed} and ${placedSince(from)} and ${placedSince(unclosed)}
        union all
        select '', 'balance', balance_paise from wallets
        union all
        select '', 'balance', amount from due) line
     group by month, line`),
  )
  return addUp(rows, first, dayOf(now).slice(0, 7))
}

function addUp(rows: readonly z.output<typeof Row>[], first: string, last: string): Months {
  const of = (month: string) => rows.filter((row) => row.month === month)
  const sumOf = (some: readonly { amount: number }[]) => add(ZERO, ...some.map(({ amount }) => paise(amount)))
  const liability = sumOf(of(''))
  const months: Months['months'] = []
  let after = liability
  for (let month = last; month >= first; month = monthBefore(month)) {
    const own = of(month)
    const sum = sumOf(own)
    const lines = new Map(own.map(({ line, amount }) => [line, paise(amount)]))
    months.push({ month, lines, sum, after })
    after = add(after, negate(sum))
  }
  return { liability, months }
}

export function monthBefore(month: string): string {
  return dayOf(startOf(`${month}-01`).getTime() - 1).slice(0, 7)
}

/** @throws Refusal BAD_PERIOD for a month that has not begun */
export async function readMonth(db: Database, month: string, now: Date): Promise<MonthStatement> {
  if (month > dayOf(now).slice(0, 7)) throw new Refusal('BAD_PERIOD', { message: 'This month has not begun yet.' })
  const { months } = await readMonths(db, month, now)
  const found = months.at(-1)
  if (!found) throw new Error('No month')
  const { lines, sum, after } = found
  return {
    month,
    before: toRupees(add(after, negate(sum))),
    lines: MONTH_LINES.map((line) => ({ line, amount: toRupees(lines.get(line) ?? ZERO) })),
    after: toRupees(after),
  }
}
