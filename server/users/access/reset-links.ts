/** Password reset links. An admin passes them on, or the store mails them to a confirmed address. */
import * as z from 'zod/mini'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'

const ResetLink = z.object({ userId: z.string(), username: z.string() })

/** @returns its user; undefined for a link that was used, is too old, or never existed */
export function findResetLink(
  db: Queries,
  tokenHash: Buffer,
  now: Date,
): Promise<z.output<typeof ResetLink> | undefined> {
  return db.maybe(sql(ResetLink)`
    select users.id as user_id, users.username
      from password_resets link join users on users.id = link.user_id and users.deleted_at is null
                                  and users.blocked_at is null
     where link.token_hash = ${tokenHash} and link.used_at is null and link.expires_at > ${now}`)
}

interface NewResetLink {
  tokenHash: Buffer
  userId: string
  /** Null for a link that the buyer asked for by e-mail. */
  adminId: string | null
  now: Date
  expiresAt: Date
}

/**
 * Makes a link the user's only one. The account must be locked in this transaction. A link that is there starts again,
 * for a mail that is repeated.
 * @returns false for a link that was used, or that a newer one replaced
 */
export async function insertResetLink(tx: Transaction, link: NewResetLink): Promise<boolean> {
  const { tokenHash, userId, adminId, now, expiresAt } = link
  const isOver = await tx.maybe(
    sql(() => z.object({}))`select from password_resets where token_hash = ${tokenHash} and used_at is not null`,
  )
  if (isOver) return false
  await tx.run(sql`
    update password_resets set used_at = ${now}
     where user_id = ${userId} and used_at is null and token_hash <> ${tokenHash}`)
  await tx.run(sql`
    insert into password_resets (token_hash, user_id, admin_id, created_at, expires_at)
    values (${tokenHash}, ${userId}, ${adminId}, ${now}, ${expiresAt})
    on conflict (token_hash) do update set expires_at = excluded.expires_at`)
  return true
}

/** Ends every reset link of a user. The account must be locked in this transaction. */
export async function consumeResetLinks(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.run(sql`update password_resets set used_at = ${now} where user_id = ${userId} and used_at is null`)
}

/** Ends those that an admin has made, for any user. */
export async function consumeLinksMadeBy(tx: Transaction, adminId: string, now: Date): Promise<void> {
  await tx.run(sql`update password_resets set used_at = ${now} where admin_id = ${adminId} and used_at is null`)
}

/** Ends every reset link of every user. */
export async function consumeAllResetLinks(tx: Transaction, now: Date): Promise<void> {
  await tx.run(sql`update password_resets set used_at = ${now} where used_at is null`)
}

/** Deletes links that expired before a moment, used or not. @returns how many */
export function forgetResetLinks(db: Queries, before: Date): Promise<number> {
  return db.run(sql`delete from password_resets where expires_at < ${before}`)
}
