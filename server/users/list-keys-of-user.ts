import * as z from 'zod/mini'
import { PURCHASES_PAGE_SIZE } from '../../contract/limits.ts'
import type { UserKey } from '../../contract/users.ts'
import { endingOf } from '../keys/ending.ts'
import { literal, sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { refuseUnknown } from './access/sessions-of-user.ts'

const Row = z.object({
  id: z.string(),
  sealed: z.instanceof(Buffer),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  orderId: z.string(),
  assignedAt: z.date(),
  expiresAt: z.date(),
})

/**
 * Lists the keys that a user has bought, newest first, under the names at the sale.
 * @throws Refusal NOT_FOUND
 */
export async function listKeysOfUser(
  { db, sealer }: Services,
  { id, limit = PURCHASES_PAGE_SIZE, skip = 0 }: { id: string; limit?: number | undefined; skip?: number | undefined },
  now: Date,
): Promise<{ keys: UserKey[]; total: number }> {
  await refuseUnknown(db, id)
  const owned = sql`orders join license_keys key on key.order_id = orders.id where orders.user_id = ${id}`
  const [rows, { total }] = await Promise.all([
    db.rows(
      Row,
      sql`
      select key.id, key.sealed, orders.product_id as "productId", orders.product_name as "productName",
             orders.duration, key.order_id as "orderId", key.assigned_at as "assignedAt", key.expires_at as "expiresAt"
        from ${owned}
       order by orders.created_at desc, key.seq desc
       limit ${literal(limit)} offset ${skip}`,
    ),
    db.one(z.object({ total: z.number() }), sql`select count(*) as total from ${owned}`),
  ])
  return {
    keys: rows.map(({ id: keyId, sealed, productId, productName, assignedAt, expiresAt, ...row }) => ({
      _id: keyId,
      ending: endingOf(sealer.open(sealed)),
      productId: { _id: productId, name: productName },
      ...row,
      assignedAt: assignedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      isExpired: expiresAt <= now,
    })),
    total,
  }
}
