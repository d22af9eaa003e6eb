/** Conditions that many features ask for. Each is written here alone (scripts/check-code.mjs). */
import { LET_IN_MARKED_MS } from '../../../contract/limits.ts'
import { MINUTE_MS, SECOND_MS } from '../../../contract/time.ts'
import { literal, sql, type Sql } from './sql.ts'

/** True for a payment that no admin has removed from the lists. */
export const isListed = (id: Sql): Sql => sql`not exists (select from hidden_payments where payment_id = ${id})`

/** True for an account that is neither closed nor about to be. @param user names a row of `users` */
export const isOpenAccount = (user: Sql): Sql => sql`(${user}.deleted_at is null and ${user}.closes_at is null)`

/** True for an open account that no admin has blocked, so that its buyer may act. @param user names a row of `users` */
export const mayAct = (user: Sql): Sql => sql`(${isOpenAccount(user)} and ${user}.blocked_at is null)`

/**
 * True while a price has the duration that was asked for, because a row's text can change. The row is named `price`.
 * @param asked names what keeps the wanted duration
 */
export const isStillOffered = (asked: Sql): Sql =>
  sql`(price.removed_at is null and price.duration = coalesce(${asked}.duration, price.duration))`

/** True while the buyer of a row `renewal` can buy it again, money and stock aside. */
export const isForSaleAgain = sql`exists (
  select from prices price join products product on product.id = price.product_id
   where price.id = renewal.price_id and product.is_listed and product.deleted_at is null
     and ${isStillOffered(sql`renewal`)}
     and not exists (select from hidden_products where user_id = renewal.user_id and product_id = product.id))`

/** An order's id carries its moment. On orders from before migration 48 it is off by this at most. */
const ID_OFF_MS_MAX = MINUTE_MS
const MS_MAX = 2 ** 48 - 1

/** @returns the least id of a moment in ms. A moment that no id can carry counts as the first or last that one can */
function leastId(ms: number): string {
  const hex = Math.min(Math.max(0, ms), MS_MAX).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** No order placed at `at` or later has an id below this one. */
export const firstOrderId = (at: Date): string => leastId(at.getTime() - ID_OFF_MS_MAX)
/** No order placed before `at` has this id or a higher one. */
export const endOrderId = (at: Date): string => leastId(at.getTime() + ID_OFF_MS_MAX)
/** Use them beside `created_at >= …` and `created_at < …`, so that the primary key finds the orders. */
export const placedSince = (at: Date): Sql => sql`orders.id >= ${firstOrderId(at)}`
export const placedBefore = (at: Date): Sql => sql`orders.id < ${endOrderId(at)}`
/**
 * True for all orders placed after the one with this id, or before it, and perhaps for some of two minutes on its other
 * side. @param begins the end at which a list began that has been read up to this order
 */
export function placedAround(id: string, begins: 'newest' | 'oldest'): Sql {
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  const [earliest, latest] = [new Date(ms - ID_OFF_MS_MAX), new Date(ms + ID_OFF_MS_MAX + 1)]
  return begins === 'newest' ? placedSince(earliest) : placedBefore(latest)
}

/** The admin by whom the new device came into the account on which an order was placed; null for all other orders. */
export const letInBy = (order: Sql): Sql => sql`
  (select admin.username from account_openings opening join admins admin on admin.id = opening.admin_id
    where opening.user_id = ${order}.user_id and opening.let_in_at <= ${order}.created_at
      and opening.let_in_at > ${order}.created_at - make_interval(secs => ${literal(LET_IN_MARKED_MS / SECOND_MS)})
    order by opening.created_at desc limit 1)`

/** The UPI ID that the buyer of a top-up request saw, as the contract's `PaidTo`, or null. */
export const paidToOf = (request: Sql): Sql => sql`
  case when ${request}.paid_to is not null
       then json_strip_nulls(json_build_object('upiId', ${request}.paid_to, 'name', ${request}.paid_to_name)) end`
