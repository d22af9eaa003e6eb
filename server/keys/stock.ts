/**
 * Stock: the keys that no order has taken, and the counters that count them.
 *
 * A key and its counter change in one transaction, keys first. Whoever changes or deletes a key does it only
 * `where order_id is null`: a purchase that has the key at that moment is waited for, and then it is sold.
 */
import * as z from 'zod/mini'
import { sql, type Queries, type Transaction } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'

/** A product at one duration. */
export interface Place {
  priceId: string
  productId: string
  productName: string
  duration: string
}

const PlaceRow = z.object({ priceId: z.string(), productId: z.string(), productName: z.string(), duration: z.string() })

/** Where keys of this product and duration are sold from; undefined when the shop does not have it. */
export function findPlace(db: Queries, productId: string, duration: string): Promise<Place | undefined> {
  return db.maybe(
    PlaceRow,
    sql`
    select price.id as "priceId", product.id as "productId", product.name as "productName", price.duration
      from prices price
      join products product on product.id = price.product_id
     where product.id = ${productId} and product.deleted_at is null
       and price.duration = ${duration} and price.removed_at is null`,
  )
}

/**
 * All price rows that this product has or had under this duration, the one for sale first: what is removed
 * from the shop keeps its keys.
 */
export function findPlaces(db: Queries, productId: string, duration: string | undefined): Promise<Place[]> {
  return db.rows(
    PlaceRow,
    sql`
    select price.id as "priceId", product.id as "productId", product.name as "productName", price.duration
      from prices price
      join products product on product.id = price.product_id
     where product.id = ${productId} and (${duration ?? null}::text is null or price.duration = ${duration ?? null})
     order by price.removed_at desc nulls first, price.id`,
  )
}

/** A key text on its way into the database. */
export interface SealedKey {
  sealed: Buffer
  fingerprint: Buffer
}

/** One statement's worth: the driver writes its parameters in one go, and these take it some ten milliseconds. */
const KEYS_PER_STATEMENT = 2_500

/**
 * Puts keys into stock, in their order. Those whose text is there already are left out; but where such a key is
 * unsold under a product or duration that has left the shop, it can be sold to nobody, and comes over.
 * @param keys no text twice
 * @returns how many came into stock
 */
export async function addKeys(
  tx: Transaction,
  keys: readonly SealedKey[],
  { priceId, batchId, now }: { priceId: string; batchId: string; now: Date },
): Promise<number> {
  const changes = new Map<string, number>()
  let added = 0
  for (let start = 0; start < keys.length; start += KEYS_PER_STATEMENT) {
    const part = keys.slice(start, start + KEYS_PER_STATEMENT)
    for (const [strandedAt, quantity] of await deleteStranded(tx, part))
      changes.set(strandedAt, (changes.get(strandedAt) ?? 0) - quantity)
    added += await tx.run(sql`
      insert into license_keys (id, price_id, batch_id, sealed, fingerprint, created_at)
      select id, ${priceId}, ${batchId}, sealed, fingerprint, ${now}
        from unnest(${part.map(() => newId())}::uuid[], ${part.map((key) => key.sealed)}::bytea[],
                    ${part.map((key) => key.fingerprint)}::bytea[]) with ordinality as key (id, sealed, fingerprint, line)
       order by line
      on conflict (fingerprint) do nothing`)
  }
  // Not from nothing: what was stranded may be from this very place, when that has left the shop meanwhile
  if (added > 0) changes.set(priceId, (changes.get(priceId) ?? 0) + added)
  await count(tx, changes)
  return added
}

const StrandedRow = z.object({ priceId: z.string(), quantity: z.number() })

/** Deletes what of these keys is unsold and out of the shop, so that it can be added anew. */
async function deleteStranded(tx: Transaction, keys: readonly SealedKey[]): Promise<Map<string, number>> {
  const rows = await tx.rows(
    StrandedRow,
    sql`
    with stranded as (
      delete from license_keys key
       using prices price
        join products product on product.id = price.product_id
       where key.fingerprint = any(${keys.map((key) => key.fingerprint)}::bytea[])
         and key.order_id is null
         and price.id = key.price_id
         and (price.removed_at is not null or product.deleted_at is not null)
      returning key.price_id)
    select price_id as "priceId", count(*) as quantity from stranded group by price_id`,
  )
  return new Map(rows.map((row) => [row.priceId, row.quantity]))
}

const UnsoldRow = z.object({ priceId: z.string() })

/** @returns whether the key was unsold, and is deleted */
export async function deleteUnsoldKey(tx: Transaction, id: string): Promise<boolean> {
  const deleted = await tx.maybe(
    UnsoldRow,
    sql`delete from license_keys where id = ${id} and order_id is null returning price_id as "priceId"`,
  )
  if (deleted) await count(tx, new Map([[deleted.priceId, -1]]))
  return deleted !== undefined
}

/** @returns how many unsold keys of these prices were deleted */
export async function deleteUnsoldKeys(tx: Transaction, priceIds: readonly string[]): Promise<number> {
  // Locked in the order in which purchases lock them, or the two could wait for each other
  const rows = await tx.rows(
    z.object({ priceId: z.string(), quantity: z.number() }),
    sql`
    with unsold as materialized (
      select id
        from license_keys
       where price_id = any(${priceIds}::uuid[]) and order_id is null
       order by seq
         for update
    ), deleted as (
      delete from license_keys using unsold where license_keys.id = unsold.id
      returning license_keys.price_id)
    select price_id as "priceId", count(*) as quantity from deleted group by price_id`,
  )
  await count(tx, new Map(rows.map((row) => [row.priceId, -row.quantity])))
  return rows.reduce((sum, row) => sum + row.quantity, 0)
}

/**
 * @returns whether the key was unsold, and has the new text
 * @throws a violation of license_keys_fingerprint when another key has that text
 */
export async function replaceUnsoldKey(
  tx: Transaction,
  id: string,
  { sealed, fingerprint }: SealedKey,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update license_keys set sealed = ${sealed}, fingerprint = ${fingerprint} where id = ${id} and order_id is null`)
  return changed > 0
}

const SHARDS = 8

/** @param changes price id → keys that came (above zero) or went (below zero) */
async function count(tx: Transaction, changes: ReadonlyMap<string, number>): Promise<void> {
  if (changes.size === 0) return
  // Any shard will do, since only their sum counts; a random one, so that writers seldom meet
  const shard = Math.floor(Math.random() * SHARDS)
  const sorted = [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await tx.run(sql`
    insert into stock_counters (price_id, shard, available)
    select price_id, ${shard}, change
      from unnest(${sorted.map(([priceId]) => priceId)}::uuid[], ${sorted.map(([, change]) => change)}::int[]) as counted (price_id, change)
     order by price_id
    on conflict (price_id, shard) do update set available = stock_counters.available + excluded.available`)
}
