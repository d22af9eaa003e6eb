/** Takes back the credit of a top-up whose money was not the buyer's, and rewards that came with it. */
import * as z from 'zod/mini'
import { add, negate, paise, ZERO, type Paise } from '../../contract/money.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { ACCOUNT, post } from './ledger.ts'
import { renewedCredit } from './refund.ts'
import { DUE } from './settle-expired.ts'

interface Reversal {
  /** Absent for a reward. */
  topupId?: string
  userId: string
  /** What the buyer paid. Credit above it was a bonus. */
  paid: Paise
  description: string
  /** Absent where no admin asked for it. */
  adminId?: string
  now: Date
}
const LotOf = z.object({ id: z.string(), credit: z.number() })

/**
 * Posts as a reversal what is left of the top-up: in its lot, and in lots into which refunds of it were put, which
 * may hold other credit as well. What an admin deducted from them for a time returns first, because nobody must get it
 * later. The wallet must be locked in this transaction. A later call takes what has come back since.
 * @returns what was taken, in paise
 */
export async function reverseTopUp(tx: Transaction, cause: Reversal & { topupId: string }): Promise<Paise> {
  const lot = await tx.maybe(sql(LotOf)`
    select lot.id, lot.amount_paise as credit
      from wallet_lots lot join wallet_movements movement on movement.id = lot.movement_id
     where movement.topup_id = ${cause.topupId} and movement.kind = 'topup'`)
  return lot ? reverseLot(tx, lot, cause) : ZERO
}

/**
 * Does the same with a reward, which promotions bore, once: a later call would count what the first one took.
 * @returns what was taken, in paise
 */
export async function reverseReward(
  tx: Transaction,
  { movementId, ...cause }: Omit<Reversal, 'paid' | 'topupId'> & { movementId: string },
): Promise<Paise> {
  const lot = await tx.maybe(sql(LotOf)`
    select id, amount_paise as credit from wallet_lots
     where user_id = ${cause.userId} and movement_id = ${movementId}`)
  return lot ? reverseLot(tx, lot, { ...cause, paid: ZERO }) : ZERO
}

async function reverseLot(tx: Transaction, lot: z.output<typeof LotOf>, { paid, ...cause }: Reversal): Promise<Paise> {
  const renewed = await renewedCredit(tx, cause.userId, lot.id)
  await endDeductions(tx, [...renewed.keys()], cause)
  const lots = await readLots(tx, [...renewed.keys()], cause.topupId)
  const took = (some: typeof lots) => some.reduce((sum, { taken }) => sum + taken, 0)
  let credit = lot.credit - took(lots)
  let money = Math.max(0, paid - lots.reduce((sum, { money }) => sum + money, 0))
  let moved = (renewed.get(lot.id) ?? 0) - took(lots.filter(({ id }) => id !== lot.id))
  const entries = lots.flatMap(({ id, remaining, taken, expiresAt }) => {
    const most = id === lot.id ? remaining : Math.min(remaining, moved, (renewed.get(id) ?? 0) - taken)
    const amount = paise(Math.max(0, Math.min(most, credit)))
    credit -= amount
    if (id !== lot.id) moved -= amount
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
  const ended = await tx.rows(sql(() => z.object({ lotId: z.string(), amount: z.number() }))`
    update wallet_deductions set returned_at = ${now}
     where user_id = ${userId} and lot_id = any(${lotIds}::uuid[]) and returned_at is null
    returning lot_id, amount_paise as amount`)
  if (ended.length === 0) return
  const entries = ended.map(({ lotId, amount }) => ({ lotId, amount: paise(amount), expiresAt: null }))
  await post(tx, [{ id: newId(), userId, ...DUE.return, now, entries }])
}

const LotRow = z.object({
  id: z.string(),
  remaining: z.number(),
  expiresAt: z.nullable(z.date()),
  taken: z.number(),
  money: z.number(),
})

/** What is left of lots, what earlier reversals of the top-up took from them, and how much of that was paid money. */
function readLots(
  tx: Transaction,
  ids: readonly string[],
  topupId: string | undefined,
): Promise<z.output<typeof LotRow>[]> {
  return tx.rows(sql(LotRow)`
    select lot.id, remaining_paise as remaining, lot.expires_at, coalesce(-sum(entry.amount_paise), 0)::bigint as taken,
           coalesce(-sum(entry.amount_paise) filter (where entry.account = ${ACCOUNT.reversal}), 0)::bigint as money
      from wallet_lots lot
      left join (wallet_movements movement join wallet_entries entry on entry.movement_id = movement.id)
        on movement.user_id = lot.user_id and movement.topup_id = ${topupId ?? null} and movement.kind = 'reversal'
           and entry.lot_id = lot.id
     where lot.id = any(${ids}::uuid[])
     group by lot.id order by lot.id`)
}
