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

/** There are only two sizes, because sizes are written into the statement. */
const PAGE_ROWS_MIN = 100
const PAGE_ROWS_MAX = 1_000

interface Page {
  limit?: number | undefined
  /** The id of the last key received. */
  before?: string | undefined
  /** Only the keys of this purchase. */
  orderId?: string | undefined
}

/** A replaced or refunded key says so. */
const STATE = sql`(select status from key_claims where key_id = key.id and status in ('replaced', 'refunded'))`

/**
 * Tells one list of a buyer's keys from every other, without opening a key. Whatever the list reads must be in it.
 */
export async function versionOfOwnKeys(
  { db }: Services,
  userId: string,
  now: Date,
  { limit, before }: Page,
): Promise<string> {
  const keys = await db.text(sql`
    select concat_ws(' ', count(*), sum(hash_record_extended(
             row (key.id, key.seq, key.sealed, orders.product_name, orders.duration, orders.created_at,
                  key.assigned_at, key.expires_at, key.replaces, key.order_id, ${STATE}, key.expires_at > ${now}), 0)))
      from orders
      join license_keys key on key.order_id = orders.id
     where orders.user_id = ${userId}`)
  const products = await db.text(sql`
    select concat_ws(' ', sum(hash_record_extended(row (id, name, instructions, download_url, translations), 0)))
      from products where id in (select product_id from orders where user_id = ${userId})`)
  return [limit, before, keys, products].join(' ')
}

/**
 * Yields a buyer's keys, newest first, under the names and durations at the sale. How to use them is in today's words
 * of the product, so that a changed link helps all who bought.
 */
export async function* listOwnKeys(
  { db, sealer }: Services,
  userId: string,
  now: Date,
  { limit, before, orderId }: Page = {},
): AsyncGenerator<OwnedKey> {
  let older =
    before === undefined
      ? sql`true`
      : sql`(orders.created_at, key.seq) < (
              select sold.created_at, last.seq from license_keys last join orders sold on sold.id = last.order_id
               where last.id = ${before} and sold.user_id = ${userId})`
  const ofOrder = orderId === undefined ? sql`true` : sql`orders.id = ${orderId}`
  const pageRows = limit !== undefined && limit <= PAGE_ROWS_MIN ? PAGE_ROWS_MIN : PAGE_ROWS_MAX
  let left = limit ?? Infinity
  while (left > 0) {
    const rows = await db.rows(sql(Row)`
      select key.id as _id, key.seq, key.sealed, orders.product_id, orders.product_name, orders.duration,
             orders.created_at as sold_at, key.assigned_at, key.expires_at, key.replaces, key.order_id,
             ${STATE} as state,
             case when key.expires_at > ${now} then product.instructions else '' end as instructions,
             case when key.expires_at > ${now} then product.download_url else '' end as download_url,
             product.translations, product.name <> orders.product_name as is_renamed
        from orders
        join license_keys key on key.order_id = orders.id
        join products product on product.id = orders.product_id
       where orders.user_id = ${userId} and ${ofOrder} and ${older}
       order by orders.created_at desc, key.seq desc
       limit ${literal(pageRows)}`)
    yield* await mapYielding(rows.slice(0, left), (row) => {
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
    if (!last || rows.length < pageRows) return
    left -= rows.length
    older = sql`orders.created_at <= ${last.soldAt}
                 and (orders.created_at, key.seq) < (${last.soldAt}::timestamptz, ${last.seq}::bigint)`
  }
}
