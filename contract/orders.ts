import * as z from 'zod/mini'
import { WantedDuration } from './duration.ts'
import type { Declarations } from './endpoint.ts'
import { Id, limitUpTo, Message, Moment, wholeNumber, saidInOthers } from './fields.ts'
import { OwnedKey } from './keys.ts'
import { ORDER_QUANTITY_MAX, ORDER_QUANTITY_MIN, OWN_ORDERS_MAX } from './limits.ts'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { paise, ZERO } from './money.ts'

export const OrderRequest = z.object({
  productId: Id,
  duration: WantedDuration,
  quantity: wholeNumber(
    ORDER_QUANTITY_MIN,
    ORDER_QUANTITY_MAX,
    `Enter a quantity from ${ORDER_QUANTITY_MIN} to ${ORDER_QUANTITY_MAX}`,
  ),
  /** The price of one key that the buyer saw. The order is refused if the store's price differs. */
  expectedPrice: z.optional(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter a price in rupees')),
})

/** What to buy as soon as a top-up is approved. */
export const WishRequest = z.extend(OrderRequest, {
  expectedPrice: rupeesBetween(paise(1), AMOUNT_MAX, 'Enter a price in rupees').check(
    z.describe('One key may cost this at most'),
  ),
})
export const WishReason = z.enum([
  'price',
  'stock',
  'money',
  'not-for-sale',
  'limit',
  'cancelled',
  'rejected',
  'replaced',
  'expired',
  'account',
])
export type WishReason = z.output<typeof WishReason>
export const Wish = z.object({
  topUpId: Id,
  productId: Id,
  productName: z.string().check(z.describe('Empty for what was never for sale to the buyer')),
  ...saidInOthers('productName'),
  duration: z.string(),
  quantity: z.number(),
  expectedPrice: Rupees,
  state: z.enum(['waiting', 'bought', 'ended']),
  reason: z.optional(WishReason.check(z.describe('Why nothing was bought'))),
  orderId: z.optional(Id),
})
export type Wish = z.output<typeof Wish>

export const PlacedOrder = z.object({
  message: z.string(),
  keys: z.array(OwnedKey),
  order: z.object({ _id: Id, amount: Rupees, unitPrice: Rupees, quantity: z.number(), balanceAfter: Rupees }),
})
export type PlacedOrder = z.output<typeof PlacedOrder>

/** A purchase, for a program that compares it with its own books. */
export const OwnOrder = z.object({
  _id: Id,
  idempotencyKey: z.nullable(z.string()),
  productId: Id,
  duration: z.string(),
  quantity: z.number(),
  amount: Rupees,
  refunded: Rupees,
  createdAt: Moment,
})
export type OwnOrder = z.output<typeof OwnOrder>

export const orders = {
  mine: {
    route: 'GET /orders',
    access: 'user',
    scope: 'look',
    summary:
      'The caller’s purchases, oldest first, from `since` on, that moment included. A reader goes on from the last ' +
      'one’s moment and drops what it has.',
    input: z.object({
      since: z.optional(z.iso.datetime({ offset: true, error: 'Enter a moment like 2026-11-20T15:44:00Z' })),
      limit: z.optional(limitUpTo(OWN_ORDERS_MAX)),
    }),
    output: z.object({ orders: z.array(OwnOrder) }),
  },
  one: {
    route: 'GET /orders/{id}',
    access: 'user',
    scope: 'look',
    summary: 'One of the caller’s purchases with its keys, replaced and new ones included.',
    input: z.object({ id: Id }),
    output: z.extend(OwnOrder, { keys: z.array(OwnedKey) }),
    refusals: ['NOT_FOUND'],
  },
  place: {
    route: 'POST /keys/buy',
    access: 'user',
    scope: 'buy',
    summary:
      'Buys keys with the wallet: all of them or none. With an Idempotency-Key, a repeated call gets the first ' +
      'answer again. By a token it needs the Idempotency-Key; an `expectedPrice` of 0 then asks for the first answer ' +
      'and never buys.',
    input: OrderRequest,
    output: PlacedOrder,
    refusals: [
      'PRODUCT_NOT_FOUND',
      'INVALID_PRICE',
      'PRICE_CHANGED',
      'LIMIT_REACHED',
      'TRIAL_REFUSED',
      'OUT_OF_STOCK',
      'INSUFFICIENT_BALANCE',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_KEY_REQUIRED',
    ],
    limit: 'buy',
    idempotent: true,
  },
  wish: {
    route: 'GET /orders/wish',
    access: 'user',
    summary: 'What the caller wants to buy as soon as a top-up is approved: the newest wish of the last 7 days.',
    output: z.object({ wish: z.nullable(Wish) }),
  },
  cancelWish: {
    route: 'DELETE /orders/wish',
    access: 'user',
    summary: 'Cancels the wish that waits. The top-up request stays.',
    output: Message,
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Declarations
