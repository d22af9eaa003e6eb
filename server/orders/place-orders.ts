/**
 * A purchase: lock the wallet, price, take keys, debit, write; all in one transaction, or nothing.
 *
 * Purchases that arrive together share a transaction and its commit. Every statement works on all of them at
 * once, so sixteen cost little more than one, and each is still decided by itself: a refused one writes
 * nothing and disturbs no other.
 */
import * as z from 'zod/mini'
import { durationKey } from '../../contract/duration.ts'
import { Refusal } from '../../contract/errors.ts'
import { negate, paise } from '../../contract/money.ts'
import { countFree, lockKeys, takeKeys, type StockFloors } from '../keys/take-keys.ts'
import { sql, type Transaction } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { ACCOUNT, lockWallet } from '../wallet/ledger.ts'
import type { Lot } from '../wallet/lots.ts'
import { decideOrder, type Decision, type Offer, type Outcome, type Shop, type Wanted } from './decide-orders.ts'

/** An order that stands in the books. */
export interface Placed extends Decision {
  orderId: string
  placedAt: Date
}

/** A repeated order: what it answered the first time can be read under this id. */
export interface Repeated {
  repeatedOrderId: string
}

export type PlaceOutcome = Placed | Repeated | Refusal | 'contended'

export interface PlaceOptions {
  now: Date
  floors: StockFloors
  /**
   * Wait for a wallet or for keys that others hold, so that nobody is refused wrongly. Without, an order that would
   * have to wait is 'contended', and the others go on.
   */
  wait: boolean
  /** Which shard of the stock counters this writer uses; different writers use different ones. */
  shard: number
}

/** @returns one outcome for each order, in the order in which they were wanted */
export async function placeOrders(
  tx: Transaction,
  wanted: readonly Wanted[],
  options: PlaceOptions,
): Promise<PlaceOutcome[]> {
  const buyers = buyersOf(wanted)
  // Asked in one go. The engine takes one after the other, so the rest is read when the wallets are locked
  const [locked, repeated, offers, lotsBefore] = await Promise.all([
    lockWallets(tx, buyers, options),
    findRepeated(tx, wanted),
    findOffers(tx, wanted),
    openLotsOf(tx, buyers, options.now),
  ])
  const served = wanted
    .map((each, index) => ({ each, offer: offers[index] }))
    .filter(({ each }) => locked.has(each.buyerId))
  if (served.length === 0) return wanted.map(() => 'contended')
  const hasChanged = await settleTerms(tx, locked, options.now)
  const lots = hasChanged ? await openLotsOf(tx, buyers, options.now) : lotsBefore
  const shop = await openShop(tx, served, lots, options)

  const outcomes = new Map<Wanted, PlaceOutcome>()
  const decided: Placed[] = []
  for (const { each, offer } of served) {
    const outcome =
      offer === 'closed'
        ? new Refusal('NO_SESSION')
        : (repeatedOutcome(each, repeated, decided) ?? decideOrder(each, offer, shop))
    if (isDecision(outcome)) {
      const placed = { ...outcome, orderId: newId(), placedAt: options.now }
      decided.push(placed)
      outcomes.set(each, placed)
    } else {
      outcomes.set(each, outcome)
    }
  }
  if (decided.length > 0) write(tx, decided, options)
  return wanted.map((each) => outcomes.get(each) ?? 'contended')
}

function buyersOf(wanted: readonly Wanted[]): string[] {
  return [...new Set(wanted.map((each) => each.buyerId))]
}

function isDecision(outcome: Outcome | Repeated): outcome is Decision {
  return typeof outcome === 'object' && 'offer' in outcome
}

const DueRow = z.object({ userId: z.string(), due: z.boolean() })

/** @returns the buyers whose wallets are locked now, and whether a term has ended in them; all, when they are waited for */
async function lockWallets(
  tx: Transaction,
  buyers: readonly string[],
  { now, wait }: PlaceOptions,
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.rows(
    DueRow,
    sql`
    select user_id as "userId", coalesce(next_lapse_at <= ${now}, false) as due
      from wallets where user_id = any(${buyers}::uuid[]) order by user_id for update ${wait ? sql`` : sql`skip locked`}`,
  )
  return new Map(rows.map(({ userId, due }) => [userId, due]))
}

/**
 * Settles what has a term that has ended: credit goes, and what was deducted for a time comes back.
 * @returns whether there was any: what was read of these wallets before is out of date then
 */
async function settleTerms(tx: Transaction, locked: ReadonlyMap<string, boolean>, now: Date): Promise<boolean> {
  const due = [...locked].filter(([, isDue]) => isDue)
  for (const [userId] of due) await lockWallet(tx, userId, now)
  return due.length > 0
}

const RepeatedRow = z.object({ id: z.string(), userId: z.string(), key: z.string(), requestHash: z.instanceof(Buffer) })
type RepeatedOrder = z.output<typeof RepeatedRow>

/** Earlier orders under the same Idempotency-Keys. The wallets are locked, so none can appear meanwhile. */
async function findRepeated(tx: Transaction, wanted: readonly Wanted[]): Promise<RepeatedOrder[]> {
  const keyed = wanted.filter((each) => each.idempotency)
  if (keyed.length === 0) return []
  return tx.rows(
    RepeatedRow,
    sql`
    select earlier.id, want.user_id as "userId", want.key, earlier.request_hash as "requestHash"
      from unnest(${keyed.map((each) => each.buyerId)}::uuid[], ${keyed.map((each) => each.idempotency?.key)}::text[]) as want (user_id, key)
     cross join lateral (
           select id, request_hash from orders where user_id = want.user_id and idempotency_key = want.key limit 1) earlier`,
  )
}

/** The outcome of an order that was placed before, in an earlier transaction or just now in this one. */
function repeatedOutcome(
  each: Wanted,
  earlier: readonly RepeatedOrder[],
  decided: readonly Placed[],
): Repeated | Refusal | undefined {
  const { idempotency } = each
  if (!idempotency) return undefined
  const now = decided.find(
    (placed) => placed.wanted.buyerId === each.buyerId && placed.wanted.idempotency?.key === idempotency.key,
  )
  const before = earlier.find((order) => order.userId === each.buyerId && order.key === idempotency.key)
  const orderId = now?.orderId ?? before?.id
  const requestHash = now?.wanted.idempotency?.requestHash ?? before?.requestHash
  if (orderId === undefined || requestHash === undefined) return undefined
  return requestHash.equals(idempotency.requestHash)
    ? { repeatedOrderId: orderId }
    : new Refusal('IDEMPOTENCY_KEY_REUSED')
}

const OfferRow = z.object({
  ordinal: z.number(),
  isOpen: z.boolean(),
  priceId: z.string(),
  productId: z.string(),
  productName: z.string(),
  productDescription: z.string(),
  duration: z.string(),
  unitPrice: z.number(),
})

/**
 * What each buyer would pay; undefined where the product or duration is not for sale to them, 'closed' for an account that
 * is closed, or will be. Whoever closes one holds its wallet meanwhile, so that this is seen once the wallets are locked.
 */
async function findOffers(tx: Transaction, wanted: readonly Wanted[]): Promise<(Offer | 'closed' | undefined)[]> {
  const rows = await tx.rows(
    OfferRow,
    sql`
    select want.ordinal, buyer.closes_at is null and buyer.deleted_at is null as "isOpen", price.id as "priceId", product.id as "productId", product.name as "productName",
           product.description as "productDescription", price.duration, coalesce(custom.paise, price.list_paise) as "unitPrice"
      from unnest(${wanted.map((each) => each.buyerId)}::uuid[], ${wanted.map((each) => each.productId)}::uuid[],
                  ${wanted.map((each) => durationKey(each.duration))}::text[]) with ordinality as want (user_id, product_id, duration, ordinal)
      join users buyer on buyer.id = want.user_id
      join products product on product.id = want.product_id and product.deleted_at is null
      join prices price on price.product_id = product.id and price.duration = want.duration and price.removed_at is null
      left join custom_prices custom on custom.user_id = want.user_id and custom.price_id = price.id
     where not exists (select from hidden_products hidden where hidden.user_id = want.user_id and hidden.product_id = product.id)`,
  )
  const offers = Array<Offer | 'closed' | undefined>(wanted.length).fill(undefined)
  for (const { ordinal, isOpen, unitPrice, ...offer } of rows)
    offers[ordinal - 1] = isOpen ? { ...offer, unitPrice: paise(unitPrice) } : 'closed'
  return offers
}

const LotRow = z.object({ id: z.string(), userId: z.string(), remaining: z.number(), expiresAt: z.nullable(z.date()) })

async function openLotsOf(tx: Transaction, buyers: readonly string[], now: Date): Promise<Map<string, Lot[]>> {
  const rows = await tx.rows(
    LotRow,
    sql`
    select id, user_id as "userId", remaining_paise as remaining, expires_at as "expiresAt"
      from wallet_lots
     where user_id = any(${buyers}::uuid[]) and remaining_paise > 0 and (expires_at is null or expires_at > ${now})
     order by user_id, expires_at nulls last, added_at, id`,
  )
  const lots = new Map<string, Lot[]>()
  for (const { userId, remaining, ...lot } of rows) {
    const own = lots.get(userId) ?? []
    lots.set(userId, own)
    own.push({ ...lot, remaining: paise(remaining) })
  }
  return lots
}

/** Locks as many keys as the buyers who can pay want together. */
async function openShop(
  tx: Transaction,
  served: readonly { each: Wanted; offer: Offer | 'closed' | undefined }[],
  lots: Map<string, Lot[]>,
  { now, floors, wait }: PlaceOptions,
): Promise<Shop> {
  const quantities = new Map<string, number>()
  const payable = new Map<string, number>()
  for (const { each, offer } of served) {
    if (!offer || offer === 'closed' || offer.unitPrice === 0) continue
    quantities.set(offer.priceId, (quantities.get(offer.priceId) ?? 0) + each.quantity)
    const balance = (lots.get(each.buyerId) ?? []).reduce((sum, lot) => sum + lot.remaining, 0)
    if (balance >= offer.unitPrice * each.quantity)
      payable.set(offer.priceId, (payable.get(offer.priceId) ?? 0) + each.quantity)
  }
  const keys = await lockKeys(tx, payable, { floors, wait })
  const unsure = [...quantities]
    .filter(([priceId, quantity]) => (keys.get(priceId)?.length ?? 0) < quantity)
    .map(([priceId]) => priceId)
  const free = new Map([...keys].map(([priceId, claimed]) => [priceId, claimed.length]))
  if (unsure.length > 0) {
    const counted = await countFree(tx, unsure, Math.max(...quantities.values()))
    for (const [priceId, count] of counted) free.set(priceId, count)
  }
  return { now, lots, keys, free }
}

/** Writes all decided orders in one statement: every table is changed once, in an order that foreign keys accept. */
function write(tx: Transaction, placed: readonly Placed[], { now, shard }: PlaceOptions): void {
  const shares = placed.flatMap((order) => order.shares.map((share) => ({ ...share, movementId: order.orderId })))
  const spentByLot = sumBy(shares.map(({ lot, amount }) => [lot.id, amount]))
  const spentByBuyer = sumBy(placed.map((order) => [order.wanted.buyerId, order.amount]))

  // The movement of an order carries the order's own id: one movement an order, one order a movement
  void tx.send(sql`
    with placed as (
      insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                          unit_paise, amount_paise, idempotency_key, request_hash, created_at)
      select *, ${now}::timestamptz
        from unnest(${placed.map((order) => order.orderId)}::uuid[], ${placed.map((order) => order.wanted.buyerId)}::uuid[],
                    ${placed.map((order) => order.offer.productId)}::uuid[], ${placed.map((order) => order.offer.priceId)}::uuid[],
                    ${placed.map((order) => order.offer.productName)}::text[],
                    ${placed.map((order) => order.offer.productDescription)}::text[],
                    ${placed.map((order) => order.offer.duration)}::text[], ${placed.map((order) => order.wanted.quantity)}::int[],
                    ${placed.map((order) => order.offer.unitPrice)}::bigint[], ${placed.map((order) => order.amount)}::bigint[],
                    ${placed.map((order) => order.wanted.idempotency?.key ?? null)}::text[],
                    ${placed.map((order) => order.wanted.idempotency?.requestHash ?? null)}::bytea[])
    ), movement as (
      insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, order_id, created_at)
      select id, user_id, 'purchase', amount, balance_after, description, id, ${now}
        from unnest(${placed.map((order) => order.orderId)}::uuid[], ${placed.map((order) => order.wanted.buyerId)}::uuid[],
                    ${placed.map((order) => negate(order.amount))}::bigint[], ${placed.map((order) => order.balanceAfter)}::bigint[],
                    ${placed.map(describe)}::text[]) as line (id, user_id, amount, balance_after, description)
    ), entry as (
      insert into wallet_entries (movement_id, lot_id, account, amount_paise, expires_at)
      select movement_id, lot_id, ${ACCOUNT.purchase}, amount, expires_at
        from unnest(${shares.map((share) => share.movementId)}::uuid[], ${shares.map((share) => share.lot.id)}::uuid[],
                    ${shares.map((share) => negate(share.amount))}::bigint[],
                    ${shares.map((share) => share.lot.expiresAt)}::timestamptz[]) as share (movement_id, lot_id, amount, expires_at)
    ), lot as (
      update wallet_lots set remaining_paise = remaining_paise - spent.amount
        from unnest(${[...spentByLot.keys()]}::uuid[], ${[...spentByLot.values()]}::bigint[]) as spent (lot_id, amount)
       where wallet_lots.id = spent.lot_id
    )
    update wallets set balance_paise = balance_paise - spent.amount
      from unnest(${[...spentByBuyer.keys()]}::uuid[], ${[...spentByBuyer.values()]}::bigint[]) as spent (user_id, amount)
     where wallets.user_id = spent.user_id`)
  void takeKeys(
    tx,
    placed.flatMap(({ orderId, wanted: { buyerId }, expiresAt, keys }) =>
      keys.map((key) => ({ key, orderId, buyerId, expiresAt })),
    ),
    { now, shard },
  )
}

function describe({ wanted, offer }: Decision): string {
  const keys = wanted.quantity === 1 ? offer.productName : `${wanted.quantity} × ${offer.productName}`
  return `${keys} (${offer.duration})`
}

function sumBy(pairs: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [key, amount] of pairs) sums.set(key, (sums.get(key) ?? 0) + amount)
  return sums
}
