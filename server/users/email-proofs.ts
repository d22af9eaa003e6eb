/** Shows that a buyer reads the mail of their address. Only then is a link to a new password sent there. */
import * as z from 'zod/mini'
import { DAY_MS } from '../../contract/time.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'
import { hashToken } from '../platform/ids.ts'

const PROOF_LASTS_MS = 3 * DAY_MS

/**
 * Lets a secret prove the user's current address. A mail that is repeated has the same one.
 * @returns false if the address is proven already, or the secret was used or was for another address
 */
export async function makeEmailProof(db: Queries, token: string, userId: string, now: Date): Promise<boolean> {
  const made = await db.run(sql`
    insert into email_proofs (token_hash, user_id, email, created_at, expires_at)
    select ${hashToken(token)}, id, email, ${now}, ${new Date(now.getTime() + PROOF_LASTS_MS)}
      from users where id = ${userId} and email_proven_at is null and deleted_at is null
    on conflict (token_hash) do update set expires_at = excluded.expires_at
     where email_proofs.used_at is null and email_proofs.email = excluded.email`)
  return made === 1
}

/**
 * A link that was used says so of an address that it has proven: the answer to its first use may be lost.
 * @returns false for a link that is too old, or is for another address than the user's
 */
export async function proveEmail(tx: Transaction, token: string, now: Date): Promise<boolean> {
  const used = await tx.maybe(sql(() => z.object({ userId: z.string(), email: z.string() }))`
    update email_proofs proof set used_at = coalesce(used_at, ${now})
     where token_hash = ${hashToken(token)} and expires_at > ${now}
       and (used_at is null or exists (select from users where id = proof.user_id and email_proven_at is not null))
    returning user_id, email`)
  if (!used) return false
  const proven = await tx.run(sql`
    update users set email_proven_at = coalesce(email_proven_at, ${now})
     where id = ${used.userId} and lower(email) = lower(${used.email}) and deleted_at is null`)
  return proven === 1
}

/** Erases a buyer's links of confirmation, because they hold the address. */
export async function eraseEmailProofs(tx: Transaction, userId: string): Promise<void> {
  await tx.run(sql`delete from email_proofs where user_id = ${userId}`)
}

/** Deletes links that ended before a moment. @returns how many */
export function forgetEmailProofs(db: Queries, before: Date): Promise<number> {
  return db.run(sql`delete from email_proofs where expires_at < ${before}`)
}
