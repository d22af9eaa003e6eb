/**
 * Amounts that admins with two-step verification have moved without step-up. They are added up for a day over all
 * sessions, so that many small changes of a stolen session count as a large one.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { STEP_UP_COUNTS_FOR_MS } from '../../contract/limits.ts'
import type { Paise } from '../../contract/money.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'

const Allowed = z.object({ isAllowed: z.boolean() })

/**
 * Counts an amount (paise, above zero) of an admin whose session has no recent step-up.
 * @throws Refusal STEP_UP_REQUIRED when the day's amounts would go above the store's limit
 */
export async function consumeStepUpAllowance(
  tx: Transaction,
  adminId: string,
  amount: Paise,
  now: Date,
): Promise<void> {
  // Counts one after the other, at all nodes and for all wallets, because each must see the amount before it
  await tx.run(sql`select from admins where id = ${adminId} for no key update`)
  const { isAllowed } = await tx.one(
    Allowed,
    sql`
    select ${amount} + coalesce(sum(amount_paise), 0)
             <= coalesce((select step_up_above_paise from settings), 1000000) as "isAllowed"
      from unproven_adjustments
     where admin_id = ${adminId} and created_at > ${countedSince(now)}`,
  )
  if (!isAllowed) throw new Refusal('STEP_UP_REQUIRED')
  await tx.run(sql`
    insert into unproven_adjustments (admin_id, amount_paise, created_at) values (${adminId}, ${amount}, ${now})`)
}

/** Deletes amounts that no longer count. @returns how many */
export function forgetUnproven(db: Queries, now: Date): Promise<number> {
  return db.run(sql`delete from unproven_adjustments where created_at <= ${countedSince(now)}`)
}

const countedSince = (now: Date): Date => new Date(now.getTime() - STEP_UP_COUNTS_FOR_MS)
