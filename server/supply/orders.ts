/** Purchases at suppliers as admins see them, and those that an admin makes or settles. */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { SUPPLY_BY_HAND_MS, SUPPLY_ORDERS_PAGE_SIZE } from '../../contract/limits.ts'
import { SupplyOrder, SupplyWhy, type supply } from '../../contract/supply.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { importKeys } from '../keys/import-keys.ts'
import { sql, type Database, type Queries, type Sql } from '../platform/database/database.ts'
import { InPaise } from '../platform/in-paise.ts'
import type { Supplying } from './supplying.ts'
import { batchesOf, noteKeys } from './bring-keys.ts'
import { findSources, insertOrder, lockBudget } from './demand.ts'
import { lockLink } from './links.ts'
import { withoutNulls } from '../platform/database/rows.ts'

const Row = z.extend(z.omit(SupplyOrder, { number: true }), {
  seq: z.number(),
  byHand: z.nullable(z.literal(true)),
  came: z.nullable(z.number()),
  unitPrice: z.nullable(Rupees),
  why: z.nullable(SupplyWhy),
  endedAt: z.nullable(Moment),
})

/** True for a row `bought` that is never asked for again. */
const isByHand = sql`(bought.state = 'asked' and bought.is_once and bought.why is not null)`

const saidNumber = (seq: number): string => `S-${seq}`

async function readOrders(db: Queries, rest: Sql): Promise<SupplyOrder[]> {
  const rows = await db.rows(sql(Row)`
    select bought.id as _id, bought.number as seq, bought.link_id, link.name as link_name, bought.price_id,
           product.name as product_name, bought.duration, bought.quantity, bought.state, bought.came,
           bought.unit_paise as unit_price, bought.tries, bought.why, nullif(${isByHand}, false) as by_hand,
           bought.created_at, bought.ended_at
      from supply_orders bought
      join supply_links link on link.id = bought.link_id
      join prices price on price.id = bought.price_id
      join products product on product.id = price.product_id
     where ${rest}`)
  return rows.map(({ seq, ...row }) => ({ ...withoutNulls(row), number: saidNumber(seq) }))
}

/** Newest first. */
export async function listOrders(
  db: Queries,
  { limit = SUPPLY_ORDERS_PAGE_SIZE, skip = 0, state, linkId }: z.output<(typeof supply.orders)['input']>,
  now: Date,
): Promise<{ orders: SupplyOrder[]; total: number }> {
  const inState =
    state === undefined
      ? sql`true`
      : state === 'open'
        ? sql`bought.ended_at is null`
        : state === 'by-hand'
          ? sql`(bought.state = 'asked' and bought.created_at <= ${new Date(now.getTime() - SUPPLY_BY_HAND_MS)}
                 or ${isByHand})`
          : sql`bought.state = ${state}`
  const which = sql`${inState} and (${linkId ?? null}::uuid is null or bought.link_id = ${linkId ?? null})`
  const [orders, total] = await Promise.all([
    readOrders(db, sql`${which} order by bought.created_at desc, bought.id desc offset ${skip} limit ${limit}`),
    db.count(sql`select count(*) from supply_orders bought where ${which}`),
  ])
  return { orders, total }
}

/** @throws Refusal NOT_FOUND without a source, NOT_FETCHABLE, DAY_SPENT, or STEP_UP_REQUIRED */
export async function orderNow(
  db: Database,
  { priceId, quantity }: z.output<(typeof supply.order)['input']>,
  by: ProvingBy,
): Promise<SupplyOrder> {
  by.requireProof()
  const { now } = by
  return db.transaction(async (tx) => {
    const linkId = await tx.text(sql`select link_id from supply_sources where price_id = ${priceId}`)
    if (linkId === undefined) throw new Refusal('NOT_FOUND')
    const { today, balance } = await lockBudget(tx, linkId, now)
    const [source] = await findSources(tx, sql`source.price_id = ${priceId} and source.link_id = ${linkId}`, now)
    if (!source || source.theirStock < quantity || (balance ?? 0) < quantity * source.theirPaise)
      throw new Refusal('NOT_FETCHABLE')
    if (source.orderMax < quantity)
      throw new Refusal('INVALID_INPUT', { field: 'quantity', message: 'This supplier sells one key at a time' })
    if (today < quantity * source.capPaise) throw new Refusal('DAY_SPENT')
    const id = await insertOrder(tx, source, { quantity, adminId: by.admin.id, now })
    const [order] = await readOrders(tx, sql`bought.id = ${id}`)
    if (!order) throw new Error('The order was not written')
    const subject = `${order.number} at ${order.linkName} (${id})`
    await audit(tx, by, { action: 'supply.order', subject, after: { priceId, quantity } })
    return order
  })
}

const Asked = z.object({
  linkId: z.string(),
  linkName: z.string(),
  priceId: z.string(),
  productId: z.string(),
  duration: z.string(),
  quantity: z.number(),
  unitPaise: InPaise,
  againAt: z.nullable(z.date()),
  createdAt: z.date(),
})

/**
 * Says what became of an order of which only a person knows. An answer of the supplier that comes at the same
 * moment stands.
 * @throws Refusal NOT_FOUND when it is decided already, DUPLICATE_KEYS when no key is new, PRODUCT_NOT_FOUND for a
 *   duration that was removed, INVALID_INPUT or STEP_UP_REQUIRED
 */
export async function settleOrder(
  supplying: Supplying,
  { id, keys }: z.output<(typeof supply.settle)['input']>,
  by: ProvingBy,
): Promise<SupplyOrder> {
  by.requireProof()
  const { db, hooks, sealer } = supplying
  const asked = await db.maybe(sql(Asked)`
    select bought.link_id, link.name as link_name, bought.price_id, price.product_id, bought.duration, bought.quantity,
           coalesce(bought.asked_paise, bought.cap_paise) as unit_paise, bought.again_at, bought.created_at
      from supply_orders bought
      join supply_links link on link.id = bought.link_id
      join prices price on price.id = bought.price_id
     where bought.id = ${id} and bought.state = 'asked'`)
  if (!asked) throw new Refusal('NOT_FOUND')
  const { linkId, linkName: supplier, productId, duration, quantity, unitPaise } = asked
  const texts = [...new Set((keys ?? []).map((text) => text.trim()).filter((text) => text !== ''))]
  if (texts.length > quantity)
    throw new Refusal('INVALID_INPUT', { message: `This order was for ${quantity}`, field: 'keys' })
  const paste = { productId, duration, keys: texts, supplier, costPerKey: unitPaise, batchId: id }
  const known = keys && (await duplicatesOf(importKeys(supplying, paste, by, hooks)))
  return db.transaction(async (tx) => {
    await lockLink(tx, linkId)
    const isOpen = await tx.text(sql`select id from supply_orders where id = ${id} and state = 'asked' for update`)
    const prints = texts.map((text) => sealer.fingerprint(text))
    const came =
      isOpen !== undefined && keys ? await noteKeys(tx, id, prints, batchesOf({ id, ...asked }, unitPaise)) : undefined
    if (came === 0 && known) throw known
    if (isOpen !== undefined)
      await tx.run(sql`
        update supply_orders
           set state = ${came === undefined ? 'refused' : 'came'}, came = ${came ?? null},
               unit_paise = ${came === undefined ? null : unitPaise}, why = 'by-hand', ended_at = ${by.now},
               leased_until = null
         where id = ${id}`)
    const [order] = await readOrders(tx, sql`bought.id = ${id}`)
    if (!order) throw new Error('The order is gone')
    const subject = `${order.number} at ${supplier} (${id})`
    if (isOpen !== undefined) await audit(tx, by, { action: 'supply.settle', subject, after: { came: came ?? 0 } })
    return order
  })
}

/** @returns the refusal of an import in which some keys were there already; the others came in */
const duplicatesOf = (importing: Promise<unknown>): Promise<Refusal | undefined> =>
  importing.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'DUPLICATE_KEYS') return error
      throw error
    },
  )
