import { Refusal } from '../../contract/errors.ts'
import type { AdminUser } from '../../contract/users.ts'
import { audit, type By } from '../audit/audit.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { lockAccount, setBlocked } from './access/accounts.ts'
import { readAdminUsers } from './user-rows.ts'
import { consumeResetLinks } from './access/reset-links.ts'
import { endUserSessions } from './access/user-sessions.ts'

/**
 * Keeps a buyer out: no session, login or reset link works. Wallet, keys and pending requests stay.
 * @param reason the buyer reads it; null lets the buyer in again
 * @throws Refusal NOT_FOUND
 */
export async function blockUser(
  { db, events }: Services,
  { id, reason }: { id: string; reason: string | null },
  by: By,
): Promise<AdminUser> {
  await db.transaction(async (tx) => {
    // A purchase or request that came first is whole, and a later one finds the account blocked
    await lockWallet(tx, id, by.now)
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    await (reason === null ? letIn(tx, id) : keepOut(tx, id, reason, by.now))
    await audit(tx, by, {
      action: reason === null ? 'user.unblock' : 'user.block',
      subject: `${account.username} (${id})`,
      before: { blocked: account.blockedReason },
      after: { blocked: reason },
    })
  })
  if (reason !== null) events.publish({ to: { user: id }, name: 'session-ended' })
  const [user] = await readAdminUsers(db, [id], by.now)
  if (!user) throw new Refusal('NOT_FOUND')
  return user
}

/**
 * Blocks an account, and ends what would let its buyer in. Wallet and account must be locked in this transaction.
 * @param reason the buyer reads it
 */
export async function keepOut(tx: Transaction, id: string, reason: string, now: Date): Promise<void> {
  await setBlocked(tx, id, { reason, at: now })
  await endUserSessions(tx, id, 'admin', now)
  await consumeResetLinks(tx, id, now)
}

/** Ends a block. The account must be locked in this transaction. */
export const letIn = (tx: Transaction, id: string): Promise<void> => setBlocked(tx, id, null)
