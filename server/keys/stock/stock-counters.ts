/**
 * Two counters: the free keys of a price, and the sold keys of a batch. Each is the sum of its shards, so that
 * writers with their own shards don't queue for one row. A missing shard counts as zero.
 */
import { columns, sql, type Transaction } from '../../platform/database/database.ts'

/** Checked by the tables: `shard between 0 and 7`. */
export const SHARDS = 8

/** Returns a random shard, so that writers seldom meet. Any will do, because only the sum counts. */
export const anyShard = (): number => Math.floor(Math.random() * SHARDS)

/** @param changes price id → keys that came (above zero) or went (below zero) */
export async function countStock(tx: Transaction, changes: ReadonlyMap<string, number>): Promise<void> {
  if (changes.size === 0) return
  await tx.run(sql`
    insert into stock_counters (price_id, shard, available)
    select price_id, ${anyShard()}, change
      from ${columns(
        [...changes].map(([priceId, change]) => ({ priceId, change })),
        'price_id uuid, change int',
      )} as counted
     order by price_id
    on conflict (price_id, shard) do update set available = stock_counters.available + excluded.available`)
}
