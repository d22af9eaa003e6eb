import type { Buyer, Shop } from '../../worlds/shop.ts'
import { DURATION, limited, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

/** Takes a place in the queue for a new product without stock. */
async function place(shop: Shop, more: { stock?: number; autoMax?: number } = {}) {
  const buyer: Buyer = await shop.buyer()
  const { _id: productId } = await shop.product({ stock: more.stock ?? 0 })
  const wish = { productId, duration: DURATION, quantity: 2, ...(more.autoMax && { autoMax: more.autoMax }) }
  return { buyer, wish, answer: await buyer.post('/waiting', wish) }
}

export const waiting: Walk<'waiting'> = {
  succeed: {
    wait: async (shop) => (await place(shop)).answer,
    mine: async (shop) => (await place(shop)).buyer.get('/waiting/mine'),
    ended: async (shop) => (await place(shop)).buyer.get('/waiting/ended'),
    leave: async (shop) => {
      const { buyer } = await place(shop)
      const [own] = await buyer.api.waiting.mine()
      return buyer.delete(`/waiting/${own?._id}`)
    },
    demand: async (shop) => {
      await place(shop)
      return shop.owner.get('/waiting?limit=10')
    },
    settings: (shop) => shop.owner.get('/settings/waiting'),
    saveSettings: (shop) => shop.owner.put('/settings/waiting', { autoBuy: false, leadDays: 3 }),
  },
  refuse: {
    wait: {
      PRODUCT_NOT_FOUND: async (shop) =>
        (await shop.buyer()).post('/waiting', { productId: missing(), duration: DURATION }),
      LIMIT_REACHED: async (shop) =>
        (await shop.buyer()).post('/waiting', {
          productId: await limited(shop, { perBuyer: 1 }),
          duration: DURATION,
          quantity: 2,
        }),
      IN_STOCK: async (shop) => (await place(shop, { stock: 2 })).answer,
      ALREADY_WAITING: async (shop) => {
        const { buyer, wish } = await place(shop)
        return buyer.post('/waiting', wish)
      },
      AUTO_BUY_OFF: async (shop) => {
        await shop.owner.api.waiting.saveSettings({ autoBuy: false })
        return (await place(shop, { autoMax: 500 })).answer
      },
    },
    leave: { NOT_FOUND: async (shop) => (await shop.buyer()).delete(`/waiting/${missing()}`) },
  },
}
