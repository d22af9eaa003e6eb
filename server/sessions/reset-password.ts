import { endLasting } from '../admins/lasting-access.ts'
import { Refusal } from '../../contract/errors.ts'
import { hashToken } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import type { Call } from '../platform/http/http.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { lockAccount, setPassword } from '../users/access/accounts.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { findResetLink } from '../users/access/reset-links.ts'
import { readSiteName } from '../settings/site-name.ts'
import { lockWallet } from '../wallet/ledger.ts'

/**
 * Sets a new password with the secret of a reset link, and ends every session of the account. The device lock
 * stays, because the link proves less than the device does.
 * @throws Refusal RESET_LINK_INVALID, or INVALID_INPUT for a guessable password
 */
export async function resetPassword(
  { db, events }: Services,
  { token, newPassword }: { token: string; newPassword: string },
  { now, turn }: Pick<Call, 'now' | 'turn'>,
): Promise<{ message: string }> {
  const tokenHash = hashToken(token)
  const link = await findResetLink(db, tokenHash, now)
  if (!link) throw new Refusal('RESET_LINK_INVALID')
  refuseGuessable(newPassword, { field: 'newPassword', names: [link.username, await readSiteName(db)] })
  const passwordHash = await hashPassword(newPassword, turn)
  await db.transaction(async (tx) => {
    // Nothing is bought with a token after the answer
    await lockWallet(tx, link.userId, now)
    const account = await lockAccount(tx, link.userId)
    // Checks again under the lock, so that one of two uses at the same moment counts
    if (!account || !(await findResetLink(tx, tokenHash, now))) throw new Refusal('RESET_LINK_INVALID')
    await setPassword(tx, account.id, passwordHash)
    enqueue(tx, { kind: 'account.password-changed', userId: account.id, now })
    await endLasting(tx, 'buyer', { id: account.id, now })
  })
  events.publish({ to: { user: link.userId }, name: 'session-ended' })
  return { message: 'Password changed. Please log in.' }
}
