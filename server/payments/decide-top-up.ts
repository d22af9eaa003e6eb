/** An admin approves or rejects a top-up request, once. */
import * as z from 'zod/mini'
import type { AdminRole } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { add, formatPaise, negate, paise, type Paise, toRupees, ZERO } from '../../contract/money.ts'
import type { Payment } from '../../contract/payments.ts'
import { DAY_MS } from '../../contract/time.ts'
import { auditAll, type AuditedChange, type Auditor, type By } from '../audit/audit.ts'
import { settleWishes } from '../orders/settle-wishes.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { payPromisedRewards } from '../referrals/rewards.ts'
import { readSettings } from '../settings/settings.ts'
import { allowCredit, type Allowance } from '../wallet/allowance.ts'
import { creditAll } from '../wallet/credit.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { readPayments } from './payment-rows.ts'
import { reasonInWords } from '../../contract/top-up-reasons.ts'
import { creditFor } from './plans.ts'
import { lockMoneyOf, lockPendingTopUp, setAmount, type LockedTopUp, type OtherAmount } from './top-ups.ts'

type Approver = Decider & { admin: { role: AdminRole } | null; isProven: boolean; requireProof: () => void }
/** The one who decides. Without an admin, the store's own rules did. */
type Decider = Auditor

interface Decided {
  payment: Payment
  userId: string
}
interface Approved extends Decided {
  balance: Paise
}

interface Approval {
  /** Further details for the audit log. */
  noted?: object
  /** Looks once more at the locked request. @throws Refusal */
  check?: ((tx: Transaction, id: string) => Promise<void>) | undefined
  /** What to credit instead of the request's own amount. */
  other?: OtherAmount | undefined
}

/**
 * Credits the amount that was fixed with the request, or another one, in the transaction that closes it.
 * @throws Refusal NOT_PENDING when it was reviewed before, NOT_FOUND, STEP_UP_REQUIRED for too much in a day,
 *   AMOUNT_CHANGED, and those of `check`
 */
export async function approveTopUp(
  services: Services,
  id: string,
  by: By & Approver,
  approval: Approval = {},
): Promise<Payment> {
  const [approved] = await decide(services, async (tx) => [await approveIn(tx, id, by, approval)], {
    readsFirst: true,
    onePlan: true,
  })
  return approved.payment
}

/** Does `approveTopUp` in the caller's transaction. Call it last, because the audit log's lock is taken last. */
export async function approveIn(
  tx: Transaction,
  id: string,
  by: Approver,
  { noted, check, other }: Approval = {},
): Promise<Approved> {
  // Keeps the order of locks that all code has: the wallet, the admin's account, then the request
  const known = await findPromise(tx, id)
  const balance = known ? await lockWallet(tx, known.userId, by.now) : ZERO
  const terms = other && { ...other, ...(await creditFor(tx, other.amount)) }
  const allowance = await allowCredit(tx, by, known?.isPending ? (terms?.credit ?? paise(known.credit)) : ZERO)
  const asked = await lockPendingTopUp(tx, id)
  lockMoneyOf(tx, id)
  await check?.(tx, id)
  const request = terms ? await setAmount(tx, id, asked, terms) : asked
  const changed = terms && { asked: toRupees(asked.amount), reason: terms.reason }
  const [approved] = await approveLocked(tx, [{ id, request, balance, allowance, noted: { ...noted, ...changed } }], by)
  if (!approved) throw new Refusal('NOT_FOUND')
  return approved
}

export interface Waiting {
  id: string
  request: LockedTopUp
  /** The buyer's, before. */
  balance: Paise
  allowance: Allowance
  /** Further details for the audit log. */
  noted?: object
}

/**
 * Approves pending requests of as many buyers. They and the wallets must be locked in this transaction. Call it last,
 * because the audit log's lock is taken last.
 */
export async function approveLocked(tx: Transaction, waiting: readonly Waiting[], by: Decider): Promise<Approved[]> {
  const isOld = waiting.some(({ request }) => !request.validityFixed)
  // Falls back to today's setting for old requests, from before the validity was fixed with them
  const days = isOld ? (await readSettings(tx)).topupValidityDays : null
  creditAll(
    tx,
    waiting.map(({ id, request, allowance }) => {
      const validityDays = request.validityFixed ? request.validityDays : days
      return {
        userId: request.userId,
        amount: request.credit,
        allowance,
        promotion: paise(Math.max(0, add(request.credit, negate(request.amount)))),
        kind: 'topup',
        description: describe(request),
        expiresAt: validityDays === null ? null : new Date(by.now.getTime() + validityDays * DAY_MS),
        topupId: id,
        ...(by.admin && { adminId: by.admin.id }),
        now: by.now,
      }
    }),
  )
  await payPromisedRewards(
    tx,
    waiting.map(({ request }) => request.userId),
    by.now,
  )
  const closed = await closeAll(tx, waiting, { status: 'approved', reason: null }, by)
  return closed.map((decided, nth) => {
    const { balance = ZERO, request } = waiting[nth] ?? {}
    return { ...decided, balance: add(balance, request?.credit ?? ZERO) }
  })
}

/**
 * The one way to decide. After the commit it tells what follows: open pages show it, the bank's inbox looks for the
 * money (`followPayments`), and what the buyer wished for is bought.
 * @param work returns what it has decided
 */
export async function decide<T extends readonly (Decided & Partial<Approved>)[] | []>(
  services: Pick<Services, 'db' | 'clock' | 'events'>,
  work: (tx: Transaction) => Promise<T>,
  options?: Parameters<Services['db']['transaction']>[1],
): Promise<T> {
  const decided = await services.db.transaction(work, options)
  for (const one of decided) tellDecided(services.events, one)
  await settleWishes(services, withWish(decided.map(({ payment }) => payment)))
  return decided
}

/** @returns the ids of those whose buyer waits for a purchase */
export const withWish = (payments: readonly Payment[]): string[] =>
  payments.filter(({ then }) => then?.state === 'waiting').map(({ _id }) => _id)

function tellDecided(events: Services['events'], { payment, userId, balance }: Decided & Partial<Approved>): void {
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
  services: Services,
  { id, reason }: { id: string; reason?: string | undefined },
  by: By,
): Promise<Payment> {
  const [rejected] = await decide(services, async (tx) => [await rejectIn(tx, { id, reason }, by)])
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
  const [rejected] = await closeAll(tx, [{ id, request, noted }], { status: 'rejected', reason: reason || null }, by)
  if (!rejected) throw new Refusal('NOT_FOUND')
  return rejected
}

/** Reads whom a request would credit with what, both of which never change. */
function findPromise(tx: Transaction, id: string) {
  return tx.maybe(sql(() => z.object({ userId: z.string(), credit: z.number(), isPending: z.boolean() }))`
    select user_id, credit_paise as credit, status = 'pending' as is_pending
      from topup_requests where id = ${id}`)
}

async function closeAll(
  tx: Transaction,
  waiting: readonly Omit<Waiting, 'balance' | 'allowance'>[],
  { status, reason }: { status: 'approved' | 'rejected'; reason: string | null },
  by: Decider,
): Promise<Decided[]> {
  const ids = waiting.map(({ id }) => id)
  void tx.send(sql`
    update topup_requests
       set status = ${status}, reason = coalesce(${reason}, reason), decided_at = ${by.now},
           decided_by = ${by.admin?.id ?? null}
     where id = any(${ids}::uuid[])`)
  for (const { id, request } of waiting)
    enqueue(tx, { kind: `topup.${status}`, userId: request.userId, subjectId: id, now: by.now })
  const payments = new Map((await readPayments(tx, ids)).map((payment) => [payment._id, payment]))
  const closed = waiting.map(({ id, request, noted }) => {
    const payment = payments.get(id)
    if (!payment) throw new Refusal('NOT_FOUND')
    const who = payment.userId?.username ?? 'a closed account'
    const credited = status === 'approved' ? { credited: toRupees(request.credit) } : {}
    const change: AuditedChange = {
      action: status === 'approved' ? 'payment.approve' : 'payment.reject',
      subject: `Top-up of ${formatPaise(request.amount)} by ${who} (${id})`,
      before: { status: request.status },
      after: { status, ...credited, ...(reason !== null && { reason: reasonInWords(reason) }), ...noted },
    }
    return { payment, userId: request.userId, change }
  })
  await auditAll(
    tx,
    by,
    closed.map(({ change }) => change),
  )
  return closed.map(({ payment, userId }) => ({ payment, userId }))
}

function describe({ amount, credit }: LockedTopUp): string {
  if (add(credit, negate(amount)) === ZERO) return 'Wallet top-up'
  return `Wallet top-up: offer ${formatPaise(credit)} for ${formatPaise(amount)}`
}
