/**
 * Brings bought keys into stock, through the import that people use. It may be repeated: the same texts go into the
 * same batch, which has them already. Only then is the order noted as come.
 */
import { createHash } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { dayOf } from '../../contract/india.ts'
import type { Paise } from '../../contract/money.ts'
import type { StockHooks } from '../keys/hooks.ts'
import { importKeys, type Import } from '../keys/import-keys.ts'
import { fingerprintTable } from '../keys/stock/fingerprints.ts'
import { findVariant } from '../keys/stock/stock.ts'
import type { Auditor } from '../audit/audit.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Supplying } from './supplying.ts'
import type { Came } from './chaabi/purchases.ts'
import { figuresOf } from './telling/figures.ts'
import { lockLink, pauseLink } from './links.ts'
import type { TakenOrder } from './take-orders.ts'
import { tellTrouble } from './telling/trouble.ts'

/** What the sending of one needs is not needed here. */
type Order = Omit<
  TakenOrder,
  'theirProduct' | 'theirDuration' | 'address' | 'sealed' | 'template' | 'isOnce' | 'isLost' | 'tries' | 'price'
>
type Arrived = Omit<Came, 'is' | 'theirOrder'> & { theirOrder?: string }

/** @returns why the keys cannot come in now: their duration was removed or renamed */
export async function bringKeys(
  supplying: Supplying,
  order: Order,
  arrived: Arrived,
  tookMs: number,
): Promise<'removed' | undefined> {
  const { clock } = supplying
  const batchIds = await importThem(supplying, order, arrived)
  if (batchIds === undefined) return 'removed'
  const prints = [...new Set(arrived.keys)].map((text) => supplying.sealer.fingerprint(text))
  const now = clock.now()
  const isNew = await supplying.db.transaction((tx) => noteCame(tx, order, arrived, { batchIds, prints, tookMs, now }))
  if (!isNew) return undefined
  const figures = figuresOf(supplying.metrics)
  figures.ended('came')
  figures.took(now.getTime() - order.createdAt.getTime())
  return undefined
}

/** @returns the batches that may hold them; undefined if their duration is not there */
async function importThem(
  services: Supplying,
  order: Order,
  { keys, unitPrice }: Arrived,
): Promise<string[] | undefined> {
  const { linkName: supplier, productId, duration } = order
  const variant = await findVariant(services.db, productId, duration)
  if (!variant) return undefined
  const batchIds = batchesOf({ ...order, priceId: variant.priceId }, unitPrice)
  for (const batchId of batchIds) {
    const paste = { productId, duration, keys, supplier, costPerKey: unitPrice, batchId }
    const refused = await importAsStore(services, paste)
    if (refused === 'PRODUCT_NOT_FOUND') return undefined
    if (refused !== 'BATCH_UNDONE') return batchIds
  }
  return batchIds
}

/** @returns why nothing came in, or not all: with DUPLICATE_KEYS the others did */
export async function importAsStore(services: Supplying, paste: Import): Promise<string | undefined> {
  const by: Auditor = { admin: null, address: '', userAgent: '', now: services.clock.now() }
  try {
    await importKeys(services, paste, by, passingOver(services.hooks))
    return undefined
  } catch (error) {
    if (error instanceof Refusal && IMPORT_REFUSALS.includes(error.code)) return error.code
    throw error
  }
}
const IMPORT_REFUSALS: readonly string[] = ['PRODUCT_NOT_FOUND', 'BATCH_UNDONE', 'DUPLICATE_KEYS']

/** A supplier may bring in parts what one buyer wants, and the next one wants less. */
const passingOver = (hooks: StockHooks): StockHooks => ({
  ...hooks,
  serve: (tx, arrival, bring) => hooks.serve(tx, { ...arrival, passesOver: true }, bring),
})

/**
 * Where keys of an order may lie: one batch a day and cost, or its own where that one was undone. What a comparison has
 * found is a batch apart, because some of it may have been sold before a backup was restored.
 */
export function batchesOf(
  { id, linkId, priceId, createdAt, againAt }: Pick<Order, 'id' | 'linkId' | 'priceId' | 'createdAt' | 'againAt'>,
  unitPrice: Paise,
): string[] {
  const ofDay = idOf(linkId, priceId, String(unitPrice), dayOf(createdAt))
  return againAt === null ? [ofDay, id] : [idOf(ofDay, againAt.toISOString()), id, ofDay]
}

/** A UUID that is the same for the same parts. */
export function idOf(...parts: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Notes which keys came with an order. @returns how many, without those that came in otherwise */
export const noteKeys = (
  tx: Transaction,
  orderId: string,
  prints: readonly Buffer[],
  batchIds: readonly string[],
): Promise<number> =>
  tx.run(sql`
    insert into supply_keys (key_id, order_id)
    select key.id, ${orderId}
      from ${fingerprintTable(prints)} as text
      join license_keys key on key.fingerprint = text.fingerprint and key.batch_id = any(${[...batchIds]}::uuid[])
    on conflict do nothing`)

interface Imported {
  batchIds: readonly string[]
  prints: readonly Buffer[]
  tookMs: number
  now: Date
}

/** @returns false if another worker has noted it */
async function noteCame(
  tx: Transaction,
  { id, number, linkId, priceId, quantity, capPaise, sku }: Order,
  { unitPrice, theirOrder }: Arrived,
  { batchIds, prints, tookMs, now }: Imported,
): Promise<boolean> {
  await lockLink(tx, linkId)
  // A second worker that got the same answer waits here, and finds it noted
  const isOpen = await tx.text(sql`select id from supply_orders where id = ${id} and state = 'asked' for update`)
  if (isOpen === undefined) return false
  const came = await noteKeys(tx, id, prints, batchIds)
  await tx.run(sql`
    update supply_orders
       set state = 'came', came = ${came}, unit_paise = ${unitPrice}, their_order = ${theirOrder ?? null}, why = null,
           ended_at = ${now}, leased_until = null
     where id = ${id}`)
  // A guess until their list is read again. Without its tag that is read whole, even if it is as before
  await tx.run(sql`
    update supply_sources set their_stock = greatest(0, their_stock - ${quantity}::int)
     where link_id = ${linkId} and price_id = ${priceId} and ${sku === null}`)
  await tx.run(sql`
    update supply_links
       set usual_ms = (coalesce(usual_ms, ${tookMs}::int) * 4 + ${tookMs}::int) / 5,
           balance_paise = balance_paise - ${unitPrice * quantity}, etag = null
     where id = ${linkId}`)
  if (came < quantity) {
    await pauseLink(tx, linkId, 'known-key')
    tellTrouble(tx, linkId, { why: 'known-key', number }, now)
  } else if (unitPrice > capPaise) {
    await pauseLink(tx, linkId, 'price')
    tellTrouble(tx, linkId, { why: 'above-cap', number }, now)
  }
  return true
}
