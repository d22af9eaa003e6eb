import { Refusal } from '../../../contract/errors.ts'
import { RESET_LINK_LASTS_MS } from '../../../contract/limits.ts'
import { audit, type ProvingBy } from '../../audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { noteOpening } from './account-openings.ts'
import { lockAccount } from './accounts.ts'
import { insertResetLink } from './reset-links.ts'

/**
 * Creates a password reset link. The secret comes after the #, which browsers never send, so no log of this store
 * or of a proxy has it. It asks for step-up, because the link opens the user's wallet.
 * @throws Refusal STEP_UP_REQUIRED, USER_BLOCKED, NOT_FOUND, or FORBIDDEN_ROLE within a day of a device lock reset
 */
export async function issueResetLink(
  db: Database,
  id: string,
  by: ProvingBy,
): Promise<{ message: string; link: string; expiresAt: string }> {
  by.requireProof()
  const token = newToken()
  const expiresAt = new Date(by.now.getTime() + RESET_LINK_LASTS_MS)
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    if (account.blockedReason !== null)
      throw new Refusal('USER_BLOCKED', { details: { reason: account.blockedReason } })
    await noteOpening(tx, { userId: id, how: 'reset-link', admin: by.admin, now: by.now })
    await insertResetLink(tx, { tokenHash: hashToken(token), userId: id, adminId: by.admin.id, now: by.now, expiresAt })
    await audit(tx, by, { action: 'user.reset-link', subject: `${account.username} (${id})`, after: { expiresAt } })
  })
  return {
    message: 'Send this link only to the user. It works once, within 30 minutes.',
    link: `/reset-password#${token}`,
    expiresAt: expiresAt.toISOString(),
  }
}
