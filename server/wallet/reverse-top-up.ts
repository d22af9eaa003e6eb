/** Takes back the credit of a top-up whose money was not the buyer's. */
import * as z from 'zod/mini'
import { add, negate, paise, ZERO, type Paise } from '../../contract/money.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { ACCOUNT, post } from './ledger.ts'
import { renewedCredit } from './refund.ts'
import { DUE } from './settle-expired.ts'

interface Reversal {
  topupId: string
  userId: string
  /** What the buyer paid. Credit above it was a bonus. */
  paid: Paise
  description: string
  adminId: string
  now: Date
}

/**
 * Posts as a reversal what is left of the top-up: in its lot, and in lots into which refunds of it were put, which
 * may hold other credit as well. What an admin deducted from them for a time returns first, because nobody must get it
 * later. The wallet must be locked in this transaction. A later call takes what has come back since.
 * @returns what was taken, in paise
 */
export async function reverseTopUp(tx: Transaction, { paid, ...cause }: Reversal): Promise<Paise> {
  const lot = await tx.maybe(sql(z.object({ id: z.string(), credit: z.number() }))`
    select lot.id, lot.amount_paise as credit
      from wallet_lots lot join wallet_movements movement on movement.id = lot.movement_id
     where movement.topup_id = ${cause.topupId} and movement.kind = 'topup'`)
  if (!lot) return ZERO
  const renewed = await renewedCredit(tx, cause.userId, lot.id)
  await endDeductions(tx, [...renewed.keys()], cause)
  const before = await readTaken(tx, cause.topupId)
  const left = await readLeft(tx, renewed, before)
  let credit = lot.credit - before.reduce((sum, { amount }) => sum + amount, 0)
  let money = Math.max(0, paid - before.reduce((sum, { money }) => sum + money, 0))
  const entries = left.flatMap(({ id, amount: there, expiresAt }) => {
    const amount = paise(Math.min(there, credit))
    credit -= amount
    const fromMoney = paise(Math.min(amount, money))
    money -= fromMoney
    return [
      { lotId: id, account: ACCOUNT.reversal, amount: negate(fromMoney), expiresAt },
      { lotId: id, account: ACCOUNT.referral_reward, amount: negate(add(amount, negate(fromMoney))), expiresAt },
    ].filter((entry) => entry.amount !== 0)
  })
  if (entries.length === 0) return ZERO
  await post(tx, [{ ...cause, id: newId(), kind: 'reversal', entries }])
  return negate(add(ZERO, ...entries.map(({ amount }) => amount)))
}

async function endDeductions(
  tx: Transaction,
  lotIds: readonly string[],
  { userId, now }: Pick<Reversal, 'userId' | 'now'>,
): Promise<void> {
  const ended = await tx.rows(sql(z.object({ lotId: z.string(), amount: z.number() }))`
    update wallet_deductions set returned_at = ${now}
     where user_id = ${userId} and lot_id = any(${lotIds}::uuid[]) and returned_at is null
    returning lot_id, amount_paise as amount`)
  if (ended.length === 0) return
  const entries = ended.map(({ lotId, amount }) => ({ lotId, amount: paise(amount), expiresAt: null }))
  await post(tx, [{ id: newId(), userId, ...DUE.return, now, entries }])
}

const Taken = z.object({ lotId: z.string(), amount: z.number(), money: z.number() })

/** What earlier reversals of the top-up took from each lot, and how much of that was money that was paid. */
function readTaken(tx: Transaction, topupId: string): Promise<z.output<typeof Taken>[]> {
  return tx.rows(sql(Taken)`
    select entry.lot_id, -sum(entry.amount_paise)::bigint as amount,
           coalesce(-sum(entry.amount_paise) filter (where entry.account = ${ACCOUNT.reversal}), 0)::bigint as money
      from wallet_movements movement join wallet_entries entry on entry.movement_id = movement.id
     where movement.topup_id = ${topupId} and movement.kind = 'reversal'
     group by entry.lot_id`)
}

const Left = z.object({ id: z.string(), remaining: z.number(), expiresAt: z.nullable(z.date()) })

/** @param most of each lot, what came from the top-up */
async function readLeft(
  tx: Transaction,
  most: ReadonlyMap<string, Paise>,
  before: readonly z.output<typeof Taken>[],
): Promise<{ id: string; amount: Paise; expiresAt: Date | null }[]> {
  const lots = await tx.rows(sql(Left)`
    select id, remaining_paise as remaining, expires_at
      from wallet_lots where id = any(${[...most.keys()]}::uuid[]) and is_open order by id`)
  return lots.map(({ remaining, ...lot }) => {
    const taken = before.find(({ lotId }) => lotId === lot.id)?.amount ?? 0
    return { ...lot, amount: paise(Math.min(remaining, Math.max(0, (most.get(lot.id) ?? 0) - taken))) }
  })
}
