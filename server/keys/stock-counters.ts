/**
 * Two counts beside the keys: the free keys of a price, and the sold keys of a batch. Each is the sum of its shards, so
 * that writers with shards of their own do not queue for one row. A shard that is not there yet counts nothing.
 */
import { sql, type Transaction } from '../platform/database/database.ts'

/** The tables check it: `shard between 0 and 7`. */
export const SHARDS = 8

/** Any shard will do, since only their sum counts; a random one, so that writers seldom meet. */
export const anyShard = (): number => Math.floor(Math.random() * SHARDS)

/** @param changes price id → keys that came (above zero) or went (below zero) */
export async function countStock(tx: Transaction, changes: ReadonlyMap<string, number>): Promise<void> {
  if (changes.size === 0) return
  await tx.run(sql`
    insert into stock_counters (price_id, shard, available)
    select price_id, ${anyShard()}, change
      from unnest(${[...changes.keys()]}::uuid[], ${[...changes.values()]}::int[]) as counted (price_id, change)
     order by price_id
    on conflict (price_id, shard) do update set available = stock_counters.available + excluded.available`)
}
