/** Takes back the credit of a top-up whose money was not the buyer's. */
import * as z from 'zod/mini'
import { add, negate, paise, ZERO, type Paise } from '../../contract/money.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { ACCOUNT, post } from './ledger.ts'

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
 * Posts what is left of the top-up's lot as a reversal. The wallet must be locked in this transaction.
 * @returns what was taken, in paise
 */
export async function reverseTopUp(tx: Transaction, { paid, ...cause }: Reversal): Promise<Paise> {
  const lot = await tx.maybe(
    z.object({ id: z.string(), remaining: z.number(), expiresAt: z.nullable(z.date()) }),
    sql`
    select lot.id, lot.remaining_paise as remaining, lot.expires_at
      from wallet_lots lot join wallet_movements movement on movement.id = lot.movement_id
     where movement.topup_id = ${cause.topupId} and movement.kind = 'topup'`,
  )
  const left = paise(lot?.remaining ?? 0)
  if (!lot || left === ZERO) return ZERO
  const money = paise(Math.min(left, paid))
  const entries = [
    { account: ACCOUNT.reversal, amount: negate(money) },
    { account: ACCOUNT.referral_reward, amount: negate(add(left, negate(money))) },
  ]
    .filter((part) => part.amount !== 0)
    .map((part) => ({ ...part, lotId: lot.id, expiresAt: lot.expiresAt }))
  await post(tx, [{ ...cause, id: newId(), kind: 'reversal', entries }])
  return left
}
