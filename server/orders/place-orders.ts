/**
 * A purchase: lock the wallet, price, take keys, debit and write, all in one transaction or nothing.
 *
 * Purchases that arrive together share it. Every statement works on all of them, so sixteen cost little more than
 * one. Each is still decided alone: a refused one writes nothing and disturbs no other.
 */
import * as z from 'zod/mini'
import { negate, paise } from '../../contract/money.ts'
import { buyersPrice } from '../catalogue/pricing.ts'
import { countFree } from '../keys/stock/count-free.ts'
import { lockKeys, taking, type StockFloors } from '../keys/take-keys.ts'
import { mayAct } from '../platform/database/conditions.ts'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { lockWallets, posting, type Lot, type Movement } from '../wallet/ledger.ts'
import {
  decideOrder,
  refuseOrder,
  type Decision,
  type Offer,
  type OrderRefusal,
  type Outcome,
  type Shop,
  type Wanted,
} from './decide-orders.ts'
import { isBeyond, type Trial } from './limits.ts'
import { repeatedOutcome, type Earlier, type Repeated, type Reused } from './repeated-orders.ts'
import { lookAtTrials } from './trials.ts'

/** An order that was written. */
export interface Placed extends Decision {
  orderId: string
  placedAt: Date
}

export type PlaceOutcome = Placed | Repeated | Reused | OrderRefusal | 'contended'

interface PlaceOptions {
  now: Date
  floors: StockFloors
  /**
   * True to wait for wallets and keys that others hold, so that nobody is refused wrongly. Otherwise such an order
   * is 'contended', and the others go on.
   */
  wait: boolean
  /** The shard of the stock counters for this writer. Each writer has its own. */
  shard: number
}

/** @returns one outcome per order, in the order of `wanted` */
export async function placeOrders(
  tx: Transaction,
  wanted: readonly Wanted[],
  options: PlaceOptions,
): Promise<PlaceOutcome[]> {
  const buyers = [...new Set(wanted.map((each) => each.buyerId))]
  // Sends all at once. The engine takes one after the other, so the rest is read under the wallets' locks
  const [lots, asked] = await Promise.all([lockWallets(tx, buyers, options.now, options), findOffers(tx, wanted)])
  const served = wanted
    .map((each, index) => ({ each, offer: asked[index]?.offer, earlier: asked[index]?.earlier }))
    .filter(({ each }) => lots.has(each.buyerId))
  if (served.length === 0) return wanted.map(() => 'contended')
  const trials = await lookAtTrials(tx, served, options)
  const shop = await openShop(tx, served, { lots, trials }, options)

  const outcomes = new Map<Wanted, PlaceOutcome>()
  const decided: Placed[] = []
  for (const { each, offer, earlier } of served) {
    const outcome =
      offer === 'closed'
        ? refuseOrder('NO_SESSION')
        : (repeatedOutcome(each, earlier, decided) ?? decideOrder(each, offer, shop))
    const placed = isDecision(outcome) ? { ...outcome, orderId: newId(options.now), placedAt: options.now } : outcome
    if (isDecision(placed)) decided.push(placed)
    outcomes.set(each, placed)
  }
  if (decided.length > 0) write(tx, decided, options)
  return wanted.map((each) => outcomes.get(each) ?? 'contended')
}

function isDecision(outcome: Outcome | Repeated | Reused): outcome is Decision {
  return typeof outcome === 'object' && 'offer' in outcome
}

const AskedRow = z.object({
  ordinal: z.number(),
  isOpen: z.boolean(),
  offer: z.nullable(
    z.object({
      priceId: z.string(),
      productId: z.string(),
      productName: z.string(),
      productDescription: z.string(),
      duration: z.string(),
      unitPrice: z.number(),
      singly: z.nullable(z.number()),
      limit: z.nullable(z.object({ perBuyer: z.number(), bought: z.number(), isTrial: z.boolean() })),
    }),
  ),
  earlierId: z.nullable(z.string()),
  requestHash: z.nullable(z.instanceof(Buffer)),
})

interface Asked {
  /** `undefined`: not for sale to this buyer. `'closed'`: the account is closed or closing, or the token has ended. */
  offer: Offer | 'closed' | undefined
  /** The order that was placed before with the same Idempotency-Key. None can appear later under the wallet's lock. */
  earlier: Earlier | undefined
}

const WANT = 'user_id uuid, token_id uuid, product_id uuid, duration text, quantity int, key text, ordinal int'

/**
 * Returns each buyer's offer and earlier order. Closing an account and ending a token hold the wallet's lock, so they
 * show under that lock.
 */
export async function findOffers(tx: Transaction, wanted: readonly Wanted[]): Promise<Asked[]> {
  const wants = wanted.map(({ buyerId: userId, tokenId, productId, duration, quantity, idempotency }, ordinal) => {
    return { userId, tokenId, productId, duration, quantity, key: idempotency?.key, ordinal }
  })
  const rows = await tx.rows(sql(AskedRow)`
    select want.ordinal,
           ${mayAct(sql`buyer`)} and (want.token_id is null or buyer.is_reseller and exists (
             select from api_tokens token where token.id = want.token_id and token.ended_at is null)) as is_open,
           case when offer.price_id is not null
                then json_build_object('priceId', offer.price_id, 'productId', offer.product_id,
                                       'productName', offer.product_name,
                                       'productDescription', offer.product_description,
                                       'duration', offer.duration, 'unitPrice', offer.unit_price,
                                       'singly', offer.singly,
                                       'limit', offer.terms) end as offer,
           earlier.id as earlier_id, earlier.request_hash
      from ${columns(wants, WANT)} as want
      join users buyer on buyer.id = want.user_id
      left join lateral (
           select price.id as price_id, product.id as product_id, product.name as product_name,
                  product.description as product_description, price.duration,
                  ${buyersPrice(sql`want.quantity`, sql`buyer.group_id`)} as unit_price,
                  case when price.steps is not null then ${buyersPrice(sql`1`, sql`buyer.group_id`)} end as singly,
                  case when price.per_buyer is not null
                       then json_build_object(
                              'perBuyer', price.per_buyer, 'isTrial', price.is_trial,
                              'bought', (select coalesce(sum(quantity), 0)
                                           from orders where user_id = want.user_id and price_id = price.id))
                  end as terms
             from products product
             join prices price on price.product_id = product.id and price.duration = want.duration
                  and price.removed_at is null
             left join custom_prices custom on custom.user_id = want.user_id and custom.price_id = price.id
            where product.id = want.product_id and product.deleted_at is null and product.is_listed
              and not exists (select from hidden_products hidden
                               where hidden.user_id = want.user_id and hidden.product_id = product.id)) offer on true
      left join lateral (
           select id, request_hash from orders where user_id = want.user_id and idempotency_key = want.key
           limit 1) earlier on true`)
  const asked = wanted.map((): Asked => ({ offer: undefined, earlier: undefined }))
  for (const { ordinal, isOpen, offer: found, earlierId, requestHash } of rows) {
    const offer = found ? { ...found, unitPrice: paise(found.unitPrice), limit: found.limit ?? undefined } : undefined
    asked[ordinal] = {
      offer: isOpen ? offer : 'closed',
      earlier: earlierId && requestHash ? { id: earlierId, requestHash } : undefined,
    }
  }
  return asked
}

/** Locks as many keys as all buyers want who may have them and have enough money. */
async function openShop(
  tx: Transaction,
  served: readonly ({ each: Wanted } & Pick<Asked, 'offer'>)[],
  { lots, trials }: { lots: Map<string, Lot[]>; trials: ReadonlyMap<Wanted, Trial> },
  { now, floors, wait }: PlaceOptions,
): Promise<Shop> {
  const quantities = new Map<string, number>()
  const payable = new Map<string, number>()
  for (const { each, offer } of served) {
    if (!offer || offer === 'closed' || offer.unitPrice === 0 || isBeyond(offer, each)) continue
    if ((trials.get(each) ?? 'free') !== 'free') continue
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
  if (unsure.length > 0)
    for (const [priceId, count] of await countFree(tx, unsure, Math.max(...quantities.values())))
      free.set(priceId, count)
  return { now, lots, keys, free, bought: new Map(), trials }
}

const ORDER = `order_id uuid, buyer_id uuid, product_id uuid, price_id uuid, product_name text,
  product_description text, duration text, quantity int, unit_price bigint, amount bigint, key text,
  request_hash bytea, token_id uuid`

/** Writes all decided orders in one statement. Awaits nothing, because the commit goes out with it. */
function write(tx: Transaction, placed: readonly Placed[], { now, shard }: PlaceOptions): void {
  const taken = placed.flatMap(({ orderId, wanted: { buyerId }, expiresAt, keys }) =>
    keys.map((key) => ({ key, orderId, buyerId, expiresAt })),
  )
  const orders = placed.map(({ orderId, wanted: { buyerId, tokenId, quantity, idempotency }, offer, amount }) => {
    return { ...offer, ...idempotency, orderId, buyerId, tokenId, quantity, amount }
  })
  void tx.send(sql`
    with placed as (
    insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                        unit_paise, amount_paise, idempotency_key, request_hash, token_id, created_at)
    select *, ${now}::timestamptz
      from ${columns(orders, ORDER)} as placed
    ), ${posting(placed.map(toMovement))}, ${taking(taken, { now, shard })}
    select`)
}

/** Gives the movement the order's id, because each order has one movement. */
function toMovement({ orderId, wanted, offer, shares, placedAt }: Placed): Movement {
  const keys = wanted.quantity === 1 ? offer.productName : `${wanted.quantity} × ${offer.productName}`
  return {
    id: orderId,
    userId: wanted.buyerId,
    kind: 'purchase',
    description: `${keys} (${offer.duration})`,
    now: placedAt,
    orderId,
    entries: shares.map(({ lot, amount }) => ({ lotId: lot.id, amount: negate(amount), expiresAt: lot.expiresAt })),
  }
}
