import { DESK, nameFor } from '../../leaks/places.ts'
import { aProgram, aReseller } from '../../worlds/resellers.ts'
import { unique } from '../../worlds/constants.ts'
import { nextUtr, type Buyer, type Shop } from '../../worlds/shop.ts'
import { DURATION, limited, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

/** A buyer whose payment is being checked, and then buys. */
async function wishing(shop: Shop): Promise<Buyer> {
  const buyer = await shop.buyer()
  const { _id: productId } = await shop.product({ stock: 1 })
  const then = { productId, duration: DURATION, quantity: 1, expectedPrice: 100 }
  await buyer.api.payments.addMoney({ amount: 100, utr: nextUtr(), payerName: '9876543210', then })
  return buyer
}

async function bought(shop: Shop): Promise<{ buyer: Buyer; orderId: string }> {
  const buyer = await shop.buyer({ balance: 500 })
  const { _id: productId } = await shop.product({ stock: 2 })
  const { order } = await buyer.api.orders.place({ productId, duration: DURATION, quantity: 2 })
  return { buyer, orderId: order._id }
}

export const orders: Walk<'orders'> = {
  succeed: {
    place: async (shop) => {
      const buyer = await shop.buyer({ balance: 500 })
      const product = await shop.product({ stock: 3 })
      return buyer.post(
        '/keys/buy',
        { productId: product._id, duration: '10days', quantity: '2' },
        { 'idempotency-key': unique('order') },
      )
    },
    mine: async (shop) => (await bought(shop)).buyer.get('/orders?since=2026-01-01T00:00:00Z&limit=500'),
    one: async (shop) => {
      const { buyer, orderId } = await bought(shop)
      return buyer.get(`/orders/${orderId}`)
    },
    wish: async (shop) => (await wishing(shop)).get('/orders/wish'),
    cancelWish: async (shop) => (await wishing(shop)).delete('/orders/wish'),
    exportPurchases: (shop) => shop.owner.get('/payments/purchases/export?search=&from=2026-01-01&to=2027-01-01'),
    purchases: (shop) => shop.owner.get('/payments/purchases?limit=50&skip=0&search=&from=2026-01-01&to=2027-01-01'),
  },
  refuse: {
    one: { NOT_FOUND: async (shop) => (await shop.buyer()).get(`/orders/${missing()}`) },
    cancelWish: { NOT_FOUND: async (shop) => (await shop.buyer()).delete('/orders/wish') },
    place: {
      PRODUCT_NOT_FOUND: async (shop) =>
        (await shop.buyer()).post('/keys/buy', { productId: missing(), duration: DURATION, quantity: 1 }),
      OUT_OF_STOCK: async (shop) =>
        (await shop.buyer({ balance: 500 })).post('/keys/buy', {
          productId: (await shop.product({ stock: 1 }))._id,
          duration: DURATION,
          quantity: 2,
        }),
      INSUFFICIENT_BALANCE: async (shop) =>
        (await shop.buyer({ balance: 99 })).post('/keys/buy', {
          productId: (await shop.product({ stock: 1 }))._id,
          duration: DURATION,
          quantity: 1,
        }),
      INVALID_PRICE: async (shop) =>
        (await shop.buyer()).post('/keys/buy', {
          productId: (await shop.product({ prices: { [DURATION]: 0 }, stock: 1 }))._id,
          duration: DURATION,
          quantity: 1,
        }),
      PRICE_CHANGED: async (shop) =>
        (await shop.buyer({ balance: 500 })).post('/keys/buy', {
          productId: (await shop.product({ stock: 1 }))._id,
          duration: DURATION,
          quantity: 1,
          expectedPrice: 1.01,
        }),
      LIMIT_REACHED: async (shop) =>
        (await shop.buyer({ balance: 500 })).post('/keys/buy', {
          productId: await limited(shop, { perBuyer: 1 }),
          duration: DURATION,
          quantity: 2,
        }),
      TRIAL_REFUSED: async (shop) =>
        (await shop.buyer()).post('/keys/buy', {
          productId: await limited(shop, { trial: true }),
          duration: DURATION,
          quantity: 1,
        }),
      IDEMPOTENCY_KEY_REQUIRED: async (shop) => {
        const program = await aProgram(shop, await aReseller(shop))
        return program.call('POST', '/keys/buy', { productId: missing(), duration: DURATION, quantity: 1 })
      },
      IDEMPOTENCY_KEY_REUSED: async (shop) => {
        const buyer = await shop.buyer({ balance: 500 })
        const productId = (await shop.product({ stock: 5 }))._id
        await buyer.post('/keys/buy', { productId, duration: DURATION, quantity: 1 }, { 'idempotency-key': 'one' })
        return buyer.post('/keys/buy', { productId, duration: DURATION, quantity: 2 }, { 'idempotency-key': 'one' })
      },
    },
  },
  shows: {
    purchases: nameFor(DESK),
    exportPurchases: nameFor(DESK),
  },
}
