/**
 * Who may turn how much into credit, or give it away as keys. What admins credit, promise, replace or deduct without a
 * step-up is added up for a day over all their sessions, so that many small amounts of a stolen session count as a
 * large one.
 * For roles that do not answer for money that sum is a ceiling, because their own step-up guards against thieves of
 * the session and not against the admin.
 *
 * `credit` and `creditAll` take no amount without an allowance, so a new way to credit can't forget the rule.
 */
import { answersForMoney, type AdminRole } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { STEP_UP_COUNTS_FOR_MS } from '../../contract/limits.ts'
import { paise, type Paise } from '../../contract/money.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'

declare const allowed: unique symbol
/** The most (paise) that a credit may be. Only `allowCredit` and `allowedBefore` make one. */
export type Allowance = Paise & { readonly [allowed]: true }

interface Asking {
  /** Null for the store's own rules, which are saved with a step-up and have limits of their own. */
  admin: { id: string; role: AdminRole } | null
  /** True after a recent step-up. */
  isProven: boolean
  requireProof: () => void
  now: Date
}

/**
 * Counts an amount (paise, from zero) of an admin whose session has no recent step-up, or whose role has a ceiling.
 * Call it after locking the wallet and before locking a top-up request or a bank credit, because it locks the admin's
 * account.
 * @throws Refusal STEP_UP_REQUIRED when the day's amounts would go above the store's limit, or DAY_LIMIT where a
 *   step-up would not help
 */
export async function allowCredit(
  tx: Transaction,
  { admin, isProven, requireProof, now }: Asking,
  amount: Paise,
): Promise<Allowance> {
  if (!admin || amount === 0) return amount as Allowance
  const isBounded = !answersForMoney(admin.role)
  if (isBounded || !isProven) {
    const isWithin = await count(tx, admin.id, amount, now)
    if (!isWithin && isBounded) throw new Refusal('DAY_LIMIT')
    if (!isWithin) requireProof()
  }
  return amount as Allowance
}

/** For credit that an admin was allowed to promise when saving what it follows from. */
export const allowedBefore = (amount: Paise): Allowance => amount as Allowance

/** Credit that follows from what an admin saves, with no further decision. */
interface Promised {
  each: Paise
  /** How often it may follow; Infinity for without limit. */
  uses: number
}

/**
 * Counts what a change promises above what was promised before: in all, and to those who still get it. Otherwise one
 * large reward could be made of any number of small ones.
 * @throws Refusal STEP_UP_REQUIRED for too much in a day, or for more without limit
 */
export async function allowPromise(tx: Transaction, by: Asking, before: Promised, after: Promised): Promise<void> {
  if (sum(after) <= sum(before) && after.each <= before.each) return
  const more = Math.max(sum(after) - sum(before), (after.each - before.each) * after.uses)
  if (Number.isSafeInteger(more)) await allowCredit(tx, by, paise(more))
  else by.requireProof()
}

const sum = ({ each, uses }: Promised): number => (each > 0 ? each * uses : 0)

/** @returns false if the day's amounts are now above the store's limit */
async function count(tx: Transaction, adminId: string, amount: Paise, now: Date): Promise<boolean> {
  // Counts one after the other, at all nodes and for all wallets, because each must see the amount before it
  await tx.run(sql`select from admins where id = ${adminId} for no key update`)
  const isAllowed = await tx.holds(sql`
    select ${amount} + coalesce(sum(amount_paise), 0)
             <= coalesce((select step_up_above_paise from settings), 1000000)
      from unproven_adjustments
     where admin_id = ${adminId} and created_at > ${countedSince(now)}`)
  await tx.run(sql`
    insert into unproven_adjustments (admin_id, amount_paise, created_at) values (${adminId}, ${amount}, ${now})`)
  return isAllowed
}

/** Deletes amounts that no longer count. @returns how many */
export function forgetUnproven(db: Queries, now: Date): Promise<number> {
  return db.run(sql`delete from unproven_adjustments where created_at <= ${countedSince(now)}`)
}

const countedSince = (now: Date): Date => new Date(now.getTime() - STEP_UP_COUNTS_FOR_MS)
