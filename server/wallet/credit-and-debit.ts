/** Credits and debits of one wallet. Every function here needs the wallet locked in the caller's transaction. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { add, negate, paise, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Allowance } from './allowance.ts'
import { ACCOUNT, openLots, post, splitAcrossLots, type Movement } from './ledger.ts'

/** The description and the origin of a movement. */
type Cause = Omit<Movement, 'id' | 'kind' | 'expiresAt' | 'opens' | 'entries'>

interface Credit extends Cause {
  kind: 'topup' | 'admin_credit' | 'referral_reward' | 'refund'
  /** Above zero. */
  amount: Paise
  allowance: Allowance
  /** The bonus, above the paid amount. The account for promotions bears it. */
  promotion?: Paise
  expiresAt: Date | null
}

interface Debit extends Cause {
  kind: 'admin_debit' | 'reversal'
  /** Above zero. */
  amount: Paise
  /** The moment when the deduction expires and the amount returns; null for never. */
  endsAt: Date | null
}

export async function openWallet(tx: Transaction, ...userIds: readonly string[]): Promise<void> {
  await tx.run(sql`insert into wallets (user_id) select unnest(${userIds}::uuid[])`)
}

/**
 * Sums the amounts that will return to the wallet from expiring deductions. The wallet must be locked in this
 * transaction.
 */
export async function creditDue(tx: Transaction, userId: string): Promise<Paise> {
  const { due } = await tx.one(
    z.object({ due: z.number() }),
    sql`
    select coalesce(sum(amount_paise), 0)::bigint as due
      from wallet_deductions where user_id = ${userId} and returned_at is null`,
  )
  return paise(due)
}

/** Adds a lot of credit. @returns the movement's id */
export function credit(tx: Transaction, wanted: Credit): string {
  const [id = ''] = creditAll(tx, [wanted])
  return id
}

/** Adds a lot of credit for each, in their order. The commit fails if that fails. @returns the movements' ids */
export function creditAll(tx: Transaction, credits: readonly Credit[]): string[] {
  const movements = credits.map(({ amount, allowance, promotion = ZERO, ...cause }): Movement => {
    if (amount > allowance) throw new Error(`A credit of ${amount} paise, and ${allowance} are allowed`)
    const { expiresAt } = cause
    const lot = { id: newId(), remaining: amount, expiresAt }
    const entries = [
      { account: ACCOUNT[cause.kind], amount: add(amount, negate(promotion)) },
      { account: ACCOUNT.referral_reward, amount: promotion },
    ]
      .filter((part) => part.amount !== 0)
      .map((part) => ({ ...part, lotId: lot.id, expiresAt }))
    return { ...cause, id: newId(cause.now), opens: lot, entries }
  })
  void post(tx, movements)
  return movements.map(({ id }) => id)
}

/**
 * Posts a debit, from the credit that expires soonest.
 * @returns the movement's id
 * @throws Refusal INSUFFICIENT_BALANCE with the shortfall in rupees; nothing is kept
 */
export async function debit(tx: Transaction, { amount, endsAt, ...cause }: Debit): Promise<string> {
  const { userId } = cause
  const lots = (await openLots(tx, [userId], cause.now)).get(userId) ?? []
  const available = add(ZERO, ...lots.map((lot) => lot.remaining))
  if (available < amount)
    throw new Refusal('INSUFFICIENT_BALANCE', { details: { shortfall: toRupees(add(amount, negate(available))) } })

  const id = newId(cause.now)
  const shares = splitAcrossLots(lots, amount)
  const entries = shares.map(({ lot, amount }) => ({
    lotId: lot.id,
    amount: negate(amount),
    expiresAt: earlier(lot.expiresAt, endsAt),
  }))
  await post(tx, [{ ...cause, id, expiresAt: endsAt, entries }])
  // Skips lots that expire by then, because nothing can return to them
  const returning = shares
    .filter(({ lot }) => endsAt && (lot.expiresAt === null || endsAt < lot.expiresAt))
    .map(({ lot, amount }) => ({ id: newId(), lotId: lot.id, amount }))
  await tx.run(sql`
    insert into wallet_deductions (id, user_id, lot_id, movement_id, amount_paise, lapses_at)
    select id, ${userId}, lot_id, ${id}, amount, ${endsAt}
      from ${columns(returning, 'id uuid, lot_id uuid, amount bigint')} as share`)
  return id
}

/** Returns the sooner of two moments, where null is never. */
export function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null) return b
  if (b === null) return a
  return a < b ? a : b
}
