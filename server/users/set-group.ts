import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { AdminUser, users } from '../../contract/users.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { isCheaper, readOffersTo } from '../catalogue/offers.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { lockAccount } from './access/accounts.ts'
import { gradeBuyer, tellPages } from './grade-buyers.ts'
import { readAdminUsers } from './user-rows.ts'

/**
 * Puts a buyer into a group of buyers, or into none, or where his purchases put him.
 * @throws Refusal NOT_FOUND, or STEP_UP_REQUIRED where the buyer then pays less, because a thief of the session would
 *   join himself
 */
export async function setGroup(
  { db, events }: Services,
  { id, groupId, bySpend }: z.output<(typeof users.setGroup)['input']>,
  by: ProvingBy,
): Promise<AdminUser> {
  await db.transaction(async (tx) => {
    // Its removal locks the group before its members as well
    const wanted = await tx.texts(sql`
      select id from buyer_groups where ${bySpend === true} or id = ${groupId} for key share`)
    if (groupId !== null && wanted.length === 0) throw new Refusal('NOT_FOUND')
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    const before = await auditable(tx, id)
    const offers = await readOffersTo(tx, id)
    if (bySpend) await gradeBuyer(tx, id, by.now)
    else await tx.run(sql`update users set group_id = ${groupId}, group_by = 'hand' where id = ${id}`)
    if (isCheaper(offers, await readOffersTo(tx, id))) by.requireProof()
    await audit(tx, by, {
      action: 'user.group',
      subject: `${account.username} (${id})`,
      before,
      after: await auditable(tx, id),
    })
  })
  tellPages(events, id)
  const [user] = await readAdminUsers(db, [id], by.now)
  if (!user) throw new Refusal('NOT_FOUND')
  return user
}

const Kept = z.object({ group: z.nullable(z.string()), bySpend: z.boolean() })

const auditable = (tx: Transaction, id: string) =>
  tx.one(sql(Kept)`
    select (select name from buyer_groups where id = users.group_id) as "group", group_by = 'spend' as by_spend
      from users where id = ${id}`)
