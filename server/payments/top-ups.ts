/** Top-up requests of buyers, for an admin to approve or reject, and the mark of those whose money a bank holds. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { Rupees } from '../../contract/amounts.ts'
import { Moment } from '../../contract/fields.ts'
import type { Paise } from '../../contract/money.ts'
import { PaymentStatus } from '../../contract/payments.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'
import { InPaise } from '../platform/in-paise.ts'
import { isHidden, readPayments } from './payment-rows.ts'
import { numbersIn } from './same-transfer.ts'

const LockedRow = z.object({
  id: z.string(),
  userId: z.string(),
  status: PaymentStatus,
  amount: InPaise,
  credit: InPaise,
  /** Days until the credit expires; null for never. Ignore it unless the validity is fixed. */
  validityDays: z.nullable(z.number()),
  /** True if the validity was fixed when the request was made. */
  validityFixed: z.boolean(),
})
export type LockedTopUp = z.output<typeof LockedRow>

/**
 * Locks a request until the transaction ends. Where money moves, lock the buyer's wallet first.
 * @returns undefined for an id that is no top-up request
 */
export const lockTopUp = async (tx: Transaction, id: string): Promise<LockedTopUp | undefined> =>
  (await lockTopUps(tx, [id])).get(id)

/** Does `lockTopUp` for several, in one order everywhere. @returns them by id */
export async function lockTopUps(tx: Transaction, ids: readonly string[]): Promise<Map<string, LockedTopUp>> {
  const rows = await tx.rows(sql(LockedRow)`
    select id, user_id, status, amount_paise as amount, credit_paise as credit,
           validity_days, validity_fixed
      from topup_requests where id = any(${ids}::uuid[]) order by id for no key update`)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Locks a pending request.
 * @throws Refusal NOT_PENDING for any other payment in the lists, NOT_FOUND for an id in no list
 */
export async function lockPendingTopUp(tx: Transaction, id: string): Promise<LockedTopUp> {
  // Two statements, because one that waits for the row's lock sees removals as they were before
  const [request, hidden] = await Promise.all([lockTopUp(tx, id), isHidden(tx, id)])
  if (hidden) throw new Refusal('NOT_FOUND')
  if (request?.status === 'pending') return request
  const [payment] = await readPayments(tx, [id])
  if (!payment) throw new Refusal('NOT_FOUND')
  // Tells the second of two admins about the first one's review
  const { status, decidedBy, decidedAt } = payment
  throw new Refusal('NOT_PENDING', { details: { status, decidedBy, decidedAt } })
}

/**
 * Locks the money that the bank shows for a request, however its UTR is written. Of two with references of one credit,
 * the second waits, and sees that the first is approved.
 */
export function lockMoneyOf(tx: Transaction, id: string): void {
  void tx.send(sql`
    select from bank_credits
     where id = any(array(
       select credit_id from topup_requests request
         join bank_credit_refs on ref = any(${numbersIn(sql`request.utr`)} || request.utr) where request.id = ${id}))
     order by id for no key update`)
}

/** What was really paid, and why an admin says so. */
export interface OtherAmount {
  amount: Paise
  /** The buyer reads it. */
  reason: string
  /** The request's own amount, as the admin saw it. */
  expected: Paise
}

/**
 * Gives a pending request that is locked another amount, with the credit for it.
 * @throws Refusal AMOUNT_CHANGED, or INVALID_INPUT for its own amount
 */
export async function setAmount(
  tx: Transaction,
  id: string,
  request: LockedTopUp,
  { amount, credit, planId, reason, expected }: OtherAmount & { credit: Paise; planId: string | null },
): Promise<LockedTopUp> {
  if (request.amount !== expected)
    throw new Refusal('AMOUNT_CHANGED', { message: 'The request has changed. Check its amount.' })
  if (request.amount === amount) {
    const message = 'Enter another amount than the request’s'
    throw new Refusal('INVALID_INPUT', { message, fields: { amount: message } })
  }
  await tx.run(sql`
    update topup_requests
       set amount_paise = ${amount}, credit_paise = ${credit}, plan_id = ${planId}, reason = ${reason},
           asked_paise = amount_paise
     where id = ${id}`)
  return { ...request, amount, credit }
}

const MarkRow = z.object({
  note: z.nullable(z.string()),
  /** When the buyer was blocked together with the mark; null if that was not done. */
  blockAt: z.nullable(z.date()),
  /** Another payment of the same buyer keeps that block: it is held, or its money went back. */
  isBlockShared: z.boolean(),
})
export type Mark = z.output<typeof MarkRow>

/** Reads the mark of a request. The request and its buyer's wallet must be locked in this transaction. */
export const readMark = (tx: Transaction, id: string): Promise<Mark> =>
  tx.one(sql(MarkRow)`
    select held_note as note, held_block_at as block_at,
           exists (select from topup_requests other
                    where other.user_id = request.user_id and other.id <> request.id
                      and other.held_block_at = request.held_block_at) as is_block_shared
      from topup_requests request where id = ${id}`)

/** True if the block of this moment came with the mark of any payment of the buyer. */
export const isBlockOfMark = (tx: Transaction, userId: string, blockedAt: Date): Promise<boolean> =>
  tx.holds(sql`
    select exists (select from topup_requests where user_id = ${userId} and held_block_at = ${blockedAt})`)

/** Marks a request, or changes its note. The first mark's moment and admin stay. */
export async function setMark(
  tx: Transaction,
  id: string,
  { note, blockAt }: { note: string; blockAt: Date | null },
  { admin, now }: { admin: { id: string }; now: Date },
): Promise<void> {
  await tx.run(sql`
    update topup_requests
       set held_at = coalesce(held_at, ${now}), held_by = coalesce(held_by, ${admin.id}), held_note = ${note},
           held_block_at = ${blockAt}
     where id = ${id}`)
}

/** Ends the mark of a request whose money the bank has let go. */
export async function endMark(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`
    update topup_requests set held_at = null, held_by = null, held_note = null, held_block_at = null where id = ${id}`)
}

const Sum = z.object({ count: z.number(), amount: Rupees, since: z.nullable(Moment) })

/** What banks hold: how many payments, what was paid with them, and since when the first one is held. */
export const readHeldSum = (db: Queries): Promise<z.output<typeof Sum>> =>
  db.one(sql(Sum)`
    select count(*) as count, coalesce(sum(amount_paise), 0)::bigint as amount, min(held_at) as since
      from topup_requests where held_at is not null`)

/** @returns the ids of the payments that banks hold */
export const heldIds = (db: Queries): Promise<string[]> =>
  db.texts(sql`select id from topup_requests where held_at is not null`)
