import { Refusal } from '../../contract/errors.ts'
import type { AdminUser } from '../../contract/users.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { lockAccount } from './access/accounts.ts'
import { endTokens } from './access/tokens.ts'
import { readAdminUsers } from './user-rows.ts'

/**
 * Lets a buyer make tokens for programs, or stops all of them. Nothing is bought with a stopped one after the answer.
 * @throws Refusal STEP_UP_REQUIRED or NOT_FOUND
 */
export async function setReseller(
  { db, events }: Services,
  { id, on, endTokens: ends = false }: { id: string; on: boolean; endTokens?: boolean | undefined },
  by: ProvingBy,
): Promise<AdminUser> {
  by.requireProof()
  await db.transaction(async (tx) => {
    // A purchase that came first is whole, and a later one finds the token stopped
    await lockWallet(tx, id, by.now)
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    const was = await tx.holds(sql`select is_reseller from users where id = ${id}`)
    await tx.run(sql`update users set is_reseller = ${on} where id = ${id}`)
    const endedTokens = ends ? await endTokens(tx, id, by.now) : 0
    await audit(tx, by, {
      action: 'user.reseller',
      subject: `${account.username} (${id})`,
      before: { reseller: was },
      after: { reseller: on, ...(ends && { endedTokens }) },
    })
  })
  events.publish({ to: { user: id }, name: 'balance' })
  const [user] = await readAdminUsers(db, [id], by.now)
  if (!user) throw new Refusal('NOT_FOUND')
  return user
}
