/** An admin approves or rejects a top-up request, once. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { add, formatRupees, negate, paise, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import type { Payment } from '../../contract/payments.ts'
import { audit, type Auditor } from '../audit/audit.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { credit } from '../wallet/credit-and-debit.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { readPayments } from './payment-rows.ts'
import { lockPendingTopUp, type LockedTopUp } from './top-ups.ts'

type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'>
/** Who decides; no admin where the store's own rules do. */
export type Decider = Auditor

const DAY_MS = 24 * 3_600_000

interface Decided {
  payment: Payment
  userId: string
}
interface Approved extends Decided {
  balance: Paise
}

/**
 * Credits the amount that was fixed with the request, in the transaction that closes it.
 * @throws Refusal NOT_PENDING when it was reviewed before, NOT_FOUND
 */
export async function approveTopUp({ db, events }: Services, id: string, by: By): Promise<Payment> {
  const approved = await db.transaction((tx) => approveIn(tx, id, by))
  tellDecided(events, approved)
  return approved.payment
}

/**
 * Does `approveTopUp` in the caller's transaction. Call it last, because the audit log's lock is taken last.
 * @param noted what the audit log says besides
 */
export async function approveIn(tx: Transaction, id: string, by: Decider, noted: object = {}): Promise<Approved> {
  // Keeps the order of locks that all code has: the wallet, then the request
  const buyerId = await findBuyer(tx, id)
  const before = buyerId === undefined ? ZERO : await lockWallet(tx, buyerId, by.now)
  const request = await lockPendingTopUp(tx, id)

  const validityDays = await validityOf(tx, request)
  await credit(tx, {
    userId: request.userId,
    amount: request.credit,
    promotion: paise(Math.max(0, add(request.credit, negate(request.amount)))),
    kind: 'topup',
    description: describe(request),
    expiresAt: validityDays === null ? null : new Date(by.now.getTime() + validityDays * DAY_MS),
    topupId: id,
    ...(by.admin && { adminId: by.admin.id }),
    now: by.now,
  })
  const payment = await close(tx, id, { status: 'approved', reason: null }, request, by, noted)
  return { payment, userId: request.userId, balance: add(before, request.credit) }
}

/** Tells open pages after the commit. */
export function tellDecided(
  events: Services['events'],
  { payment, userId, balance }: Decided & Partial<Approved>,
): void {
  const data = { id: payment._id, status: payment.status }
  const buyer = { user: userId }
  events.publish({ to: buyer, name: 'payment', data })
  if (balance !== undefined) events.publish({ to: buyer, name: 'balance', data: { balance: toRupees(balance) } })
  events.publish({ to: 'admins', name: 'payment', data })
}

/**
 * Closes a request without crediting it, and frees its UTR for another request.
 * @param reason shown to the buyer; may be empty
 * @throws Refusal NOT_PENDING when it was reviewed before, NOT_FOUND
 */
export async function rejectTopUp(
  { db, events }: Services,
  { id, reason }: { id: string; reason?: string | undefined },
  by: By,
): Promise<Payment> {
  const rejected = await db.transaction((tx) => rejectIn(tx, { id, reason }, by))
  tellDecided(events, rejected)
  return rejected.payment
}

/** Does `rejectTopUp` in the caller's transaction. Call it last. */
export async function rejectIn(
  tx: Transaction,
  { id, reason }: { id: string; reason?: string | undefined },
  by: Decider,
  noted: object = {},
): Promise<Decided> {
  const request = await lockPendingTopUp(tx, id)
  const payment = await close(tx, id, { status: 'rejected', reason: reason || null }, request, by, noted)
  return { payment, userId: request.userId }
}

/** @returns the days from approval until the credit expires; null for never */
async function validityOf(tx: Transaction, { validityFixed, validityDays }: LockedTopUp): Promise<number | null> {
  // Falls back to today's setting for old requests, from before the validity was fixed with them
  return validityFixed ? validityDays : (await readSettings(tx)).topupValidityDays
}

async function findBuyer(tx: Transaction, id: string): Promise<string | undefined> {
  const request = await tx.maybe(
    z.object({ userId: z.string() }),
    sql`select user_id as "userId" from topup_requests where id = ${id}`,
  )
  return request?.userId
}

async function close(
  tx: Transaction,
  id: string,
  { status, reason }: { status: 'approved' | 'rejected'; reason: string | null },
  request: LockedTopUp,
  by: Decider,
  noted: object = {},
): Promise<Payment> {
  await tx.run(sql`
    update topup_requests
       set status = ${status}, reason = ${reason}, decided_at = ${by.now}, decided_by = ${by.admin?.id ?? null}
     where id = ${id}`)
  enqueue(tx, { kind: `topup.${status}`, userId: request.userId, subjectId: id, now: by.now })
  const [payment] = await readPayments(tx, [id])
  if (!payment) throw new Refusal('NOT_FOUND')
  const credited = status === 'approved' ? { credited: toRupees(request.credit) } : {}
  await audit(tx, by, {
    action: status === 'approved' ? 'payment.approve' : 'payment.reject',
    subject:
      `Top-up of ${formatRupees(toRupees(request.amount))} ` +
      `by ${payment.userId?.username ?? 'a closed account'} (${id})`,
    before: { status: request.status },
    after: { status, ...credited, ...(reason === null ? {} : { reason }), ...noted },
  })
  return payment
}

function describe({ amount, credit }: LockedTopUp): string {
  if (add(credit, negate(amount)) === ZERO) return 'Wallet top-up'
  return `Wallet top-up: offer ${formatRupees(toRupees(credit))} for ${formatRupees(toRupees(amount))}`
}
