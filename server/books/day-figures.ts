/**
 * What was sold, refunded and replaced, by day and batch. Days that are over are rows of `book_days`, and later days
 * are read from purchases and refunds. Cost and supplier come from the batches, as they are known now.
 */
import { dayAfter, startOf } from '../../contract/india.ts'
import { placedBefore, placedSince } from '../platform/database/conditions.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'
import { renewals } from '../wallet/refund.ts'

/** Days in India, both included. */
export interface Period {
  from: string
  to: string
}

/** Before every sale. */
const NEVER = '2000-01-01'

/** @returns the last day whose books are closed */
export const closedThrough = async (db: Queries): Promise<string> =>
  (await db.text(sql`select closed_through::text from book_closing`)) ?? NEVER

/** @returns a table like `book_days`, up to date. @param closed from `closedThrough`, before this statement */
export function bookOf({ from, to }: Period, closed: string): Sql {
  const open = from > closed ? from : dayAfter(closed, 1)
  const kept = sql`
    select *, 0::bigint as lost_paise
      from book_days where day between ${from}::date and least(${to}::date, ${closed}::date)`
  return open > to ? sql`(${kept})` : sql`(${kept} union all select *, 0 from ${dayFigures({ from: open, to })} fresh)`
}

/** The lots of a taken-back `request` and the lots into which refunds moved them, each with its part of that money. */
const OWN_LOTS = sql`own as (
             select lot.id, 1::numeric as part
               from wallet_lots lot join wallet_movements credited on credited.id = lot.movement_id
              where lot.user_id = request.user_id and credited.topup_id = request.id
             union all
             select renewal.lot_id, own.part * renewal.paise / renewal.of_paise
               from own join ${renewals(sql`request.user_id`)} renewal on renewal.from_id = own.id)`

/**
 * @returns rows for a table like `bookOf`, of no product: what was bought with top-ups that were taken back, without
 *   their bonus, on the day of the take-back. A later refund makes it smaller, so no closed day keeps it. Each row
 *   names the batch of the keys that it bought, because a loss stands where its sale does: in the profit, or apart
 */
export const lostIn = ({ from, to }: Period): Sql => sql`
    select ${indianDay(sql`decided_at`)}, null, null, bought.batch_id, 0, 0, 0, 0, 0,
           coalesce(round(lost.paise * bought.up_to / bought.whole)
                    - round(lost.paise * (bought.up_to - bought.weight) / bought.whole), lost.paise)::bigint
      from topup_requests request
     cross join lateral (
           -- What expired, or was deducted for good, has paid for nothing. After the take-back it is another's
           with recursive ${OWN_LOTS}
           select round((request.loss_paise + coalesce(sum(entry.amount_paise * own.part), 0))
                        * least(request.amount_paise, request.credit_paise)::numeric / request.credit_paise) as paise
             from wallet_movements movement
             join wallet_entries entry on entry.movement_id = movement.id
             join own on own.id = entry.lot_id
            where movement.user_id = request.user_id and movement.kind in ('expiry', 'admin_debit', 'deduction_lapsed')
              and movement.created_at <= request.decided_at) lost
      left join lateral (
           with recursive ${OWN_LOTS}, spent as (
             select key.batch_id, -entry.amount_paise * own.part / sale.quantity as paise
               from orders sale
               join wallet_entries entry on entry.movement_id = sale.id
               join own on own.id = entry.lot_id
               join license_keys key on key.order_id = sale.id and key.replaces is null
              where sale.user_id = request.user_id
             union all
             select key.batch_id, -entry.amount_paise * own.part
               from key_claims claim
               join wallet_entries entry on entry.movement_id = claim.movement_id and entry.account = 'sales'
               join own on own.id = entry.lot_id
               join license_keys key on key.id = claim.key_id
              where claim.user_id = request.user_id)
           select batch_id, weight, sum(weight) over (order by batch_id nulls last) as up_to,
                  sum(weight) over () as whole
             from (select batch_id, sum(paise) as weight from spent group by batch_id) batches) bought
        on bought.whole > 0
     where request.status = 'rejected' and loss_paise > 0
       and decided_at >= ${startOf(from)} and decided_at < ${startOf(dayAfter(to, 1))}`

/**
 * How much bonus each movement in `moved` has taken: the part of its lots that promotions paid for. Movements of a day
 * lie together, so the bounds let the BRIN index find their entries.
 */
export const BONUS_OF_MOVED = sql`
      select entry.movement_id,
             sum(round(-entry.amount_paise * promotion.amount_paise::numeric / lot.amount_paise))::bigint as paise
        from wallet_entries entry
        join moved on moved.id = entry.movement_id
        join wallet_lots lot on lot.id = entry.lot_id
        join wallet_entries promotion
          on promotion.movement_id = lot.movement_id and promotion.lot_id = lot.id and promotion.account = 'promotions'
       where entry.movement_id between (select id from moved order by id limit 1)
                                   and (select id from moved order by id desc limit 1)
         and entry.account = 'sales'
       group by entry.movement_id`

/**
 * @returns a table like `book_days`, made from the sales themselves. The bonus of a sale is the part of its lots that
 *   promotions bore. A refund gives back as much of it. Credit that a refund renews counts as paid
 */
export function dayFigures({ from, to }: Period): Sql {
  const [since, until] = [startOf(from), startOf(dayAfter(to, 1))]
  const within = (moment: Sql) => sql`${moment} >= ${since} and ${moment} < ${until}`
  return sql`(
    with sale as materialized (
      select id, price_id, unit_paise, quantity, ${indianDay(sql`created_at`)} as day
        from orders where ${within(sql`created_at`)} and ${placedSince(since)} and ${placedBefore(until)}
    ), refund as materialized (
      select movement.id, movement.amount_paise, claim.key_id, ${indianDay(sql`movement.created_at`)} as day
        from wallet_movements movement join key_claims claim on claim.movement_id = movement.id
       where movement.kind = 'refund' and ${within(sql`movement.created_at`)}
    ), moved as materialized (
      select id from sale union all select id from refund
    ), bonus as (${BONUS_OF_MOVED}
    ), line as (
      select sold.day, sold.price_id, sold.batch_id, sold.batch_id as cost_batch_id, 1 as keys,
             sold.unit_paise as revenue_paise, 0::bigint as refunded_paise,
             sold.bonus * sold.nth / sold.quantity - sold.bonus * (sold.nth - 1) / sold.quantity as bonus_paise,
             0 as warranty_keys
        from (select sale.*, key.batch_id, coalesce(bonus.paise, 0) as bonus,
                     row_number() over (partition by sale.id order by key.id) as nth
                from sale
                join license_keys key on key.order_id = sale.id and key.replaces is null
                left join bonus on bonus.movement_id = sale.id) sold
      union all
      select refund.day, key.price_id, key.batch_id, key.batch_id, 0, 0, refund.amount_paise,
             coalesce(bonus.paise, 0), 0
        from refund join license_keys key on key.id = refund.key_id
        left join bonus on bonus.movement_id = refund.id
      union all
      select ${indianDay(sql`given.assigned_at`)}, given.price_id, bad.batch_id, given.batch_id, 0, 0, 0, 0, 1
        from license_keys given join license_keys bad on bad.id = given.replaces
       where given.replaces is not null and ${within(sql`given.assigned_at`)}
    )
    select day, price_id, batch_id, cost_batch_id, sum(keys)::integer as keys,
           sum(revenue_paise)::bigint as revenue_paise, sum(refunded_paise)::bigint as refunded_paise,
           sum(bonus_paise)::bigint as bonus_paise, sum(warranty_keys)::integer as warranty_keys
      from line
     group by day, price_id, batch_id, cost_batch_id)`
}

/**
 * @param book a table like `book_days`
 * @param parts its columns that are kept. One row each, so that what stands beside them is looked up seldom
 */
export const summedBy = (parts: Sql, book: Sql): Sql => sql`(
    select ${parts}, sum(keys)::bigint as keys, sum(revenue_paise)::bigint as revenue_paise,
           sum(refunded_paise)::bigint as refunded_paise, sum(bonus_paise)::bigint as bonus_paise,
           sum(warranty_keys)::bigint as warranty_keys, sum(lost_paise)::bigint as lost_paise
      from ${book} days group by ${parts})`

/** Sales without their bonus. */
const REAL_SALES = sql`(book.revenue_paise - book.refunded_paise - book.bonus_paise - book.lost_paise)`

/** The figures of a group of `bookOf`, as contract/books.ts has them. `paid_for` names the row of `cost_batch_id`. */
export const FIGURES = sql`
  coalesce(sum(book.keys), 0)::bigint as keys,
  coalesce(sum(book.revenue_paise), 0)::bigint as sold,
  coalesce(sum(book.refunded_paise), 0)::bigint as refunded,
  coalesce(sum(book.revenue_paise - book.refunded_paise), 0)::bigint as revenue,
  coalesce(sum(book.bonus_paise), 0)::bigint as bonus,
  coalesce(sum(book.keys * paid_for.cost_paise), 0)::bigint as cost,
  coalesce(sum(book.warranty_keys), 0)::bigint as warranty_keys,
  coalesce(sum(book.warranty_keys * paid_for.cost_paise), 0)::bigint as warranty,
  coalesce(sum(book.keys + book.warranty_keys) filter (where paid_for.cost_paise is null), 0)::bigint
    as unknown_cost_keys,
  coalesce(sum(${REAL_SALES}) filter (where paid_for.cost_paise is null), 0)::bigint as unknown_cost_sales,
  coalesce(sum(book.lost_paise), 0)::bigint as lost,
  coalesce(sum(${REAL_SALES} - (book.keys + book.warranty_keys) * paid_for.cost_paise), 0)::bigint as profit`
