import { randomBytes } from 'node:crypto'
import { erasePayer } from '../payments/top-ups.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { freeDevice } from './accounts.ts'
import { consumeResetLinks } from './reset-links.ts'
import { endUserSessions, eraseTraces } from './user-sessions.ts'

/** Who closes it; nobody, when it was its owner who asked and the time to undo has passed. */
interface By extends Pick<Call, 'admin' | 'now' | 'address' | 'userAgent'> {
  action: 'user.remove' | 'user.closed'
  /** What else came of it. */
  after?: Record<string, unknown>
}

/**
 * Erases an account. What money and sales records need stays, under a pseudonym; what is about the person goes, and
 * the name and e-mail are free for a new account. Wallet and account must be locked in this transaction.
 */
export async function eraseAccount(tx: Transaction, id: string, { action, after, ...by }: By): Promise<void> {
  const pseudonym = `deleted-${randomBytes(6).toString('hex')}`
  await endUserSessions(tx, id, 'closed', by.now)
  await eraseTraces(tx, id)
  await freeDevice(tx, id)
  await consumeResetLinks(tx, id, by.now)
  await erasePayer(tx, id)
  await tx.run(sql`delete from custom_prices where user_id = ${id}`)
  await tx.run(sql`delete from hidden_products where user_id = ${id}`)
  await tx.run(sql`
    update users
       set username = ${pseudonym}, email = ${`${pseudonym}@invalid`}, password_hash = '', name_skeleton = null,
           deleted_at = ${by.now}
     where id = ${id}`)
  // The log outlives the account, so it does not name the person either
  await audit(tx, by, { action, subject: `${pseudonym} (${id})`, ...(after && { after }) })
}
