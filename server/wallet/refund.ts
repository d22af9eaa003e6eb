/**
 * Gives money of a purchase back to the credit that paid it, as if fewer keys had been bought. The purchase took its
 * lots in an order, so a refund returns their tail, and the next refund goes on where that one ended.
 */
import * as z from 'zod/mini'
import { add, negate, paise, ZERO, type Paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { sql, type Sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Allowance } from './allowance.ts'
import { earlier } from './debit.ts'
import { addTo, post, type Lot, type Movement } from './ledger.ts'

/** Credit that expires sooner than this is of little use to the buyer. */
const EXPIRES_SOON_MS = 7 * DAY_MS
/** A refund of credit that has expired, or soon will, gets a lot that lasts this long. */
const NEW_LOT_MS = 30 * DAY_MS

interface Refund {
  orderId: string
  userId: string
  /** Above zero. */
  amount: Paise
  /** What was refunded of this order before, without the earlier refunds of the same call. */
  before: Paise
  description: string
  adminId: string
}

/**
 * Posts refunds, in their order. The wallets must be locked in this transaction. The caller keeps
 * `orders.refunded_paise` (orders/note-refunds.ts).
 * @param allowance for their sum
 * @returns the movements' ids
 */
export async function refundAll(
  tx: Transaction,
  refunds: readonly Refund[],
  { allowance, now }: { allowance: Allowance; now: Date },
): Promise<string[]> {
  const sum = add(ZERO, ...refunds.map(({ amount }) => amount))
  if (sum > allowance) throw new Error(`Refunds of ${sum} paise, and ${allowance} are allowed`)
  if (refunds.length === 0) return []
  const paidFrom = await readPaidFrom(tx, refunds)
  const done = new Map<string, Paise>()
  const movements = refunds.map(({ before, amount, ...cause }): Movement => {
    const from = done.get(cause.orderId) ?? before
    done.set(cause.orderId, add(from, amount))
    return { ...cause, ...partsOf(tailOf(paidFrom(cause.orderId), from, amount), now) }
  })
  void post(tx, movements)
  return movements.map(({ id }) => id)
}

type Share = { lot: Pick<Lot, 'id' | 'expiresAt'>; amount: Paise }

/**
 * Chooses the shares of a purchase that a refund returns: `amount` from the end, after the `before` that went already.
 * @param shares in the order of spending
 * @throws RangeError when the purchase did not cost that much
 */
export function tailOf(shares: readonly Share[], before: Paise, amount: Paise): Share[] {
  let skip: number = before
  let left: number = amount
  const tail: Share[] = []
  for (const { lot, amount: spent } of shares.toReversed()) {
    const open = Math.max(0, spent - skip)
    skip = Math.max(0, skip - spent)
    const share = Math.min(open, left)
    if (share > 0) tail.push({ lot, amount: paise(share) })
    left -= share
  }
  if (left > 0) throw new RangeError(`The purchase falls ${left} paise short`)
  return tail
}

/** Puts shares of credit that has expired or soon will into a new lot. */
function partsOf(shares: readonly Share[], now: Date): Pick<Movement, 'id' | 'kind' | 'now' | 'entries'> {
  const soon = new Date(now.getTime() + EXPIRES_SOON_MS)
  const isLate = ({ lot }: Share) => lot.expiresAt !== null && lot.expiresAt <= soon
  const renewed = add(ZERO, ...shares.filter(isLate).map(({ amount }) => amount))
  const kept = shares.filter((share) => !isLate(share))
  const opens: Lot = { id: newId(), remaining: renewed, expiresAt: new Date(now.getTime() + NEW_LOT_MS) }
  const entries = [...kept, ...(renewed > 0 ? [{ lot: opens, amount: renewed }] : [])].map(({ lot, amount }) => ({
    lotId: lot.id,
    amount,
    expiresAt: lot.expiresAt,
  }))
  const expiresAt = entries.reduce<Date | null>((soonest, entry) => earlier(soonest, entry.expiresAt), null)
  return { id: newId(), kind: 'refund', now, entries, ...(renewed > 0 && { opens }), ...(expiresAt && { expiresAt }) }
}

const Spent = z.object({ orderId: z.string(), lotId: z.string(), amount: z.number(), expiresAt: z.nullable(z.date()) })

/** @returns a function that tells what an order took from which lot, in the order of spending */
async function readPaidFrom(tx: Transaction, orders: readonly { orderId: string }[]) {
  const rows = await tx.rows(sql(Spent)`
    select movement.order_id, entry.lot_id, entry.amount_paise as amount,
           lot.expires_at
      from wallet_movements movement
      join wallet_entries entry on entry.movement_id = movement.id
      join wallet_lots lot on lot.id = entry.lot_id
     where movement.id = any(${orders.map(({ orderId }) => orderId)}::uuid[])
     order by entry.id`)
  const shares = rows.map(({ lotId, amount, expiresAt, orderId }) => {
    return { lot: { id: lotId, expiresAt }, amount: negate(paise(amount)), orderId }
  })
  return (wanted: string): Share[] => shares.filter(({ orderId }) => orderId === wanted)
}

/**
 * What a buyer's refunds have moved into new lots: the refunded end of a purchase, less what its own lots got.
 * @returns a table of `paise` from one lot in the `of_paise` of another
 */
export const renewals = (userId: Sql): Sql => sql`(
    select paid.lot_id as from_id, lot.id as lot_id, lot.amount_paise as of_paise, refund.seq,
           least(paid.until, refund.until) - greatest(paid.since, refund.since) as paise
      from (select id, order_id, seq, sum(amount_paise) over earlier as until,
                   sum(amount_paise) over earlier - amount_paise as since
              from wallet_movements where user_id = ${userId} and kind = 'refund'
            window earlier as (partition by order_id order by seq)) refund
      join wallet_lots lot on lot.user_id = ${userId} and lot.movement_id = refund.id
      join lateral (
           select lot_id, -sum(amount_paise) over later as until, amount_paise - sum(amount_paise) over later as since
             from wallet_entries where movement_id = refund.order_id window later as (order by id desc)) paid
        on least(paid.until, refund.until) > greatest(paid.since, refund.since)
     where paid.lot_id not in (select lot_id from wallet_entries where movement_id = refund.id))`

const Renewal = z.object({ fromId: z.string(), lotId: z.string(), amount: z.number() })

/**
 * Finds where credit of a lot is now. Refunds put a share whose lot has expired, or soon will, into a new lot.
 * @returns by lot, at most how much of it came from this one. For the lot itself, how much it gave to the others
 */
export async function renewedCredit(tx: Transaction, userId: string, lotId: string): Promise<Map<string, Paise>> {
  const moved = await tx.rows(sql(Renewal)`
    select from_id, lot_id, paise::bigint as amount from ${renewals(sql`${userId}::uuid`)} renewal order by seq`)
  const found = new Map([[lotId, ZERO]])
  for (const { fromId, lotId: into, amount } of moved) {
    if (found.has(fromId)) addTo(found, into, paise(amount))
    if (fromId === lotId) addTo(found, lotId, paise(amount))
  }
  return found
}
