/** Keys as an admin sees them: decrypted, with their buyers. Without the step-up asked for, only endings show. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { Rupees } from '../../contract/amounts.ts'
import { ClaimStatus } from '../../contract/claims.ts'
import { AdminKey, type keys } from '../../contract/keys.ts'
import { allOf, literal, sql, type Query, type Sql, type Transaction } from '../platform/database/database.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import type { Services } from '../platform/services.ts'
import { endingOf } from './ending.ts'
import { mapYielding } from '../platform/load/map-yielding.ts'
import { findVariants } from './stock/stock.ts'

export type KeySearch = Omit<z.output<(typeof keys.list)['input']>, 'unproven'>

/** Limits the keys that a search decrypts, because a part of a text can only be found that way. */
const OPENED_PER_SEARCH_MAX = 50_000
/**
 * There are few sizes, because sizes are written into the statement. The smallest is a panel page plus the key that
 * shows that there is another page. In a large table each row costs one more block to read.
 */
const PAGE_ROWS_MAX = 1_000
const PAGE_ROWS = [51, 201, PAGE_ROWS_MAX]

type Shown = (key: AdminKey) => AdminKey

export const asTheyAre: Shown = (key) => key
export const byTheirEnding: Shown = (key) => ({ ...key, key: `…${endingOf(key.key)}`, isWhole: false })

/**
 * Yields keys, oldest first; all of them without a limit. A search finds the key with exactly that text. With a
 * product or a batch, it also finds keys that contain it, but only in the part shown. Otherwise a key could be
 * found out letter by letter.
 */
export async function* listKeys(
  services: Services,
  wanted: KeySearch,
  now: Date,
  shown: Shown = asTheyAre,
): AsyncGenerator<AdminKey> {
  const { sealer } = services
  const filter = await filterOf(services, wanted, now)
  const after = wanted.cursor === undefined ? 0 : await seqOf(services, wanted.cursor)
  if (!wanted.search) {
    yield* readKeys(services, filter, after, wanted.limit, now, shown)
    return
  }

  const text = wanted.search.normalize('NFC')
  const exactly = { ...filter, conditions: [...filter.conditions, sql`key.fingerprint = ${sealer.fingerprint(text)}`] }
  for await (const exact of readKeys(services, exactly, 0, 1, now, shown)) {
    if (wanted.cursor === undefined) yield exact
    return
  }
  if (wanted.productId === undefined && wanted.batchId === undefined) return
  const part = text.toLowerCase()
  let found = 0
  for await (const key of readKeys(services, filter, after, OPENED_PER_SEARCH_MAX, now, shown)) {
    if (!key.key.toLowerCase().includes(part)) continue
    yield key
    if (++found === wanted.limit) return
  }
}

interface Filter {
  /** Limits to keys of these prices; absent for all. */
  priceIds: string[] | undefined
  conditions: Sql[]
  /** Filtered after reading, because the planner expects few keys in a batch, and would read and sort all of it. */
  batchId?: string
}

const BatchRow = z.object({ priceId: z.string(), first: z.nullable(z.number()), last: z.nullable(z.number()) })

async function filterOf({ db }: Services, wanted: KeySearch, now: Date): Promise<Filter> {
  const { productId, duration, batchId, status } = wanted
  const conditions: Sql[] = []
  if (status === 'available') conditions.push(sql`key.order_id is null`)
  if (status === 'assigned') conditions.push(sql`key.order_id is not null and key.expires_at > ${now}`)
  if (status === 'expired') conditions.push(sql`key.order_id is not null and key.expires_at <= ${now}`)
  const variants = productId === undefined ? undefined : await findVariants(db, productId, duration)
  const priceIds = variants?.map(({ priceId }) => priceId)
  if (batchId !== undefined) {
    const batch = await db.maybe(
      sql(BatchRow)`select price_id, first_seq as first, last_seq as last from key_batches where id = ${batchId}`,
    )
    if (!batch || batch.first === null || (priceIds && !priceIds.includes(batch.priceId)))
      return { conditions, priceIds: [] }
    // Bounds the numbers, because a batch's keys have neighbouring numbers within their price
    conditions.push(sql`key.seq between ${batch.first} and ${batch.last}`)
    return { conditions, priceIds: [batch.priceId], batchId }
  }
  if (priceIds) return { conditions, priceIds }
  if (duration !== undefined) conditions.push(sql`price.duration = ${duration}`)
  return { conditions, priceIds: undefined }
}

/**
 * Returns the place of a key, also of a deleted one. Ids are in time order, so the key before it is next to that
 * place.
 */
const seqOf = ({ db }: Services, cursor: string): Promise<number> =>
  db.count(sql`
    select coalesce((select seq from license_keys where id <= ${cursor} order by id desc limit 1), 0)`)

const Parts = { key: true, isWhole: true, productId: true, assignedTo: true, order: true, claim: true } as const
const Row = z.extend(z.omit(AdminKey, Parts), {
  seq: z.number(),
  sealed: z.instanceof(Buffer),
  productId: z.string(),
  productName: z.string(),
  userId: z.nullable(z.string()),
  username: z.nullable(z.string()),
  email: z.nullable(z.string()),
  orderId: z.nullable(z.string()),
  unitPrice: z.nullable(Rupees),
  claimId: z.nullable(z.string()),
  claimNumber: z.nullable(z.number()),
  claimStatus: z.nullable(ClaimStatus),
})

const columnsAt = (now: Date) => sql`
  key.id as _id, key.seq, key.batch_id, key.sealed, product.id as product_id, product.name as product_name,
  price.duration, buyer.id as user_id, buyer.username, buyer.email, key.assigned_at, key.expires_at, key.created_at,
  case when key.expires_at is null then 'available' when key.expires_at <= ${now} then 'expired' else 'assigned'
   end as status,
  key.order_id, sale.unit_paise as unit_price, claim.id as claim_id, claim.number as claim_number,
  claim.status as claim_status`
const JOINS = sql`
  join prices price on price.id = key.price_id
  join products product on product.id = price.product_id
  left join users buyer on buyer.id = key.assigned_to
  left join orders sale on sale.id = key.order_id
  left join lateral (
       select id, number, status from key_claims where key_id = key.id
        order by created_at desc, id desc limit 1) claim on true`

function selectPage({ priceIds, conditions }: Filter, after: number, rows: Sql, now: Date): Query<typeof Row> {
  const condition = allOf([...conditions, sql`key.seq > ${after}`])
  if (priceIds === undefined)
    return sql(Row)`
    select ${columnsAt(now)} from license_keys key ${JOINS} where ${condition} order by key.seq limit ${rows}`
  // Each price has its keys in order. Reads the next ones of each price, then the first of all those, and only then
  // their buyers. A range keeps the planner from searching all keys (take-keys.ts)
  return sql(Row)`
    select ${columnsAt(now)}
      from (select of_price.*
              from unnest(${priceIds}::uuid[]) as wanted (price_id)
             cross join lateral (
                   select * from license_keys key
                    where key.price_id between wanted.price_id and wanted.price_id and ${condition}
                    order by key.price_id, key.seq
                    limit ${rows}) of_price
             order by of_price.seq
             limit ${rows}) key ${JOINS}
     order by key.seq`
}

/**
 * Reads page after page in order of arrival. No transaction stays open for a slow client. A key that is sold in
 * between comes once, as it was when its page was read.
 */
async function* readKeys(
  { db, sealer }: Services,
  filter: Filter,
  after: number,
  limit: number | undefined,
  now: Date,
  shown: Shown,
): AsyncGenerator<AdminKey> {
  let pageRows = PAGE_ROWS.find((rows) => limit !== undefined && limit <= rows) ?? PAGE_ROWS_MAX
  let left = limit ?? Infinity
  let seq = after
  while (left > 0) {
    const rows = await db.rows(selectPage(filter, seq, literal(pageRows), now))
    const fitting = filter.batchId === undefined ? rows : rows.filter(({ batchId }) => batchId === filter.batchId)
    yield* await mapYielding(fitting.slice(0, left), (row) => shown(toAdminKey(row, sealer)))
    if (rows.length < pageRows) return
    left -= fitting.length
    seq = rows.at(-1)?.seq ?? seq
    // Skips a stretch of another import with larger pages
    if (fitting.length === 0) pageRows = PAGE_ROWS_MAX
  }
}

/** @throws Refusal NOT_FOUND */
export async function readKey(tx: Transaction, sealer: Sealer, id: string, now: Date): Promise<AdminKey> {
  const row = await tx.maybe(sql(Row)`select ${columnsAt(now)} from license_keys key ${JOINS} where key.id = ${id}`)
  if (!row) throw new Refusal('NOT_FOUND')
  return toAdminKey(row, sealer)
}

function toAdminKey(row: z.output<typeof Row>, sealer: Sealer): AdminKey {
  const {
    seq: _,
    sealed,
    productId,
    productName,
    userId,
    username,
    email,
    orderId,
    unitPrice,
    claimId,
    claimNumber,
    claimStatus,
    ...key
  } = row
  return {
    ...key,
    key: sealer.open('key', key._id, sealed),
    isWhole: true,
    productId: { _id: productId, name: productName },
    assignedTo: userId === null || username === null || email === null ? null : { _id: userId, username, email },
    order: orderId === null || unitPrice === null ? null : { _id: orderId, unitPrice },
    ...(claimId !== null &&
      claimNumber !== null &&
      claimStatus !== null && { claim: { _id: claimId, number: `C-${claimNumber}`, status: claimStatus } }),
  }
}
