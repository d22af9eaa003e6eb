import * as z from 'zod/mini'
import { OwnedKey } from '../../contract/keys.ts'
import { textInOthers, type OtherTexts } from '../../contract/owner-texts.ts'
import { literal, sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { mapYielding } from '../platform/load/map-yielding.ts'

const Row = z.extend(z.pick(OwnedKey, { _id: true, duration: true, assignedAt: true, expiresAt: true }), {
  seq: z.number(),
  soldAt: z.date(),
  sealed: z.instanceof(Buffer),
  productId: z.string(),
  productName: z.string(),
  instructions: z.string(),
  downloadUrl: z.string(),
  translations: z.custom<OtherTexts<'name' | 'instructions'>>(),
  isRenamed: z.boolean(),
  state: z.nullable(z.enum(['replaced', 'refunded'])),
  replaces: z.nullable(z.string()),
  orderId: z.string(),
})

const PAGE_ROWS = 1_000

/**
 * Yields a buyer's keys, newest first, under the names and durations at the sale. How to use them is in today's words
 * of the product, so that a changed link helps all who bought.
 */
export async function* listOwnKeys({ db, sealer }: Services, userId: string, now: Date): AsyncGenerator<OwnedKey> {
  let before = sql`true`
  for (;;) {
    const rows = await db.rows(sql(Row)`
      select key.id as _id, key.seq, key.sealed, orders.product_id, orders.product_name, orders.duration,
             orders.created_at as sold_at, key.assigned_at, key.expires_at, key.replaces, key.order_id,
             (select status from key_claims where key_id = key.id and status in ('replaced', 'refunded')) as state,
             case when key.expires_at > ${now} then product.instructions else '' end as instructions,
             case when key.expires_at > ${now} then product.download_url else '' end as download_url,
             product.translations, product.name <> orders.product_name as is_renamed
        from orders
        join license_keys key on key.order_id = orders.id
        join products product on product.id = orders.product_id
       where orders.user_id = ${userId} and ${before}
       order by orders.created_at desc, key.seq desc
       limit ${literal(PAGE_ROWS)}`)
    yield* await mapYielding(rows, (row) => {
      const {
        seq: _,
        soldAt: __,
        sealed,
        productId,
        productName,
        instructions,
        downloadUrl,
        translations,
        isRenamed,
        state,
        replaces,
        ...key
      } = row
      return {
        ...key,
        key: sealer.open('key', key._id, sealed),
        productId: { _id: productId, name: productName, ...(!isRenamed && textInOthers(translations, 'name')) },
        ...(instructions !== '' && { instructions, ...textInOthers(translations, 'instructions') }),
        ...(downloadUrl !== '' && { downloadUrl }),
        ...(state && { state }),
        ...(replaces !== null && { replaces }),
      }
    })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    before = sql`orders.created_at <= ${last.soldAt}
                 and (orders.created_at, key.seq) < (${last.soldAt}::timestamptz, ${last.seq}::bigint)`
  }
}
