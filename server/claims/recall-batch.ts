/**
 * Recalls a batch of bad keys in short steps, so that buyers go on buying. First its unsold keys leave the stock. Then
 * each sold key that still runs gets a claim, and its buyer a message. A step that is done stays done, and a repeated
 * call does the rest.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { audit } from '../audit/audit.ts'
import { nameOf } from '../keys/import-keys.ts'
import { VariantRow } from '../keys/stock/stock.ts'
import { markRecalled, withdrawSome } from '../keys/withdraw-keys.ts'
import { isOpenAccount } from '../platform/database/conditions.ts'
import { columns, literal, sql, type Database, type Queries, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'

type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent' | 'requireProof'>

const OPENED_AT_ONCE = 500

const Batch = z.extend(VariantRow, {
  id: z.string(),
  first: z.nullable(z.number()),
  last: z.nullable(z.number()),
})
type Batch = z.output<typeof Batch>

/** @throws Refusal NOT_FOUND */
export async function findBatch(db: Queries, id: string): Promise<Batch> {
  const batch = await db.maybe(sql(Batch)`
    select batch.id, price.id as price_id, first_seq as first, last_seq as last, product.id as product_id,
           product.name as product_name, price.duration
      from key_batches batch
      join prices price on price.id = batch.price_id
      join products product on product.id = price.product_id
     where batch.id = ${id}`)
  if (!batch) throw new Refusal('NOT_FOUND')
  return batch
}

/** @throws Refusal NOT_FOUND, STEP_UP_REQUIRED, or BATCH_RECALLED when there was nothing left to do */
export async function recallBatch(
  { db, events }: Services,
  { id, note, openClaims }: { id: string; note: string; openClaims: boolean },
  by: By,
): Promise<{ withdrawn: number; opened: number }> {
  by.requireProof()
  const log = (tx: Transaction, batch: Batch) =>
    audit(tx, by, { action: 'keys.recall', subject: nameOf(batch), after: { batchId: id, note, openClaims } })
  const { batch, isNew } = await db.transaction(async (tx) => {
    const isNew = await markRecalled(tx, id, { adminId: by.admin.id, now: by.now })
    // Knows all its keys, because no import adds to it any more
    const batch = await findBatch(tx, id)
    if (isNew) await log(tx, batch)
    return { batch, isNew }
  })
  const withdrawn = await withdrawAll(db, id, { adminId: by.admin.id, note, now: by.now })
  const opened = openClaims ? await openAll(db, batch, by) : 0
  if (withdrawn > 0) events.publish({ to: 'everyone', name: 'stock', data: { productId: batch.productId } })
  if (opened > 0) events.publish({ to: 'everyone', name: 'claim' })
  if (!isNew) {
    if (withdrawn === 0 && opened === 0) throw new Refusal('BATCH_RECALLED')
    await db.transaction((tx) => log(tx, batch))
  }
  return { withdrawn, opened }
}

async function withdrawAll(
  db: Database,
  batchId: string,
  by: { adminId: string; note: string; now: Date },
): Promise<number> {
  let sum = 0
  for (;;) {
    const { withdrawn, isLast } = await db.transaction((tx) => withdrawSome(tx, batchId, by))
    sum += withdrawn
    if (isLast) return sum
  }
}

async function openAll(db: Database, batch: Batch, by: By): Promise<number> {
  let opened = 0
  let after = (batch.first ?? 0) - 1
  for (;;) {
    const step = await db.transaction((tx) => openSome(tx, batch, after, by))
    opened += step.opened
    if (step.last === undefined) return opened
    after = step.last
  }
}

const SoldKey = z.object({ id: z.string(), seq: z.number(), orderId: z.string(), userId: z.string() })

/** Opens claims for the next sold keys of open accounts that have no claim yet. Holds off their closing. */
async function openSome(
  tx: Transaction,
  { id: batchId, priceId, last }: Batch,
  after: number,
  { admin, now }: By,
): Promise<{ opened: number; last: number | undefined }> {
  const bad = await tx.rows(sql(SoldKey)`
    select key.id, key.seq, key.order_id, key.assigned_to as user_id
      from license_keys key join users buyer on buyer.id = key.assigned_to
     where key.price_id between ${priceId} and ${priceId} and key.seq > ${after} and key.seq <= ${last ?? 0}
       and key.batch_id = ${batchId} and key.order_id is not null and key.expires_at > ${now}
       and ${isOpenAccount(sql`buyer`)}
       and not exists (select from key_claims claim
                        where claim.key_id = key.id
                          and (claim.status in ('open', 'replaced', 'refunded') or claim.reason = 'recalled'))
     order by key.price_id, key.seq
     limit ${literal(OPENED_AT_ONCE)}
       for share of buyer`)
  const opened = await tx.rows(sql(() => z.object({ id: z.string(), userId: z.string() }))`
    insert into key_claims (id, key_id, order_id, user_id, batch_id, opened_by, reason, created_at)
    select id, key_id, order_id, user_id, ${batchId}, ${admin.id}, 'recalled', ${now}
      from ${columns(
        bad.map((key) => ({ ...key, keyId: key.id, id: newId() })),
        'id uuid, key_id uuid, order_id uuid, user_id uuid, seq bigint',
      )} as key
     order by seq
    on conflict do nothing
    returning id, user_id`)
  // One message to a buyer, whatever the number of his keys: a later one has the same mark
  for (const { id, userId } of opened)
    enqueue(tx, { kind: 'key.recalled', userId, subjectId: id, dedupe: `recall:${batchId}:${userId}`, now })
  return { opened: opened.length, last: bad.length < OPENED_AT_ONCE ? undefined : bad.at(-1)?.seq }
}
