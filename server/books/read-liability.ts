/** What the store owes its buyers: the unspent credit of all open lots, as if all that has expired were posted. */
import * as z from 'zod/mini'
import { CREDIT_AGES, CREDIT_SOURCES, type Liability } from '../../contract/books.ts'
import { dayOf } from '../../contract/india.ts'
import { add, paise, toRupees, ZERO } from '../../contract/money.ts'
import { readHeldSum } from '../payments/top-ups.ts'
import { sql, type Database, type Sql } from '../platform/database/database.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { monthBefore, readMonths } from './read-months.ts'

const MONTH_ENDS = 12

const Row = z.object({
  source: z.enum(CREDIT_SOURCES),
  age: z.enum(CREDIT_AGES),
  month: z.nullable(z.string()),
  amount: z.number(),
})

export async function readLiability(db: Database, now: Date): Promise<Liability> {
  const first = Array.from({ length: MONTH_ENDS }).reduce<string>((month) => monthBefore(month), dayOf(now).slice(0, 7))
  const [parts, { months }, { count, amount: heldAmount }] = await Promise.all([
    readParts(db, now),
    readMonths(db, first, now),
    readHeldSum(db),
  ])
  const sum = (some: typeof parts) => toRupees(add(ZERO, ...some.map(({ amount }) => paise(amount))))
  const expiry = [...new Set(parts.map(({ month }) => month))].sort((a, b) => (a ?? '9999').localeCompare(b ?? '9999'))
  return {
    total: sum(parts),
    held: { count, amount: heldAmount },
    bySource: CREDIT_SOURCES.map((source) => ({ source, amount: sum(parts.filter((part) => part.source === source)) })),
    byAge: CREDIT_AGES.map((days) => ({ days, amount: sum(parts.filter((part) => part.age === days)) })),
    byExpiry: expiry.map((month) => ({ month, amount: sum(parts.filter((part) => part.month === month)) })),
    // The month that runs has no end yet
    monthEnds: months.slice(1).map(({ month, after }) => ({ month, amount: toRupees(after) })),
  }
}

/**
 * @returns a table of unspent credit: a row for each lot and source. A lot's bonus is the part that promotions bore, of
 *   what is left as of the whole
 */
export const unspent = (now: Date): Sql => sql`(
    select lot.id, lot.user_id, lot.added_at, lot.expires_at, part.source, part.amount
      from (select lot.*, lot.remaining_paise + coalesce(back.amount, 0) as left,
                   coalesce(round((lot.remaining_paise + coalesce(back.amount, 0)) * promotion.amount_paise::numeric
                                  / lot.amount_paise), 0)::bigint as bonus
              from wallet_lots lot
              left join (select lot_id, sum(amount_paise)::bigint as amount from wallet_deductions
                          where returned_at is null and lapses_at <= ${now} group by lot_id) back
                on back.lot_id = lot.id
              left join wallet_entries promotion
                on lot.source = 'topup' and promotion.movement_id = lot.movement_id
                   and promotion.account = 'promotions'
             where (lot.is_open or back.amount > 0) and (lot.expires_at is null or lot.expires_at > ${now})) lot
     cross join lateral (values
           (case lot.source when 'admin_credit' then 'admin' when 'referral_reward' then 'referral' else 'paid' end,
            lot.left - lot.bonus),
           ('bonus', lot.bonus)) as part (source, amount)
     where part.amount > 0)`

/** The month in India in which credit expires; null for never. */
export const expiryMonth = sql`to_char(${indianDay(sql`credit.expires_at`)}, 'YYYY-MM')`

function readParts(db: Database, now: Date): Promise<z.output<typeof Row>[]> {
  const age = sql`(${dayOf(now)}::date - ${indianDay(sql`credit.added_at`)})`
  return db.rows(sql(Row)`
    select credit.source,
           case when ${age} <= 30 then '0-30' when ${age} <= 90 then '31-90' when ${age} <= 180 then '91-180'
                else '181+' end as age,
           ${expiryMonth} as month, sum(credit.amount)::bigint as amount
      from ${unspent(now)} credit
     group by 1, 2, 3`)
}
