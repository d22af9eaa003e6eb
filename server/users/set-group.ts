import { Refusal } from '../../contract/errors.ts'
import type { AdminUser } from '../../contract/users.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { isCheaper, readOffersTo } from '../catalogue/offers.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { lockAccount } from './access/accounts.ts'
import { readAdminUsers } from './user-rows.ts'

/**
 * Puts a buyer into a group of buyers, or into none.
 * @throws Refusal NOT_FOUND, or STEP_UP_REQUIRED where the buyer then pays less, because a thief of the session would
 *   join himself
 */
export async function setGroup(
  { db, events }: Services,
  { id, groupId }: { id: string; groupId: string | null },
  by: ProvingBy,
): Promise<AdminUser> {
  await db.transaction(async (tx) => {
    // Its removal locks the group before its members as well
    const after =
      groupId === null ? null : await tx.text(sql`select name from buyer_groups where id = ${groupId} for key share`)
    if (after === undefined) throw new Refusal('NOT_FOUND')
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    const before = await tx.text(sql`
      select buyers.name from users join buyer_groups buyers on buyers.id = users.group_id where users.id = ${id}`)
    const offers = await readOffersTo(tx, id)
    await tx.run(sql`update users set group_id = ${groupId} where id = ${id}`)
    if (isCheaper(offers, await readOffersTo(tx, id))) by.requireProof()
    await audit(tx, by, {
      action: 'user.group',
      subject: `${account.username} (${id})`,
      before: { group: before ?? null },
      after: { group: after },
    })
  })
  events.publish({ to: { user: id }, name: 'balance' })
  events.publish({ to: { user: id }, name: 'stock' })
  const [user] = await readAdminUsers(db, [id], by.now)
  if (!user) throw new Refusal('NOT_FOUND')
  return user
}
