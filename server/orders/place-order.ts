/** One buyer's purchase, from the request to the delivered keys. */
import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { toRupees } from '../../contract/money.ts'
import type { OrderRequest, PlacedOrder } from '../../contract/orders.ts'
import { anyShard, SHARDS } from '../keys/stock/stock-counters.ts'
import type { StockFloors } from '../keys/take-keys.ts'
import { openGroupCommit, type GroupCommit } from '../platform/database/group-commit.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import type { Services } from '../platform/services.ts'
import type { Wanted } from './decide-orders.ts'
import { placeOrders, type Placed, type PlaceOutcome } from './place-orders.ts'
import { readReceipt, type Receipt } from './repeated-orders.ts'

export type OrderBatcher = GroupCommit<Wanted, Exclude<PlaceOutcome, 'contended'>>

/** Takes in purchases; those that arrive together share a transaction. Each writer has its own stock counters. */
export function openOrderBatcher({ db }: Pick<Services, 'db'>, options: { answerMsMax?: number } = {}): OrderBatcher {
  const floors: StockFloors = new Map()
  const firstShard = anyShard()
  return openGroupCommit({
    ...options,
    tooMany: 'too many purchases wait',
    ownerOf: (wanted: Wanted) => wanted.buyerId,
    async commit(wanted, { now, writer, wait }) {
      const shard = (firstShard + writer) % SHARDS
      const outcomes = await db.transaction((tx) => placeOrders(tx, wanted, { now, shard, floors, wait }), {
        readsFirst: true,
        onePlan: true,
      })
      for (const outcome of outcomes)
        if (typeof outcome === 'object' && 'keys' in outcome && outcome.keys[0])
          floors.set(outcome.offer.priceId, outcome.keys[0].seq)
      return outcomes
    },
  })
}

interface Purchase {
  buyerId: string
  /** Of the program that buys. */
  tokenId?: string | undefined
  request: z.output<typeof OrderRequest>
  idempotencyKey: string | undefined
  now: Date
}

/**
 * Buys `quantity` keys with the wallet, or none, and then nothing has changed.
 * @throws Refusal PRODUCT_NOT_FOUND, INVALID_PRICE, PRICE_CHANGED, OUT_OF_STOCK (with `available`),
 *   INSUFFICIENT_BALANCE (with `shortfall` in rupees), IDEMPOTENCY_KEY_REUSED, or NO_SESSION when the account was
 *   closed in between, TOKEN_INVALID when the token was ended in between
 */
export async function placeOrder(
  batcher: OrderBatcher,
  { db, sealer, events }: Services,
  purchase: Purchase,
): Promise<PlacedOrder> {
  const { buyerId, tokenId, request, idempotencyKey, now } = purchase
  const idempotency =
    idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: hashRequest(request) }
  const outcome = await batcher.place({ buyerId, tokenId, ...request, idempotency }, now)
  const isStopped = outcome instanceof Refusal && outcome.code === 'NO_SESSION' && tokenId !== undefined
  if (outcome instanceof Refusal) throw isStopped ? new Refusal('TOKEN_INVALID') : outcome
  if ('repeatedOrderId' in outcome) return present(await readReceipt(db, outcome.repeatedOrderId), sealer)
  events.publish({ to: { user: buyerId }, name: 'balance' })
  events.publish({ to: 'everyone', name: 'stock', data: { productId: request.productId } })
  return present(receiptOf(outcome), sealer)
}

function hashRequest({ productId, duration, quantity }: z.output<typeof OrderRequest>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([productId.toLowerCase(), duration, quantity]))
    .digest()
}

function receiptOf({ orderId, offer, amount, balanceAfter, keys, expiresAt, placedAt }: Placed): Receipt {
  return {
    ...offer,
    id: orderId,
    unitPrice: toRupees(offer.unitPrice),
    amount: toRupees(amount),
    balanceAfter: toRupees(balanceAfter),
    createdAt: placedAt.toISOString(),
    keys: keys.map(({ id, sealed }) => ({ id, sealed, expiresAt: expiresAt.toISOString() })),
  }
}

function present({ keys, ...order }: Receipt, sealer: Sealer): PlacedOrder {
  const { id: _id, productId, productName, duration, createdAt: assignedAt, amount, unitPrice, balanceAfter } = order
  return {
    message: keys.length === 1 ? 'Key purchased successfully' : `${keys.length} keys purchased successfully`,
    keys: keys.map(({ id, sealed, expiresAt }) => ({
      _id: id,
      key: sealer.open('key', id, sealed),
      productId: { _id: productId, name: productName },
      duration,
      assignedAt,
      expiresAt,
    })),
    order: { _id, amount, unitPrice, quantity: keys.length, balanceAfter },
  }
}
