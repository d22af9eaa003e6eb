import * as z from 'zod/mini'
import { PURCHASES_PAGE_SIZE } from '../../contract/limits.ts'
import { UserKey } from '../../contract/users.ts'
import { endingOf } from '../keys/ending.ts'
import { literal, sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { refuseUnknown } from './access/sessions-of-user.ts'

const Row = z.extend(z.omit(UserKey, { ending: true }), {
  productId: z.string(),
  productName: z.string(),
  sealed: z.instanceof(Buffer),
})

/** Lists the keys that a user has bought, newest first, under the names at the sale. @throws Refusal NOT_FOUND */
export async function listKeysOfUser(
  { db, sealer }: Services,
  { id, limit = PURCHASES_PAGE_SIZE, skip = 0 }: { id: string; limit?: number | undefined; skip?: number | undefined },
  now: Date,
): Promise<{ keys: UserKey[]; total: number }> {
  await refuseUnknown(db, id)
  const owned = sql`orders join license_keys key on key.order_id = orders.id where orders.user_id = ${id}`
  const [rows, total] = await Promise.all([
    db.rows(sql(Row)`
      select key.id as _id, key.sealed, orders.product_id, orders.product_name, orders.duration, key.order_id,
             key.assigned_at, key.expires_at, key.expires_at <= ${now} as is_expired
        from ${owned}
       order by orders.created_at desc, key.seq desc
       limit ${literal(limit)} offset ${skip}`),
    db.count(sql`select count(*) from ${owned}`),
  ])
  return {
    keys: rows.map(({ sealed, productId, productName, ...key }) => ({
      ...key,
      ending: endingOf(sealer.open('key', key._id, sealed)),
      productId: { _id: productId, name: productName },
    })),
    total,
  }
}
