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
  soldAt: z.date(),
  assignedAt: z.date(),
  expiresAt: z.date(),
  instructions: z.string(),
  downloadUrl: z.string(),
  state: z.nullable(z.enum(['replaced', 'refunded'])),
  replaces: z.nullable(z.string()),
})

const PAGE_ROWS = 1_000

/**
 * Yields a buyer's keys, newest first, under the names and durations at the sale. How to use them is in today's words
 * of the product, so that a changed link helps all who bought.
 */
export async function* listOwnKeys({ db, sealer }: Services, userId: string, now: Date): AsyncGenerator<OwnedKey> {
  let before = sql`true`
  for (;;) {
    const rows = await db.rows(
      Row,
      sql`
      select key.id, key.seq, key.sealed, orders.product_id as "productId", orders.product_name as "productName",
             orders.duration, orders.created_at as "soldAt", key.assigned_at as "assignedAt",
             key.expires_at as "expiresAt", key.replaces,
             (select status from key_claims where key_id = key.id and status in ('replaced', 'refunded')) as state,
             product.instructions, product.download_url as "downloadUrl"
        from orders
        join license_keys key on key.order_id = orders.id
        join products product on product.id = orders.product_id
       where orders.user_id = ${userId} and ${before}
       order by orders.created_at desc, key.seq desc
       limit ${literal(PAGE_ROWS)}`,
    )
    yield* await mapYielding(rows, (row) => ({
      _id: row.id,
      key: sealer.open(row.sealed),
      productId: { _id: row.productId, name: row.productName },
      duration: row.duration,
      assignedAt: row.assignedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      ...(row.expiresAt > now && {
        ...(row.instructions !== '' && { instructions: row.instructions }),
        ...(row.downloadUrl !== '' && { downloadUrl: row.downloadUrl }),
      }),
      ...(row.state && { state: row.state }),
      ...(row.replaces !== null && { replaces: row.replaces }),
    }))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    before = sql`orders.created_at <= ${last.soldAt}
                 and (orders.created_at, key.seq) < (${last.soldAt}::timestamptz, ${last.seq}::bigint)`
  }
}
