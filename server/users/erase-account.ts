import { randomBytes } from 'node:crypto'
import { erasePayer } from '../payments/leaving-buyer.ts'
import { eraseClaimNotes, withdrawAllClaims } from '../claims/open-claim.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { forgetRenewals } from '../renewals/own-renewals.ts'
import { freeDevice } from './access/accounts.ts'
import { eraseEmailProofs } from './email-proofs.ts'
import { consumeResetLinks } from './access/reset-links.ts'
import { endTokens, eraseTokens } from './access/tokens.ts'
import { endUserSessions, eraseTraces } from './access/user-sessions.ts'

/** The admin who closes the account. None if its owner asked for it and the time to undo has passed. */
interface By extends Pick<Call, 'admin' | 'now' | 'address' | 'userAgent'> {
  action: 'user.remove' | 'user.closed'
  /** Further facts for the audit log. */
  after?: Record<string, unknown>
}

/**
 * Erases an account. Data that money and sales records need stays, under a pseudonym. Data about the person goes,
 * and the name and e-mail can be used again. Wallet and account must be locked in this transaction.
 */
export async function eraseAccount(tx: Transaction, id: string, { action, after, ...by }: By): Promise<void> {
  const pseudonym = `deleted-${randomBytes(6).toString('hex')}`
  await endUserSessions(tx, id, 'closed', by.now)
  await eraseTraces(tx, id)
  await endTokens(tx, id, by.now)
  await eraseTokens(tx, id)
  await freeDevice(tx, id)
  await consumeResetLinks(tx, id, by.now)
  await erasePayer(tx, id)
  await withdrawAllClaims(tx, { userId: id, now: by.now })
  await eraseClaimNotes(tx, id)
  await eraseEmailProofs(tx, id)
  await forgetRenewals(tx, id)
  await tx.run(sql`delete from custom_prices where user_id = ${id}`)
  await tx.run(sql`delete from hidden_products where user_id = ${id}`)
  await tx.run(sql`
    update users
       set username = ${pseudonym}, email = ${`${pseudonym}@invalid`}, password_hash = '', name_skeleton = null,
           blocked_at = null, blocked_reason = null, language = null, is_reseller = false,
           group_id = null, group_by = 'spend', deleted_at = ${by.now}
     where id = ${id}`)
  // Uses the pseudonym, because the log outlives the account
  await audit(tx, by, { action, subject: `${pseudonym} (${id})`, ...(after && { after }) })
}
