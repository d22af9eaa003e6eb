/**
 * Recounts the stock and the batches. Every program that sells or imports keeps these counters. An older version
 * that runs next to a newer one doesn't know a new counter.
 */
import * as z from 'zod/mini'
import { columns, literal, sql, type Database, type Transaction } from '../../platform/database/database.ts'
import { SHARDS } from './stock-counters.ts'

/** The number of wrong counters. */
interface Recounted {
  prices: number
  batches: number
}

/** Waits this long for a running sale or import. */
const LOCK_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 10 * 60_000

/** Recounts with one read of all keys. Nothing is sold or imported in that time. */
export function recountStock(db: Database): Promise<Recounted> {
  return db.transaction(
    async (tx) => {
      // Locks the counters, because each change of keys also changes a counter, so it is either seen here or comes
      // later
      await tx.run(sql`lock table stock_counters, batch_counters in share row exclusive mode`)
      return { prices: await recountPrices(tx), batches: await recountBatches(tx) }
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS, lockTimeoutMs: LOCK_TIMEOUT_MS },
  )
}

const Wrong = z.object({ id: z.string(), there: z.number() })

async function recountPrices(tx: Transaction): Promise<number> {
  const wrong = await tx.rows(sql(Wrong)`
    select price_id as id, sum(there)::int as there from (
      select price_id, sum(available) as counted, 0 as there from stock_counters group by price_id
      union all
      select price_id, 0, count(*) from license_keys where order_id is null group by price_id) stock
     group by price_id having sum(counted) <> sum(there)`)
  await tx.run(sql`
    insert into stock_counters (price_id, shard, available)
    select price.id, shard, case shard when 0 then price.there else 0 end
      from ${columns(wrong, 'id uuid, there int')} as price,
           generate_series(0, ${literal(SHARDS - 1)}) shard
    on conflict (price_id, shard) do update set available = excluded.available`)
  return wrong.length
}

async function recountBatches(tx: Transaction): Promise<number> {
  const wrong = await tx.rows(sql(Wrong)`
    select batch_id as id, sum(there)::int as there from (
      select batch_id, sum(sold) as counted, 0 as there from batch_counters group by batch_id
      union all
      select batch_id, 0, count(*) from license_keys where batch_id is not null and order_id is not null
       group by batch_id) sold
     group by batch_id having sum(counted) <> sum(there)`)
  await tx.run(sql`
    insert into batch_counters (batch_id, shard, sold)
    select batch.id, shard, case shard when 0 then batch.there else 0 end
      from ${columns(wrong, 'id uuid, there int')} as batch,
           generate_series(0, ${literal(SHARDS - 1)}) shard
    on conflict (batch_id, shard) do update set sold = excluded.sold`)
  // Counts again, because an older program's import also leaves out the arrival numbers of its keys
  const unbounded = await tx.texts(sql`
    update key_batches set first_seq = there.first_seq, last_seq = there.last_seq
      from (select batch_id, min(seq) as first_seq, max(seq) as last_seq
              from license_keys where batch_id is not null group by batch_id) there
     where key_batches.id = there.batch_id
       and (there.first_seq >= key_batches.first_seq and there.last_seq <= key_batches.last_seq) is not true
    returning key_batches.id`)
  return new Set([...wrong.map(({ id }) => id), ...unbounded]).size
}
