import * as z from 'zod/mini'
import type { OwnedKey } from '../../contract/keys.ts'
import { literal, sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { mapYielding } from '../platform/map-yielding.ts'

const Row = z.object({
  id: z.string(),
  seq: z.number(),
  sealed: z.instanceof(Buffer),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  assignedAt: z.date(),
  expiresAt: z.date(),
})

const PAGE_ROWS = 1_000

/** Yields a buyer's keys, newest first, under the names and durations at the sale. */
export async function* listOwnKeys({ db, sealer }: Services, userId: string): AsyncGenerator<OwnedKey> {
  let before = sql`true`
  for (;;) {
    const rows = await db.rows(
      Row,
      sql`
      select key.id, key.seq, key.sealed, orders.product_id as "productId", orders.product_name as "productName",
             orders.duration, key.assigned_at as "assignedAt", key.expires_at as "expiresAt"
        from license_keys key
        join orders on orders.id = key.order_id
       where key.assigned_to = ${userId} and key.order_id is not null and ${before}
       order by key.assigned_at desc, key.seq desc
       limit ${literal(PAGE_ROWS)}`,
    )
    yield* await mapYielding(rows, ({ id, sealed, productId, productName, duration, assignedAt, expiresAt }) => ({
      _id: id,
      key: sealer.open(sealed),
      productId: { _id: productId, name: productName },
      duration,
      assignedAt: assignedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    before = sql`(key.assigned_at, key.seq) < (${last.assignedAt}::timestamptz, ${last.seq}::bigint)`
  }
}
