import * as z from 'zod/mini'
import { coalesce } from '../platform/load/coalesce.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { PictureSource } from '../platform/http/pages/kept-pictures.ts'

/** The pictures that anyone may load. Those of deleted products come back with them. */
export function pictureSource(db: Queries): PictureSource {
  // Concurrent callers share one question, and made-up names are not kept
  const has = coalesce<string, boolean>(async (names) => {
    const there = await db.texts(sql`
      select named.name
        from (select name, product_id from pictures where name = any(${names})
              union all select card_name, product_id from pictures where card_name = any(${names})) named
        left join products product on product.id = named.product_id
       where product.deleted_at is null`)
    const found = new Set(there)
    return names.map((name) => found.has(name))
  })
  const read = async (name: string) => {
    return (
      await db.maybe(sql(() => z.object({ bytes: z.instanceof(Buffer) }))`
      select bytes from pictures where name = ${name}
      union all select card from pictures where card_name = ${name}`)
    )?.bytes
  }
  return { has, read }
}
