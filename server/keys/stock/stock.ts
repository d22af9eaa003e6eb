/**
 * Stock: the keys without an order, and their counters.
 *
 * A key, its batch and its counter change in one transaction, in this order. Always change or delete keys with
 * `where order_id is null`. The statement then waits for a running purchase and skips the sold key.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { columns, literal, sql, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import { findWithdrawn, fingerprintTable } from './fingerprints.ts'
import { countStock } from './stock-counters.ts'

/** A product at one duration. */
export const VariantRow = z.object({
  priceId: z.string(),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
})
export type Variant = z.output<typeof VariantRow>

/** Finds the price row that this product and duration are sold from; undefined if it is not for sale. */
export function findVariant(db: Queries, productId: string, duration: string): Promise<Variant | undefined> {
  return db.maybe(sql(VariantRow)`
    select price.id as price_id, product.id as product_id, product.name as product_name, price.duration
      from prices price
      join products product on product.id = price.product_id
     where product.id = ${productId} and product.deleted_at is null
       and price.duration = ${duration} and price.removed_at is null`)
}

/** Finds all price rows of this product and duration, the one for sale first, because deleted ones keep their keys. */
export function findVariants(db: Queries, productId: string, duration: string | undefined): Promise<Variant[]> {
  return db.rows(sql(VariantRow)`
    select price.id as price_id, product.id as product_id, product.name as product_name, price.duration
      from prices price
      join products product on product.id = price.product_id
     where product.id = ${productId} and (${duration ?? null}::text is null or price.duration = ${duration ?? null})
     order by price.removed_at desc nulls first, price.id`)
}

/** A key's text, encrypted for the database. */
export interface SealedKey {
  id: string
  sealed: Buffer
  fingerprint: Buffer
}

const AddedRow = z.object({ added: z.number(), first: z.nullable(z.number()), last: z.nullable(z.number()) })

/**
 * Shared by all imports, and taken alone by a deletion of many keys. A deletion locks one key after the other. An
 * import next to it would see a state that never was: some of its texts there, others gone.
 */
const MANY_KEYS_LOCK = 0x6b657973
/** A deletion waits this long for running imports. */
const IMPORTS_WAITED_FOR_MS = 10_000

/** Parameters of one statement. The driver writes them in one go (some ten milliseconds). */
export const KEYS_PER_STATEMENT = 2_500

/**
 * Adds keys to stock, in their order. Texts of recalled keys are left out. So are existing ones, unless the key is
 * unsold under a deleted product or duration. Such a key moves here, because it could not be sold.
 * @param parts one statement's keys each, stored as soon as they arrive; no text twice
 * @returns the number of keys that came into stock
 * @throws Refusal BATCH_UNDONE when the batch was undone, even at this moment
 */
export async function addKeys(
  tx: Transaction,
  parts: Iterable<readonly SealedKey[] | Promise<readonly SealedKey[]>>,
  { priceId, batchId, now }: { priceId: string; batchId: string; now: Date },
): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${literal(MANY_KEYS_LOCK)})`)
  const changes = new Map<string, number>()
  const gone: Deleted[] = []
  let added = 0
  let first: number | null = null
  let last: number | null = null
  for (const each of parts) {
    const part = await each
    // Sends both at once; the engine takes one after the other
    const [stranded, came] = await Promise.all([
      deleteStranded(tx, part),
      tx.one(sql(AddedRow)`
        with came as (
          insert into license_keys (id, price_id, batch_id, sealed, fingerprint, created_at)
          select id, ${priceId}, ${batchId}, sealed, fingerprint, ${now}
            from ${columns(
              part.map((key, line) => ({ ...key, line })),
              'id uuid, sealed bytea, fingerprint bytea, line int',
            )} as key
           where not exists (select from withdrawn_keys where withdrawn_keys.fingerprint = key.fingerprint)
           order by line
          on conflict (fingerprint) do nothing
          returning seq)
        select count(*) as added, min(seq) as first, max(seq) as last from came`),
    ])
    gone.push(...stranded)
    added += came.added
    first ??= came.first
    last = came.last ?? last
  }
  if (added > 0) {
    const isOpen = await tx.run(sql`
      update key_batches
         set added = added + ${added}, first_seq = least(first_seq, ${first}::bigint),
             last_seq = greatest(last_seq, ${last}::bigint)
       where id = ${batchId} and undone_at is null and recalled_at is null`)
    if (isOpen === 0) throw new Refusal('BATCH_UNDONE')
  }
  // Adds to the change, because the moved keys may be of this variant and batch, if that was deleted in between
  if (added > 0) changes.set(priceId, added)
  await countDeleted(tx, gone, changes)
  return added
}

/** Deleted unsold keys, by their price and batch. */
export const DeletedRow = z.object({ priceId: z.string(), batchId: z.nullable(z.string()), quantity: z.number() })
type Deleted = z.output<typeof DeletedRow>

/**
 * Deletes unsold keys of deleted products so they can be added again. Looks keys up one by one by index, because a
 * comparison with a list scanned it for each key of the store (54 s for 50,000 keys).
 */
function deleteStranded(tx: Transaction, keys: readonly SealedKey[]): Promise<Deleted[]> {
  return tx.rows(sql(DeletedRow)`
    with stranded as (
      delete from license_keys where order_id is null and id = any(array(
        select key.id
          from ${fingerprintTable(keys.map((key) => key.fingerprint))} as wanted
         cross join lateral (
               select id, price_id from license_keys where fingerprint = wanted.fingerprint and order_id is null
                limit 1) key
          join prices price on price.id = key.price_id
          join products product on product.id = price.product_id
         where price.removed_at is not null or product.deleted_at is not null))
      returning price_id, batch_id)
    select price_id, batch_id, count(*) as quantity from stranded
     group by price_id, batch_id`)
}

/** @returns true if the key was unsold, and is deleted now */
export async function deleteUnsoldKey(tx: Transaction, id: string): Promise<boolean> {
  const deleted = await tx.rows(sql(DeletedRow)`
    delete from license_keys where id = ${id} and order_id is null
    returning price_id, batch_id, 1::bigint as quantity`)
  await countDeleted(tx, deleted)
  return deleted.length > 0
}

/** @returns the number of unsold keys of these prices that were deleted */
export async function deleteUnsoldKeys(tx: Transaction, priceIds: readonly string[]): Promise<number> {
  const deleted = await deleteUnsold(tx, sql`price_id = any(${priceIds}::uuid[])`)
  await countDeleted(tx, deleted)
  return total(deleted)
}

/**
 * Deletes all keys of a batch, or throws. It waits for a running purchase or edit of one of them, and then refuses.
 * @returns the number of deleted keys
 * @throws Refusal BATCH_TOUCHED or BATCH_UNDONE
 */
export async function deleteUntouchedBatch(
  tx: Transaction,
  batchId: string,
  { adminId, now }: { adminId: string; now: Date },
): Promise<number> {
  const deleted = await deleteUnsold(tx, sql`batch_id = ${batchId}`)
  // Checks in one statement, on the row after all others are done with it, because an import into the batch or a
  // sale in between makes the figures differ
  const isWhole = await tx.run(sql`
    update key_batches set removed = added, undone_at = ${now}, undone_by = ${adminId}
     where id = ${batchId} and undone_at is null and edited = 0
       and added - removed = ${total(deleted)} and added > removed`)
  if (isWhole === 0) {
    const undone = await tx.holds(sql`select undone_at is not null from key_batches where id = ${batchId}`)
    throw new Refusal(undone ? 'BATCH_UNDONE' : 'BATCH_TOUCHED')
  }
  await countStock(tx, new Map(deleted.map(({ priceId, quantity }) => [priceId, -quantity])))
  return total(deleted)
}

/** Deletes unsold keys. Locks them in the order of purchases, so that the two don't deadlock. */
async function deleteUnsold(tx: Transaction, which: Sql): Promise<Deleted[]> {
  await holdManyKeys(tx)
  return tx.rows(sql(DeletedRow)`
    with unsold as materialized (
      select id
        from license_keys
       where ${which} and order_id is null
       order by seq
         for update
    ), deleted as (
      delete from license_keys using unsold where license_keys.id = unsold.id
      returning license_keys.price_id, license_keys.batch_id)
    select price_id, batch_id, count(*) as quantity from deleted group by price_id, batch_id`)
}

/** Takes the lock of a deletion of many keys. It waits for running imports. */
export async function holdManyKeys(tx: Transaction): Promise<void> {
  await tx.run(sql`select set_config('lock_timeout', ${`${IMPORTS_WAITED_FOR_MS}ms`}, true)`)
  await tx.run(sql`select pg_advisory_xact_lock(${literal(MANY_KEYS_LOCK)})`)
  // Shortens the wait for a key's lock, because buyers wait for the keys locked already
  await tx.run(sql`select set_config('lock_timeout', reset_val, true) from pg_settings where name = 'lock_timeout'`)
}

export const total = (deleted: readonly Deleted[]): number => deleted.reduce((sum, row) => sum + row.quantity, 0)

/** Takes deleted keys off their batches, and then off the stock. */
export async function countDeleted(
  tx: Transaction,
  deleted: readonly Deleted[],
  changes = new Map<string, number>(),
): Promise<void> {
  const removed = new Map<string, number>()
  for (const { priceId, batchId, quantity } of deleted) {
    changes.set(priceId, (changes.get(priceId) ?? 0) - quantity)
    if (batchId !== null) removed.set(batchId, (removed.get(batchId) ?? 0) + quantity)
  }
  const batches = [...removed].map(([id, quantity]) => ({ id, quantity }))
  if (batches.length > 0)
    await tx.run(sql`
      with touched as materialized (
        select id from key_batches where id = any(${batches.map(({ id }) => id)}::uuid[]) order by id for no key update)
      update key_batches set removed = key_batches.removed + gone.quantity
        from touched
        join ${columns(batches, 'id uuid, quantity int')} as gone on gone.id = touched.id
       where key_batches.id = touched.id`)
  await countStock(tx, changes)
}

/**
 * @returns true if the key was unsold, and has the new text
 * @throws Refusal KEY_EXISTS for the text of a recalled key, or a violation of license_keys_fingerprint when another
 *   key has that text
 */
export async function replaceUnsoldKey(tx: Transaction, { id, sealed, fingerprint }: SealedKey): Promise<boolean> {
  const changed = await tx.maybe(sql(() => z.object({ batchId: z.nullable(z.string()) }))`
    update license_keys set sealed = ${sealed}, fingerprint = ${fingerprint}
     where id = ${id} and order_id is null
    returning batch_id`)
  if (changed && (await findWithdrawn(tx, [fingerprint])).size > 0) throw new Refusal('KEY_EXISTS')
  if (changed?.batchId) await tx.run(sql`update key_batches set edited = edited + 1 where id = ${changed.batchId}`)
  return changed !== undefined
}
