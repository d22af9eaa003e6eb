/** One buyer's purchase, from the request to the delivered keys. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { durationKey } from '../../contract/duration.ts'
import { Refusal } from '../../contract/errors.ts'
import { paise, toRupees } from '../../contract/money.ts'
import type { OrderRequest, PlacedOrder } from '../../contract/orders.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import type { OrderBatcher } from './order-batcher.ts'
import type { Placed } from './place-orders.ts'

interface Purchase {
  buyerId: string
  request: z.output<typeof OrderRequest>
  idempotencyKey: string | undefined
  now: Date
}

/**
 * Buys `quantity` keys with the wallet, or none, and then nothing has changed.
 * @throws Refusal PRODUCT_NOT_FOUND, INVALID_PRICE, PRICE_CHANGED, OUT_OF_STOCK (with `available`),
 *   INSUFFICIENT_BALANCE (with `shortfall` in rupees), IDEMPOTENCY_KEY_REUSED, or NO_SESSION when the account was
 *   closed in between
 */
export async function placeOrder(
  batcher: OrderBatcher,
  { db, sealer, events }: Services,
  purchase: Purchase,
): Promise<PlacedOrder> {
  const { buyerId, request, idempotencyKey, now } = purchase
  const idempotency =
    idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: hashRequest(request) }
  const outcome = await batcher.place({ buyerId, ...request, idempotency }, now)
  if (outcome instanceof Refusal) throw outcome
  if ('repeatedOrderId' in outcome) return present(await readReceipt(db, outcome.repeatedOrderId), sealer.open)
  events.publish({ to: { user: buyerId }, name: 'balance' })
  events.publish({ to: 'everyone', name: 'stock', data: { productId: request.productId } })
  return present(receiptOf(outcome), sealer.open)
}

function hashRequest({ productId, duration, quantity }: z.output<typeof OrderRequest>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([productId.toLowerCase(), durationKey(duration), quantity]))
    .digest()
}

interface Receipt {
  id: string
  productId: string
  productName: string
  duration: string
  unitPaise: number
  amountPaise: number
  balanceAfterPaise: number
  createdAt: Date
  keys: { id: string; sealed: Buffer; expiresAt: Date }[]
}

function receiptOf({ orderId, offer, amount, balanceAfter, keys, expiresAt, placedAt }: Placed): Receipt {
  return {
    id: orderId,
    productId: offer.productId,
    productName: offer.productName,
    duration: offer.duration,
    unitPaise: offer.unitPrice,
    amountPaise: amount,
    balanceAfterPaise: balanceAfter,
    createdAt: placedAt,
    keys: keys.map(({ id, sealed }) => ({ id, sealed, expiresAt })),
  }
}

const ReceiptRow = z.object({
  id: z.string(),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  unitPaise: z.number(),
  amountPaise: z.number(),
  balanceAfterPaise: z.number(),
  createdAt: z.date(),
})
const ReceiptKeyRow = z.object({ id: z.string(), sealed: z.instanceof(Buffer), expiresAt: z.date() })

/** Reads the order's first answer. */
async function readReceipt(db: Database, orderId: string): Promise<Receipt> {
  const order = await db.one(
    ReceiptRow,
    sql`
    select orders.id, orders.product_id as "productId", orders.product_name as "productName", orders.duration,
           orders.unit_paise as "unitPaise", orders.amount_paise as "amountPaise",
           movement.balance_after_paise as "balanceAfterPaise", orders.created_at as "createdAt"
      from orders
      join wallet_movements movement on movement.order_id = orders.id and movement.kind = 'purchase'
     where orders.id = ${orderId}`,
  )
  const keys = await db.rows(
    ReceiptKeyRow,
    sql`select id, sealed, expires_at as "expiresAt" from license_keys where order_id = ${orderId} order by seq`,
  )
  return { ...order, keys }
}

function present(receipt: Receipt, open: (sealed: Buffer) => string): PlacedOrder {
  const { productId, productName, duration, createdAt } = receipt
  return {
    message:
      receipt.keys.length === 1 ? 'Key purchased successfully' : `${receipt.keys.length} keys purchased successfully`,
    keys: receipt.keys.map(({ id, sealed, expiresAt }) => ({
      _id: id,
      key: open(sealed),
      productId: { _id: productId, name: productName },
      duration,
      assignedAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    order: {
      _id: receipt.id,
      amount: toRupees(paise(receipt.amountPaise)),
      unitPrice: toRupees(paise(receipt.unitPaise)),
      quantity: receipt.keys.length,
      balanceAfter: toRupees(paise(receipt.balanceAfterPaise)),
    },
  }
}
