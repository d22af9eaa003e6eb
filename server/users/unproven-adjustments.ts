/**
 * What admins who can be asked for a new proof have added to wallets and taken from them without one. It is added up for a
 * day, over all their sessions, so that whoever holds a stolen one moves no more by many small changes than by a large one.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { STEP_UP_COUNTS_FOR_MS } from '../../contract/limits.ts'
import type { Paise } from '../../contract/money.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'

const Allowed = z.object({ isAllowed: z.boolean() })

/**
 * Counts an amount (paise, above zero) of an admin whose session has proven nothing of late.
 * @throws Refusal STEP_UP_REQUIRED when the day's amounts would come to more than the store lets pass
 */
export async function consumeStepUpAllowance(
  tx: Transaction,
  adminId: string,
  amount: Paise,
  now: Date,
): Promise<void> {
  // One after the other, also for different wallets and at different nodes: each has to see what the one before it took
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

/** Forgets what counts no more. @returns how many */
export function forgetUnproven(db: Queries, now: Date): Promise<number> {
  return db.run(sql`delete from unproven_adjustments where created_at <= ${countedSince(now)}`)
}

const countedSince = (now: Date): Date => new Date(now.getTime() - STEP_UP_COUNTS_FOR_MS)
