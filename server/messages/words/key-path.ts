import * as z from 'zod/mini'
import { sql, type Queries } from '../../platform/database/database.ts'

/** Leads to the keys of an order. */
export async function keyPath(db: Queries, orderId: string | null): Promise<string> {
  const key = await db.maybe(
    sql(z.object({ id: z.string() }))`select id from license_keys where order_id = ${orderId} order by seq limit 1`,
  )
  return key ? `/my-key?key=${key.id}` : '/my-key'
}
