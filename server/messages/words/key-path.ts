import { sql, type Queries } from '../../platform/database/database.ts'

/** Leads to the keys of an order. */
export async function keyPath(db: Queries, orderId: string | null): Promise<string> {
  const id = await db.text(sql`select id from license_keys where order_id = ${orderId} order by seq limit 1`)
  return id ? `/my-key?key=${id}` : '/my-key'
}
