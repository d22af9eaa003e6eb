import { Refusal } from '../../contract/errors.ts'
import { RESET_LINK_LASTS_MS } from '../../contract/limits.ts'
import { audit } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import { lockAccount } from './accounts.ts'
import { insertResetLink } from './reset-links.ts'

/**
 * Makes a link for a user who has forgotten the password. The secret stands behind the #, which browsers send
 * to nobody: no log of this store or of a proxy ever holds it.
 * Whoever holds it holds the user's wallet, so it is asked for twice.
 * @throws Refusal STEP_UP_REQUIRED, or NOT_FOUND
 */
export async function issueResetLink(
  db: Database,
  id: string,
  by: Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent' | 'requireProof'>,
): Promise<{ message: string; link: string; expiresAt: string }> {
  by.requireProof()
  const token = newToken()
  const expiresAt = new Date(by.now.getTime() + RESET_LINK_LASTS_MS)
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    await insertResetLink(tx, { tokenHash: hashToken(token), userId: id, adminId: by.admin.id, now: by.now, expiresAt })
    await audit(tx, by, { action: 'user.reset-link', subject: `${account.username} (${id})`, after: { expiresAt } })
  })
  return {
    message: 'Send this link only to the user. It works once, within 30 minutes.',
    link: `/reset-password#${token}`,
    expiresAt: expiresAt.toISOString(),
  }
}
