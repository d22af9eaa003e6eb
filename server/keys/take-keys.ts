/**
 * Takes keys out of stock for orders.
 *
 * It first skips keys that another purchase holds, so that two buyers of one product need not queue. Skipping alone
 * would answer OUT OF STOCK while an order that may yet be refused holds the keys. So a caller that gets too few
 * asks again with `wait`.
 */
import * as z from 'zod/mini'
import { columns, literal, sql, type Sql, type Transaction } from '../platform/database/database.ts'
import { ofPrice } from './stock/count-free.ts'
import { anyShard } from './stock/stock-counters.ts'

/** A key locked for this transaction, still encrypted. */
export interface LockedKey {
  id: string
  /** Arrival number; keys are sold in this order. */
  seq: number
  priceId: string
  sealed: Buffer
}

/**
 * For each price, an arrival number below which no key was free. Without it, buyers of a hot product step over the
 * dead index entries of every key sold since the last vacuum (1,900 purchases a second fell to 340 in 20 s). It is
 * only a hint: a caller that gets too few looks again from the start.
 */
export type StockFloors = Map<string, number>

const KeyRow = z.object({ id: z.string(), seq: z.number(), priceId: z.string(), sealed: z.instanceof(Buffer) })

interface LockOptions {
  floors: StockFloors
  /** True to wait for keys that others hold, instead of skipping them. */
  wait: boolean
}

/**
 * Locks free keys, oldest first, without taking them yet.
 * @param wanted price id → the least number of keys
 * @returns the locked keys by price, in order of arrival; possibly more, or fewer, than wanted
 */
export async function lockKeys(
  tx: Transaction,
  wanted: ReadonlyMap<string, number>,
  { floors, wait }: LockOptions,
): Promise<Map<string, LockedKey[]>> {
  const locked = new Map<string, LockedKey[]>()
  await lockInto(tx, locked, wanted, { floors, wait })
  const short = shortfalls(locked, wanted)
  if (short.size > 0 && [...short.keys()].some((priceId) => floors.has(priceId))) {
    for (const priceId of short.keys()) floors.delete(priceId)
    await lockInto(tx, locked, short, { floors, wait })
  }
  return locked
}

async function lockInto(
  tx: Transaction,
  locked: Map<string, LockedKey[]>,
  wanted: ReadonlyMap<string, number>,
  { floors, wait }: LockOptions,
): Promise<void> {
  for (const [limit, priceIds] of bySize(wanted)) {
    const want = priceIds.map((priceId) => ({ priceId, floor: floors.get(priceId) ?? 0 }))
    const rows = await tx.rows(sql(KeyRow)`
      select key.id, key.seq, key.price_id, key.sealed
        from ${columns(want, 'price_id uuid, floor bigint')} as want
       cross join lateral (
             select id, seq, price_id, sealed
               from license_keys
              where ${ofPrice} and order_id is null and seq >= want.floor
              order by price_id, seq
              limit ${literal(limit)}
                for update ${wait ? sql`` : sql`skip locked`}) key`)
    for (const row of rows) {
      const keys = locked.get(row.priceId) ?? []
      locked.set(row.priceId, keys)
      if (!keys.some((key) => key.id === row.id)) keys.push(row)
    }
  }
  for (const keys of locked.values()) keys.sort((a, b) => a.seq - b.seq)
}

/**
 * Rounds quantities up to powers of two, because a limit is written into the statement, and statements should stay
 * few.
 */
function bySize(wanted: ReadonlyMap<string, number>): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  for (const [priceId, quantity] of [...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const size = 2 ** Math.ceil(Math.log2(quantity))
    groups.set(size, [...(groups.get(size) ?? []), priceId])
  }
  return groups
}

function shortfalls(
  locked: ReadonlyMap<string, LockedKey[]>,
  wanted: ReadonlyMap<string, number>,
): Map<string, number> {
  return new Map([...wanted].filter(([priceId, quantity]) => (locked.get(priceId)?.length ?? 0) < quantity))
}

/** A key that leaves the stock for an order. It must be locked in this transaction. */
interface TakenKey {
  key: LockedKey
  orderId: string
  buyerId: string
  expiresAt: Date
}

/** Takes keys out of stock, and counts them. The caller need not await it, because the commit fails if it does. */
export const takeKeys = (tx: Transaction, taken: readonly TakenKey[], { now }: { now: Date }): Promise<unknown> =>
  tx.send(sql`with ${taking(taken, { now, shard: anyShard() })} select`)

/**
 * Does as `takeKeys`, for a statement that writes more.
 * @param shard the counter shard of this writer; each writer has its own
 * @returns parts of a `with`
 */
export function taking(taken: readonly TakenKey[], { now, shard }: { now: Date; shard: number }): Sql {
  const keys = taken.map(({ key: { id }, orderId, buyerId, expiresAt }) => ({ id, orderId, buyerId, expiresAt }))
  return sql`
    sold as (
      update license_keys
         set order_id = taken.order_id, assigned_to = taken.buyer_id, assigned_at = ${now},
             expires_at = taken.expires_at
        from ${columns(keys, 'id uuid, order_id uuid, buyer_id uuid, expires_at timestamptz')} as taken
       where license_keys.id = taken.id
      returning license_keys.price_id, license_keys.batch_id
    ), of_price as (
      select price_id, count(*)::int as keys from sold group by price_id order by price_id
    ), of_batch as (
      select batch_id, count(*)::int as keys from sold where batch_id is not null group by batch_id order by batch_id
    ), stock_counted as (
      update stock_counters set available = available - keys from of_price
       where stock_counters.price_id = of_price.price_id and shard = ${shard}
      returning stock_counters.price_id
    ), batch_counted as (
      update batch_counters set sold = sold + keys from of_batch
       where batch_counters.batch_id = of_batch.batch_id and shard = ${shard}
      returning batch_counters.batch_id
    ), stock_opened as (
      -- The first sale of a shard
      insert into stock_counters (price_id, shard, available)
      select price_id, ${shard}, -keys from of_price where price_id not in (select price_id from stock_counted)
      on conflict (price_id, shard) do update set available = stock_counters.available + excluded.available
    ), batch_opened as (
      insert into batch_counters (batch_id, shard, sold)
      select batch_id, ${shard}, keys from of_batch where batch_id not in (select batch_id from batch_counted)
      on conflict (batch_id, shard) do update set sold = batch_counters.sold + excluded.sold
    )`
}
