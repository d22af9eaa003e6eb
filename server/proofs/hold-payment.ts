/**
 * Marks an approved payment whose money the bank holds back, and ends the mark. No money moves. The mark keeps the
 * buyer out, if wanted, and its end lets them in again unless the block has another cause.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { formatPaise } from '../../contract/money.ts'
import type { Payment } from '../../contract/payments.ts'
import { HELD_BY_BANK } from '../../contract/reason-words.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { readPayments } from '../payments/payment-rows.ts'
import {
  endMark,
  isBlockOfMark,
  lockTopUp,
  readMark,
  setMark,
  type LockedTopUp,
  type Mark,
} from '../payments/top-ups.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { keepOut, letIn } from '../users/block-user.ts'
import { lockAccount } from '../users/access/accounts.ts'
import { lockWallet } from '../wallet/ledger.ts'

/**
 * Marks a payment, or changes the note of its mark.
 * @param letBuy leaves the buyer in the store
 * @throws Refusal STEP_UP_REQUIRED, NOT_FOUND, NOT_APPROVED
 */
export function holdPayment(
  services: Services,
  { id, note, letBuy }: { id: string; note: string; letBuy: boolean },
  by: ProvingBy,
): Promise<Payment> {
  return mark(services, id, by, async (tx, { request, account, held }) => {
    if (request.status !== 'approved') throw new Refusal('NOT_APPROVED')
    const blockAt = letBuy ? await dropBlock(tx, account, held) : await addBlock(tx, account, held, by.now)
    await setMark(tx, id, { note, blockAt }, by)
    const isBlocked = blockAt !== null
    return {
      action: 'payment.held',
      before: { note: held.note, blocked: held.blockAt !== null },
      after: { note, blocked: isBlocked },
      isLockedOut: isBlocked && held.blockAt === null,
    }
  })
}

/**
 * Ends the mark.
 * @throws Refusal STEP_UP_REQUIRED, NOT_FOUND, NOT_HELD
 */
export function releasePayment(services: Services, id: string, by: ProvingBy): Promise<Payment> {
  return mark(services, id, by, async (tx, { account, held }) => {
    if (held.note === null) throw new Refusal('NOT_HELD')
    await dropBlock(tx, account, held)
    await endMark(tx, id)
    return { action: 'payment.released', before: { note: held.note, blocked: held.blockAt !== null } }
  })
}

const AccountRow = z.object({ id: z.string(), blockedAt: z.nullable(z.date()) })
type Account = z.output<typeof AccountRow>

interface Marked {
  request: LockedTopUp
  /** Undefined for a closed account, which nobody can block. */
  account: Account | undefined
  held: Mark
}

interface Change {
  action: 'payment.held' | 'payment.released'
  before: object
  after?: object
  isLockedOut?: boolean
}

/** Locks wallet, account and request, in the order of all code, so that marks and take-backs follow one another. */
async function mark(
  { db, events }: Services,
  id: string,
  by: ProvingBy,
  change: (tx: Transaction, marked: Marked) => Promise<Change>,
): Promise<Payment> {
  by.requireProof()
  const { payment, userId, isLockedOut } = await db.transaction(async (tx) => {
    const buyerId = await tx.text(sql`select user_id from topup_requests where id = ${id}`)
    if (!buyerId) throw new Refusal('NOT_FOUND')
    await lockWallet(tx, buyerId, by.now)
    const open = await lockAccount(tx, buyerId)
    const account = open && (await tx.one(sql(AccountRow)`select id, blocked_at from users where id = ${buyerId}`))
    const request = await lockTopUp(tx, id)
    if (!request) throw new Refusal('NOT_FOUND')
    const made = await change(tx, { request, account, held: await readMark(tx, id) })
    const [payment] = await readPayments(tx, [id])
    if (!payment) throw new Refusal('NOT_FOUND')
    const { action, before, after, isLockedOut = false } = made
    const who = payment.userId?.username ?? 'a closed account'
    const subject = `Top-up of ${formatPaise(request.amount)} by ${who} (${id})`
    await audit(tx, by, { action, subject, before, ...(after && { after }) })
    return { payment, userId: buyerId, isLockedOut }
  })
  if (isLockedOut) events.publish({ to: { user: userId }, name: 'session-ended' })
  events.publish({ to: 'admins', name: 'payment', data: { id, status: payment.status } })
  return payment
}

/** @returns the moment of the mark's block; null if the buyer is out for another cause, or has no account any more */
async function addBlock(
  tx: Transaction,
  account: Account | undefined,
  { blockAt }: Mark,
  now: Date,
): Promise<Date | null> {
  if (!account) return null
  if (account.blockedAt === null) {
    await keepOut(tx, account.id, HELD_BY_BANK, now)
    return now
  }
  if (blockAt?.getTime() === account.blockedAt.getTime()) return blockAt
  return (await isBlockOfMark(tx, account.id, account.blockedAt)) ? account.blockedAt : null
}

/** Lets the buyer in, unless an admin has blocked them by hand, or another payment needs the block. */
async function dropBlock(
  tx: Transaction,
  account: Account | undefined,
  { blockAt, isBlockShared }: Mark,
): Promise<null> {
  const isOwn = blockAt !== null && account?.blockedAt?.getTime() === blockAt.getTime()
  if (account && isOwn && !isBlockShared) await letIn(tx, account.id)
  return null
}
