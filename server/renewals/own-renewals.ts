/** What renews for a buyer: reading it, ending it, and what its rows mean in SQL. */
import * as z from 'zod/mini'
import { durationMs } from '../../contract/duration.ts'
import { Refusal } from '../../contract/errors.ts'
import { RENEWAL_TOLD_MS, RENEWAL_TRIES_MS } from '../../contract/limits.ts'
import { textInOthers, type OtherTexts } from '../../contract/owner-texts.ts'
import { Renewal, RenewalReason } from '../../contract/renewals.ts'
import { DAY_MS } from '../../contract/time.ts'
import { isForSaleAgain } from '../platform/database/conditions.ts'
import { sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'

const ENDED_SHOWN_MS = 7 * DAY_MS

/** The keys of an order that were neither replaced nor refunded, as one row: `ids`, `quantity` and `ends_at`. */
export const goodKeysOf = (orderId: Sql): Sql => sql`(
  select coalesce(array_agg(key.id order by key.seq), '{}') as ids, count(*) as quantity, max(key.expires_at) as ends_at
    from license_keys key
   where key.order_id = ${orderId}
     and not exists (select from key_claims claim
                      where claim.key_id = key.id and claim.status in ('replaced', 'refunded')))`

/** True for a renewal whose buyer has bought the same since, other than by a renewal, and can still use it. */
export const boughtByHand = (now: Date): Sql => sql`exists (
  select from orders other
   cross join lateral ${goodKeysOf(sql`other.id`)} own
   where other.user_id = renewal.user_id and other.price_id = renewal.price_id
     and other.created_at > renewal.created_at and own.ends_at > ${now}
     and not exists (select from renewals earlier where earlier.next_id = other.id))`

/** Until when a renewal is tried that is held since `from`. */
export const triesUntil = (from: Date, duration: string): Date =>
  new Date(from.getTime() + Math.min(RENEWAL_TRIES_MS, durationMs(duration)))

/** The first moment at which it may be bought. Without `toldAt`, the message is sent now at the earliest. */
export function boughtFrom({ dueAt, isRepeat, toldAt }: Timing, now: Date): Date {
  const told = isRepeat ? (toldAt ?? now).getTime() + RENEWAL_TOLD_MS : 0
  return new Date(Math.max(dueAt.getTime(), told))
}

interface Timing {
  dueAt: Date
  isRepeat: boolean
  toldAt: Date | null
}

const Row = z.extend(z.omit(Renewal, { repeat: true, at: true, state: true, triesUntil: true, reason: true }), {
  translations: z.custom<OtherTexts<'name'>>(),
  isRepeat: z.boolean(),
  dueAt: z.date(),
  toldAt: z.nullable(z.date()),
  heldAt: z.nullable(z.date()),
  heldWhy: z.nullable(RenewalReason),
  isOpen: z.boolean(),
  isForSale: z.boolean(),
  boughtByHand: z.boolean(),
  endReason: z.nullable(z.union([RenewalReason, z.literal('bought')])),
  nextOrderId: z.nullable(z.string()),
})

/** Open ones, and those that ended within a week; or all. By the moment at which they are due. */
export async function listOwnRenewals(
  db: Queries,
  userId: string,
  now: Date,
  which: 'recent' | 'all' | { orderId: string } = 'recent',
): Promise<Renewal[]> {
  const asked =
    which === 'all'
      ? sql`true`
      : which === 'recent'
        ? sql`(renewal.ended_at is null or renewal.ended_at > ${new Date(now.getTime() - ENDED_SHOWN_MS)})`
        : sql`renewal.order_id = ${which.orderId}`
  const rows = await db.rows(sql(Row)`
    select renewal.order_id as _id, good.ids as key_ids, product.id as product_id, product.name as product_name,
           product.translations, renewal.duration, renewal.max_paise as max, renewal.is_repeat, renewal.told_at,
           case when renewal.ended_at is null then least(renewal.quantity, good.quantity)
                else renewal.quantity end as quantity,
           case when renewal.ended_at is null then greatest(renewal.due_at, good.ends_at)
                else renewal.due_at end as due_at,
           renewal.ended_at is null and ${boughtByHand(now)} as bought_by_hand, ${isForSaleAgain} as is_for_sale,
           renewal.held_at, renewal.held_why, renewal.ended_at is null as is_open, renewal.end_reason,
           renewal.next_id as next_order_id
      from renewals renewal
      join prices price on price.id = renewal.price_id
      join products product on product.id = price.product_id
     cross join lateral ${goodKeysOf(sql`renewal.order_id`)} good
     where renewal.user_id = ${userId} and ${asked}
     order by renewal.due_at, renewal.order_id`)
  return rows.map((row) => present(row, now))
}

function present(row: z.output<typeof Row>, now: Date): Renewal {
  const {
    translations,
    isRepeat,
    dueAt,
    toldAt,
    heldAt,
    heldWhy,
    isOpen,
    isForSale,
    boughtByHand: isByHand,
    endReason,
    nextOrderId,
    ...rest
  } = row
  const ended = endReason === 'bought' ? undefined : (endReason ?? undefined)
  const isHeld = isOpen && heldAt !== null
  const reason = isByHand ? 'by-hand' : isHeld ? heldWhy : isOpen && !isForSale ? 'not-for-sale' : ended
  const at = isOpen && !isHeld ? boughtFrom({ dueAt, isRepeat, toldAt }, now) : dueAt
  return {
    ...rest,
    ...textInOthers(translations, 'name', 'productName'),
    repeat: isRepeat,
    at: at.toISOString(),
    state: isHeld ? 'held' : isOpen ? 'waiting' : ended ? 'ended' : 'bought',
    ...(reason && { reason }),
    ...(isHeld && { triesUntil: triesUntil(heldAt, row.duration).toISOString() }),
    ...(nextOrderId !== null && { nextOrderId }),
  }
}

/** @throws Refusal NOT_FOUND, also when the store has just bought */
export async function stopRenewal(db: Queries, orderId: string, { userId, now }: { userId: string; now: Date }) {
  const stopped = await db.run(sql`
    update renewals set ended_at = ${now}, end_reason = 'stopped'
     where order_id = ${orderId} and user_id = ${userId} and ended_at is null`)
  if (stopped === 0) throw new Refusal('NOT_FOUND')
}

/** Ends the renewals of an erased account. What became an order explains it, and stays. */
export const forgetRenewals = (tx: Transaction, userId: string): Promise<number> =>
  tx.run(sql`delete from renewals where user_id = ${userId} and next_id is null`)
