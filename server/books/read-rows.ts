/** The rows behind a figure of the books, if no other list shows them. */
import * as z from 'zod/mini'
import { BookMovement, type books } from '../../contract/books.ts'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { dayAfter, daysBetween, startOf } from '../../contract/india.ts'
import { BOOK_BATCHES_PAGE_SIZE, BOOK_BONUS_DAYS_MAX } from '../../contract/limits.ts'
import { placedBefore, placedSince } from '../platform/database/conditions.ts'
import { allOf, literal, planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import { BONUS_OF_MOVED } from './day-figures.ts'
import { checkPeriod } from './read-books.ts'
import { expiryMonth, unspent } from './read-liability.ts'
import { due } from './read-months.ts'

type Wanted = z.output<(typeof books.rows)['input']>

const Row = z.extend(BookMovement, { total: z.number(), sum: Rupees })

/** @throws Refusal BAD_PERIOD, also for the bonus of more than 31 days */
export async function readRows(db: Database, wanted: Wanted, now: Date) {
  if (wanted.of !== 'unspent') checkPeriod(wanted)
  if (wanted.of === 'bonus' && daysBetween(wanted.from, wanted.to) >= BOOK_BONUS_DAYS_MAX)
    throw new Refusal('BAD_PERIOD', { message: 'Choose up to 31 days.' })
  const { limit = BOOK_BATCHES_PAGE_SIZE, skip = 0 } = wanted
  const rows = await db.rows(
    planned(sql(Row)`
    with ${partsOf(wanted, now)}
    select part.id as _id, part.at, json_build_object('_id', buyer.id, 'username', buyer.username) as buyer,
           case when sale.id is not null
             then json_build_object('productName', sale.product_name, 'duration', sale.duration,
                                    'isRefund', part.id <> sale.id) end as "order",
           (select topup_id from wallet_movements where id = part.id) as top_up_id, part.amount, part.total, part.sum
      from (select part.*, count(*) over () as total, (sum(amount) over ())::bigint as sum from part
             order by at desc, id desc limit ${literal(limit)} offset ${skip}) part
      join users buyer on buyer.id = part.user_id
      left join orders sale on sale.id = part.order_id
     order by part.at desc, part.id desc`),
  )
  return {
    rows: rows.map(({ total: _, sum: __, ...row }) => row),
    total: rows[0]?.total ?? 0,
    amount: rows[0]?.sum ?? 0,
  }
}

/** The rows as `part`: id, moment, user, order and amount. Credit counts from its moment on, posted or not. */
function partsOf({ of, from, to, productId, source, expires }: Wanted, now: Date): Sql {
  const [since, until] = [startOf(from), startOf(dayAfter(to, 1))]
  const within = (moment: Sql) => sql`${moment} >= ${since} and ${moment} < ${until}`
  if (of === 'bonus')
    return sql`
    moved as materialized (
      select id, created_at as at, user_id, id as order_id, product_id
        from orders where ${within(sql`created_at`)} and ${placedSince(since)} and ${placedBefore(until)}
      union all
      select movement.id, movement.created_at, movement.user_id, claim.order_id, sale.product_id
        from wallet_movements movement
        join key_claims claim on claim.movement_id = movement.id
        join orders sale on sale.id = claim.order_id
       where movement.kind = 'refund' and ${within(sql`movement.created_at`)}
    ), bonus as (${BONUS_OF_MOVED}
    ), part as (
      select id, at, user_id, order_id, paise as amount from moved join bonus on movement_id = id
       where paise <> 0 and (${productId === undefined} or product_id = ${productId ?? null}::uuid))`
  if (of === 'unspent') {
    const which = [
      within(sql`credit.added_at`),
      ...(source ? [sql`credit.source = ${source}`] : []),
      ...(expires ? [sql`coalesce(${expiryMonth}, 'never') = ${expires}`] : []),
    ]
    return sql`
    part as (
      select id, added_at as at, user_id, null::uuid as order_id, sum(amount)::bigint as amount
        from ${unspent(now)} credit where ${allOf(which)} group by id, added_at, user_id)`
  }
  const posted = (kind: string) => sql`
      select id, created_at as at, user_id, null::uuid as order_id, amount_paise as amount
        from wallet_movements where kind = ${kind} and ${within(sql`created_at`)}`
  // A reward that was taken back is of no top-up
  if (of === 'taken-back') return sql`part as (${posted('reversal')} and topup_id is not null)`
  if (of === 'top-ups')
    return sql`
    part as (
      select topup.id, at, user_id, order_id, amount - coalesce(bonus.amount_paise, 0) as amount
        from (${posted('topup')}) topup
        left join wallet_entries bonus on bonus.movement_id = topup.id and bonus.account = 'promotions')`
  return sql`
    part as (${posted(of === 'returned' ? 'deduction_lapsed' : 'expiry')}
      union all
      select id, at, user_id, null, amount from (${due(now)}) due where line = ${of} and ${within(sql`at`)})`
}
