/** Batches of keys: their details and their figures. */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { Refusal } from '../../contract/errors.ts'
import { KeyBatch, type keys } from '../../contract/keys.ts'
import { audit, type By, type ProvingBy } from '../audit/audit.ts'
import { allOf, literal, sql, type Queries, type Sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { nameOf } from './import-keys.ts'
import { deleteUntouchedBatch, findVariants, VariantRow } from './stock/stock.ts'

const BATCHES_PAGE_SIZE = 20
const UNDO_TIMEOUT_MS = 60_000

type BatchSearch = z.output<(typeof keys.batches)['input']>

/**
 * Lists a page of batches, newest first. Sales are counted as they happen, so a page costs the same for batches of
 * any size.
 */
export async function listBatches(
  { db }: Pick<Services, 'db'>,
  { limit = BATCHES_PAGE_SIZE, skip = 0, ...wanted }: BatchSearch,
): Promise<{ batches: KeyBatch[]; total: number }> {
  const matching = await conditionOf(db, wanted)
  const [batches, total] = await Promise.all([
    readBatches(db, matching, sql`limit ${literal(limit)} offset ${skip}`),
    db.count(sql`
      select count(*)
        from key_batches batch left join admins admin on admin.id = batch.admin_id
       where ${matching}`),
  ])
  return { batches, total }
}

/** @throws Refusal NOT_FOUND */
export async function getBatch({ db }: { db: Queries }, id: string): Promise<KeyBatch> {
  const [batch] = await readBatches(db, sql`batch.id = ${id}`, sql``)
  if (!batch) throw new Refusal('NOT_FOUND')
  return batch
}

function readBatches(db: Queries, matching: Sql, page: Sql): Promise<KeyBatch[]> {
  return db.rows(sql(KeyBatch)`
    select batch.id as _id, json_build_object('_id', product.id, 'name', product.name) as product_id, price.duration,
           batch.supplier, batch.cost_paise as cost_per_key, batch.note, batch.created_at,
           batch.username as created_by, batch.added, batch.removed, batch.edited, batch.undone_at, batch.recalled_at,
           claimed.claims, claimed.open_claims, counted.sold,
           batch.added - batch.removed - counted.sold as left
      from (select batch.*, admin.username
              from key_batches batch left join admins admin on admin.id = batch.admin_id
             where ${matching}
             order by batch.created_at desc, batch.id desc
             ${page}) batch
      join prices price on price.id = batch.price_id
      join products product on product.id = price.product_id
     cross join lateral (select coalesce(sum(counter.sold), 0)::bigint as sold
                           from batch_counters counter where counter.batch_id = batch.id) counted
     cross join lateral (
           select count(distinct key_id) filter (where status <> 'withdrawn' and reason <> 'recalled') as claims,
                  count(*) filter (where status = 'open') as open_claims
             from key_claims where batch_id = batch.id) claimed
     order by batch.created_at desc, batch.id desc`)
}

async function conditionOf(
  db: Services['db'],
  { productId, duration, search }: Omit<BatchSearch, 'limit' | 'skip'>,
): Promise<Sql> {
  const conditions: Sql[] = []
  if (productId !== undefined) {
    const variants = await findVariants(db, productId, duration)
    conditions.push(sql`batch.price_id = any(${variants.map(({ priceId }) => priceId)}::uuid[])`)
  } else if (duration !== undefined) {
    conditions.push(sql`batch.price_id in (select id from prices where prices.duration = ${duration})`)
  }
  if (search) {
    const said = sql`lower(batch.supplier || ' ' || batch.note || ' ' || coalesce(admin.username, ''))`
    conditions.push(sql`position(${search.toLowerCase()}::text in ${said}) > 0`)
  }
  return allOf(conditions)
}

const Facts = z.pick(KeyBatch, { supplier: true, costPerKey: true, note: true })

/** Corrects a batch's details. Absent fields stay. @throws Refusal NOT_FOUND */
export async function editBatch(
  { db }: Pick<Services, 'db'>,
  { id, supplier, costPerKey, note }: z.output<(typeof keys.editBatch)['input']>,
  by: By,
): Promise<KeyBatch> {
  return db.transaction(async (tx) => {
    const before = await tx.maybe(
      sql(Facts)`select supplier, cost_paise as cost_per_key, note from key_batches where id = ${id} for no key update`,
    )
    if (!before) throw new Refusal('NOT_FOUND')
    await tx.run(sql`
      update key_batches
         set supplier = ${supplier ?? before.supplier}, note = ${note ?? before.note},
             cost_paise = ${costPerKey === undefined ? sql`cost_paise` : costPerKey}
       where id = ${id}`)
    const batch = await getBatch({ db: tx }, id)
    const subject = nameOf({
      productName: batch.productId.name,
      duration: batch.duration,
      productId: batch.productId._id,
    })
    const after = { supplier: batch.supplier, costPerKey: batch.costPerKey, note: batch.note }
    await audit(tx, by, { action: 'keys.edit-batch', subject, before, after })
    return batch
  })
}

const BatchVariantRow = z.extend(VariantRow, { supplier: z.string() })

/**
 * Undoes a batch whole, or not at all. It waits for a running purchase of one of its keys.
 * @throws Refusal STEP_UP_REQUIRED, NOT_FOUND, BATCH_UNDONE, or BATCH_TOUCHED if one was sold or edited or none is left
 */
export async function undoBatch(
  { db, events }: Pick<Services, 'db' | 'events'>,
  id: string,
  by: ProvingBy,
): Promise<{ message: string; deletedCount: number }> {
  by.requireProof()
  const { productId, deletedCount } = await db.transaction(
    async (tx) => {
      const variant = await tx.maybe(sql(BatchVariantRow)`
        select price.id as price_id, product.id as product_id, product.name as product_name, price.duration,
               batch.supplier
          from key_batches batch
          join prices price on price.id = batch.price_id
          join products product on product.id = price.product_id
         where batch.id = ${id}`)
      if (!variant) throw new Refusal('NOT_FOUND')
      const deletedCount = await deleteUntouchedBatch(tx, id, { adminId: by.admin.id, now: by.now })
      const before = { batchId: id, supplier: variant.supplier, unsold: deletedCount }
      await audit(tx, by, { action: 'keys.undo-batch', subject: nameOf(variant), before })
      return { productId: variant.productId, deletedCount }
    },
    { statementTimeoutMs: UNDO_TIMEOUT_MS },
  )
  events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  return { message: deletedCount === 1 ? '1 key deleted' : `${deletedCount} keys deleted`, deletedCount }
}

/** How the audit log names it. */
export const batchNames: AuditNaming = {
  rows: sql`select batch.id, coalesce(nullif(batch.supplier, ''), named.variant), named.variant, null::bigint
              from wanted join key_batches batch using (id)
              join prices price on price.id = batch.price_id join products product on product.id = price.product_id
              cross join lateral (select product.name || ', ' || price.duration as variant) named`,
}
