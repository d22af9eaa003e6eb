import * as z from 'zod/mini'
import { literal, sql, type Transaction } from '../../platform/database/database.ts'
import { ofPrice } from '../take-keys.ts'

/** Counts the free keys of each price at this moment, with those that others are taking, up to `most`. */
export async function countFree(
  tx: Transaction,
  priceIds: readonly string[],
  most: number,
): Promise<Map<string, number>> {
  const rows = await tx.rows(
    z.object({ priceId: z.string(), free: z.number() }),
    sql`
    select want.price_id, (select count(*) from (
             select from license_keys
              where ${ofPrice} and order_id is null
              order by price_id, seq
              limit ${literal(2 ** Math.ceil(Math.log2(most)))}) stock) as free
      from unnest(${priceIds}::uuid[]) as want (price_id)`,
  )
  return new Map(rows.map((row) => [row.priceId, row.free]))
}
