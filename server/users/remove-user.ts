import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { erasePhones, rejectAllPending } from '../payments/top-ups.ts'
import { audit } from '../platform/audit.ts'
import { sql } from '../platform/database.ts'
import type { Call } from '../platform/http.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { freeDevice, lockAccount } from './accounts.ts'
import { useUpResetLinks } from './reset-links.ts'
import { endUserSessions, eraseTraces } from './user-sessions.ts'

type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'>

/**
 * Closes an account. What money and sales records need stays, under a pseudonym; what is about the person goes,
 * and the name and e-mail are free for a new account. Top-up requests that still wait are rejected.
 * @throws Refusal NOT_FOUND
 */
export async function removeUser({ db, events }: Services, id: string, by: By): Promise<{ message: string }> {
  const pseudonym = `deleted-${randomBytes(6).toString('hex')}`
  const rejected = await db.transaction(async (tx) => {
    // Against a top-up request or a purchase on its way; and in the order of locks everywhere
    await lockWallet(tx, id, by.now)
    if (!(await lockAccount(tx, id))) throw new Refusal('NOT_FOUND')
    await endUserSessions(tx, id, 'closed', by.now)
    await eraseTraces(tx, id)
    await freeDevice(tx, id)
    await useUpResetLinks(tx, id, by.now)
    const ids = await rejectAllPending(tx, id, { adminId: by.admin.id, now: by.now })
    await erasePhones(tx, id)
    await tx.run(sql`delete from custom_prices where user_id = ${id}`)
    await tx.run(sql`delete from hidden_products where user_id = ${id}`)
    await tx.run(sql`
      update users
         set username = ${pseudonym}, email = ${`${pseudonym}@invalid`}, password_hash = '', deleted_at = ${by.now}
       where id = ${id}`)
    // The log outlives the account, so it does not name the person either
    await audit(tx, by, {
      action: 'user.remove',
      subject: `${pseudonym} (${id})`,
      ...(ids.length > 0 && { after: { rejectedRequests: ids } }),
    })
    return ids
  })
  for (const payment of rejected)
    events.publish({ to: 'admins', name: 'payment', data: { id: payment, status: 'rejected' } })
  events.publish({ to: { user: id }, name: 'session-ended' })
  return { message: 'User deleted' }
}
