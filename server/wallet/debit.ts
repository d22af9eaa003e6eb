/** Debits of a wallet that is locked in the caller's transaction. */
import { Refusal } from '../../contract/errors.ts'
import { add, negate, paise, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Cause } from './credit.ts'
import { openLots, post, splitAcrossLots } from './ledger.ts'

interface Debit extends Cause {
  kind: 'admin_debit' | 'reversal'
  /** Above zero. */
  amount: Paise
  /** The moment when the deduction expires and the amount returns; null for never. */
  endsAt: Date | null
}

/**
 * Sums the amounts that will return to the wallet from expiring deductions. The wallet must be locked in this
 * transaction.
 */
export async function creditDue(tx: Transaction, userId: string): Promise<Paise> {
  const due = await tx.count(sql`
    select coalesce(sum(amount_paise), 0)::bigint
      from wallet_deductions where user_id = ${userId} and returned_at is null`)
  return paise(due)
}

/**
 * Posts a debit, from the credit that expires soonest.
 * @returns the movement's id
 * @throws Refusal INSUFFICIENT_BALANCE with the shortfall in rupees; nothing is kept
 */
export async function debit(tx: Transaction, { amount, endsAt, ...cause }: Debit): Promise<string> {
  const { userId } = cause
  const lots = await openLots(tx, [userId], cause.now)
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
