import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import type { codes } from '../../contract/codes.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { add, toRupees, ZERO } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { mayAct } from '../platform/database/conditions.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { InPaise } from '../platform/in-paise.ts'
import type { Services } from '../platform/services.ts'
import { allowedBefore } from './allowance.ts'
import { credit } from './credit.ts'
import { lockWallet } from './ledger.ts'
import { lastDay } from './code-batches.ts'
import { hashOfCode } from './code-texts.ts'

type Redeemed = z.output<(typeof codes.redeem)['output']>

/**
 * Credits a code to the caller, once. The same caller gets the same answer again, because the first may have been lost.
 * @param code in its normal form
 * @throws Refusal CODE_INVALID, CODE_USED or ONE_EACH, or NO_SESSION when the account was closed in between
 */
export async function redeem(
  { db, events }: Pick<Services, 'db' | 'events'>,
  code: string,
  { user, now }: Pick<Call<'user'>, 'now'> & { user: { id: string } },
): Promise<Redeemed> {
  const hash = hashOfCode(code)
  if (!hash) throw new Refusal('CODE_INVALID')
  const { movementId, ...redeemed } = await db.transaction((tx) => redeemOnce(tx, hash, user.id, now))
  if (movementId !== undefined) {
    events.publish({ to: { user: user.id }, name: 'balance' })
    // It is in the list of all payments
    events.publish({ to: 'admins', name: 'payment', data: { id: movementId } })
  }
  return redeemed
}

const Kept = z.object({ batchId: z.string(), userId: z.nullable(z.string()), movementId: z.nullable(z.string()) })

/** @returns the id of a new credit besides. Undefined after an earlier call */
async function redeemOnce(
  tx: Transaction,
  hash: Buffer,
  userId: string,
  now: Date,
): Promise<Redeemed & { movementId?: string }> {
  const balance = await lockWallet(tx, userId, now)
  // All who try one code meet here, whichever nodes they come by
  const code = await tx.maybe(sql(Kept)`
    select batch_id, user_id, movement_id from redeem_codes where hash = ${hash} for no key update`)
  if (!code) throw new Refusal('CODE_INVALID')
  if (code.userId === userId) return { ...(await readCredit(tx, code.movementId)), balance: toRupees(balance) }
  if (code.userId !== null) throw new Refusal('CODE_USED')

  const batch = await findBatch(tx, code.batchId, userId)
  refuseUnusable(batch, now)
  const expiresAt = new Date(now.getTime() + batch.creditDays * DAY_MS)
  const { amount, adminId } = batch
  const movementId = credit(tx, {
    userId,
    kind: 'admin_credit',
    adminId,
    amount,
    // The admin was allowed to promise it when the codes were made
    allowance: allowedBefore(amount),
    promotion: batch.isSold ? ZERO : amount,
    description: `Code: ${batch.name}`,
    expiresAt,
    now,
  })
  void tx.send(sql`
    update redeem_codes set user_id = ${userId}, movement_id = ${movementId}, redeemed_at = ${now}
     where hash = ${hash}`)
  return {
    amount: toRupees(amount),
    expiresAt: expiresAt.toISOString(),
    balance: toRupees(add(balance, amount)),
    movementId,
  }
}

const Credited = z.object({ amount: Rupees, expiresAt: Moment })

const readCredit = (tx: Transaction, movementId: string | null) =>
  tx.one(sql(Credited)`
    select amount_paise as amount, expires_at from wallet_movements where id = ${movementId}`)

const Batch = z.object({
  name: z.string(),
  amount: InPaise,
  isSold: z.boolean(),
  codeUntil: z.date(),
  creditDays: z.number(),
  adminId: z.string(),
  isEnded: z.boolean(),
  mayAct: z.boolean(),
  /** This account has redeemed a gift of it. */
  hasOne: z.boolean(),
})

/** Locks the batch, because an admin may be ending it. What is of the account is read under its wallet's lock. */
const findBatch = (tx: Transaction, id: string, userId: string): Promise<z.output<typeof Batch>> =>
  tx.one(sql(Batch)`
    select name, amount_paise as amount, is_sold, code_until, credit_days, admin_id, ended_at is not null as is_ended,
           (select ${mayAct(sql`users`)} from users where id = ${userId}) as may_act,
           exists (select from redeem_codes where batch_id = batch.id and one_each and user_id = ${userId}) as has_one
      from code_batches batch where id = ${id} for share`)

function refuseUnusable({ isEnded, codeUntil, hasOne, ...batch }: z.output<typeof Batch>, now: Date): void {
  if (!batch.mayAct) throw new Refusal('NO_SESSION')
  if (isEnded) throw new Refusal('CODE_INVALID')
  if (codeUntil <= now)
    throw new Refusal('CODE_INVALID', {
      say: ['This code was valid until {date}.', { date: lastDay(codeUntil).split('-').toReversed().join('/') }],
    })
  if (hasOne) throw new Refusal('ONE_EACH')
}
