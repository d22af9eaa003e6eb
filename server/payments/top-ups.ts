/** Buyers' top-up requests: UTRs sent for an admin to approve or reject. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { Paise } from '../../contract/money.ts'
import { PaymentStatus } from '../../contract/payments.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
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
