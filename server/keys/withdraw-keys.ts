/** Takes the unsold keys of a recalled batch out of stock, for good. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { literal, sql, type Transaction } from '../platform/database/database.ts'
import { countDeleted, DeletedRow, holdManyKeys, total } from './stock/stock.ts'

/** One step's keys. Buyers skip them while it runs, so it must be short. */
const WITHDRAWN_AT_ONCE = 1_000

/**
 * Marks a batch as recalled, so that nothing is added to it any more.
 * @returns true if it was not marked before
 * @throws Refusal NOT_FOUND
 */
export async function markRecalled(
  tx: Transaction,
  batchId: string,
  { adminId, now }: { adminId: string; now: Date },
): Promise<boolean> {
  const batch = await tx.maybe(sql(() => z.object({ isRecalled: z.boolean() }))`
    select recalled_at is not null as is_recalled from key_batches where id = ${batchId} for no key update`)
  if (!batch) throw new Refusal('NOT_FOUND')
  if (batch.isRecalled) return false
  await tx.run(sql`update key_batches set recalled_at = ${now}, recalled_by = ${adminId} where id = ${batchId}`)
  return true
}

/**
 * Withdraws the next unsold keys of a batch, oldest first. It waits for a running purchase of one, and skips the sold
 * key.
 * @returns how many; fewer than wanted at the end
 */
export async function withdrawSome(
  tx: Transaction,
  batchId: string,
  { adminId, note, now }: { adminId: string; note: string; now: Date },
): Promise<{ withdrawn: number; isLast: boolean }> {
  await holdManyKeys(tx)
  const withdrawn = await tx.rows(sql(DeletedRow)`
    with unsold as materialized (
      select id from license_keys
       where batch_id = ${batchId} and order_id is null
       order by seq limit ${literal(WITHDRAWN_AT_ONCE)} for update
    ), gone as (
      delete from license_keys using unsold where license_keys.id = unsold.id
      returning license_keys.id, batch_id, price_id, sealed, fingerprint
    ), kept as (
      insert into withdrawn_keys (id, batch_id, price_id, sealed, fingerprint, reason, admin_id, withdrawn_at)
      select id, batch_id, price_id, sealed, fingerprint, ${note}, ${adminId}, ${now} from gone)
    select price_id, batch_id, count(*) as quantity from gone group by price_id, batch_id`)
  await countDeleted(tx, withdrawn)
  const left = await tx.holds(sql`
    select exists (select from license_keys where batch_id = ${batchId} and order_id is null)`)
  return { withdrawn: total(withdrawn), isLast: !left }
}
