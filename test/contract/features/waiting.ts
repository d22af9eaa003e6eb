import type { Buyer, Shop } from '../../worlds/shop.ts'
import { sql } from '../../../server/platform/database/database.ts'
import { unique } from '../../worlds/constants.ts'
import { DURATION, limited, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

/** Takes a place in the queue for a new product without stock. */
async function place(shop: Shop, more: { stock?: number; autoMax?: number } = {}) {
  const buyer: Buyer = await shop.buyer()
  const { _id: productId } = await shop.product({ stock: more.stock ?? 0 })
  const wish = { productId, duration: DURATION, quantity: 2, ...(more.autoMax && { autoMax: more.autoMax }) }
  return { buyer, wish, answer: await buyer.post('/waiting', wish) }
}

/** A buyer with ₹1,000, and what can be ordered for buyers: five keys, at ₹100 each. */
async function fetchable(shop: Shop, more: { stock?: number; offer?: number } = {}) {
  const buyer = await shop.buyer({ balance: 1_000 })
  const product = await shop.product({ stock: more.stock ?? 0 })
  const { db, clock } = shop.store
  await db.run(sql`
    with link as (
      insert into supply_links (id, name, address, sealed, is_on, day_paise, runs_from, look_at, created_at)
      values (gen_random_uuid(), ${unique('Supplier ')}, 'https://keys.example', '', false, 100000, 'use',
              ${clock.now()}, ${clock.now()}) returning id)
    insert into supply_sources (price_id, link_id, duration, their_product, their_duration, their_name, cap_paise, keep,
                                their_paise, their_stock, for_buyers, offer)
    select ${product.prices[0]?._id}, id, ${DURATION}, gen_random_uuid(), ${DURATION}, 'Theirs', 9000, 0, 8000, 9, 5,
           ${more.offer ?? 5} from link`)
  const wish = { productId: product._id, duration: DURATION, quantity: 2, autoMax: 200, fetch: true }
  return { buyer, wish, ask: (other: object = {}) => buyer.post('/waiting', { ...wish, ...other }) }
}

export const waiting: Walk<'waiting'> = {
  succeed: {
    wait: async (shop) => (await place(shop)).answer,
    mine: async (shop) => (await place(shop)).buyer.get('/waiting/mine'),
    ended: async (shop) => (await place(shop)).buyer.get('/waiting/ended'),
    fetch: async (shop) => {
      const { buyer, ask } = await fetchable(shop)
      await ask()
      return buyer.get('/waiting/fetch')
    },
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
      NOT_FETCHABLE: async (shop) => (await fetchable(shop, { offer: 1 })).ask(),
      PRICE_CHANGED: async (shop) => (await fetchable(shop)).ask({ autoMax: 199 }),
      INSUFFICIENT_BALANCE: async (shop) => (await shop.buyer()).post('/waiting', (await fetchable(shop)).wish),
      FETCH_OPEN: async (shop) => {
        const { buyer, ask } = await fetchable(shop)
        await ask()
        const other = await fetchable(shop)
        return buyer.post('/waiting', other.wish)
      },
      TOO_MANY_FETCHES: async (shop) => {
        const { buyer, ask } = await fetchable(shop)
        for (const _ of [1, 2, 3]) await buyer.delete(`/waiting/${(await ask()).body._id}`)
        return ask()
      },
      IDEMPOTENCY_KEY_REUSED: async (shop) => {
        const { buyer, wish } = await fetchable(shop)
        const ask = (quantity: number) =>
          buyer.post('/waiting', { ...wish, quantity }, { 'idempotency-key': 'the same' })
        await ask(1)
        return ask(2)
      },
    },
    leave: { NOT_FOUND: async (shop) => (await shop.buyer()).delete(`/waiting/${missing()}`) },
  },
}
