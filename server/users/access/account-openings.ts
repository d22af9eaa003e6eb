/**
 * What admins do to open a buyer's account. A reset link gives the password and an unlocked device the way in, so both
 * together would let one helper buy with a buyer's money. Within a day that takes an owner.
 */
import * as z from 'zod/mini'
import type { AdminRole } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { LET_IN_MARKED_MS, OPENINGS_APART_MS } from '../../../contract/limits.ts'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'

const LastLink = z.object({ at: z.nullable(z.date()) })

type How = 'reset-link' | 'unlock'

interface Opening {
  userId: string
  how: How
  admin: { id: string; role: AdminRole }
  now: Date
}

/**
 * Notes an opening. The account must be locked in this transaction.
 * @throws Refusal FORBIDDEN_ROLE for the second half within a day of the first, by any admin. Owners may do both
 */
export async function noteOpening(tx: Transaction, { userId, how, admin, now }: Opening): Promise<void> {
  const isOtherHalf = await tx.holds(sql`
    select exists (select from account_openings
                    where user_id = ${userId} and how <> ${how} and created_at > ${since(now, OPENINGS_APART_MS)})`)
  if (isOtherHalf && admin.role !== 'owner')
    throw new Refusal('FORBIDDEN_ROLE', {
      message:
        'A password link and a device lock reset within 24 hours let anybody into this account. Ask the store owner.',
    })
  await tx.run(sql`
    insert into account_openings (user_id, admin_id, how, created_at) values (${userId}, ${admin.id}, ${how}, ${now})`)
}

/** @returns when an admin last made a password link for the account, of those within a day; null if none */
export async function lastResetLink(tx: Transaction, userId: string, now: Date): Promise<Date | null> {
  const { at } = await tx.one(sql(LastLink)`
    select max(created_at) as at from account_openings
     where user_id = ${userId} and how = 'reset-link' and created_at > ${since(now, OPENINGS_APART_MS)}`)
  return at
}

/** Notes an unknown device that takes the lock after an opening. Call it before its session opens. */
export async function noteLetIn(tx: Transaction, userId: string, deviceHash: Buffer, now: Date): Promise<void> {
  await tx.run(sql`
    update account_openings set let_in_at = ${now}
     where user_id = ${userId} and let_in_at is null and created_at > ${since(now, LET_IN_MARKED_MS)}
       and not exists (select from user_sessions where user_id = ${userId} and device_hash = ${deviceHash})`)
}

/** Deletes those from before a moment. @returns how many */
export const forgetOpenings = (db: Queries, before: Date): Promise<number> =>
  db.run(sql`delete from account_openings where created_at < ${before}`)

const since = (now: Date, ms: number) => new Date(now.getTime() - ms)
