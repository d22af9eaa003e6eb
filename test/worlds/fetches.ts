/** Stores where buyers order what is out of stock. */
import { sql } from '../../server/platform/database/database.ts'
import { unique } from './constants.ts'
import type { Buyer } from './shop.ts'
import { DURATION, PRICE, withSuppliers, type Supplied } from './suppliers.ts'

/** A store where buyers can order up to five keys, and none is in stock. */
export const withFetches = (
  work: (given: Supplied) => Promise<void>,
  options: Parameters<typeof withSuppliers>[1] = {},
) =>
  withSuppliers(
    async (given) => {
      await given.work()
      await work(given)
    },
    { keep: 0, forBuyers: 5, ...options },
  )

export const wishOf = ({ here }: Supplied, quantity = 1, autoMax = quantity * PRICE) =>
  ({ productId: here.productId, duration: DURATION, quantity, autoMax, fetch: true }) as const
export const ask = (given: Supplied, buyer: Buyer, quantity = 1, key = unique('fetch')) =>
  buyer.post('/waiting', wishOf(given, quantity), { 'idempotency-key': key })
export const priceOf = async (given: Supplied, browser: Pick<Buyer, 'api'>) =>
  (await browser.api.catalogue.list()).find(({ _id }) => _id === given.here.productId)?.prices[0]
export const fetchOf = async (buyer: Buyer) => (await buyer.api.waiting.fetch()).fetch
export const keysOf = async (buyer: Buyer) => (await buyer.api.keys.mine()).length
export const balanceOf = async (buyer: Buyer) => (await buyer.api.sessions.me()).balance
export const inStock = ({ here }: Supplied) =>
  here.store.db.count(sql`
    select coalesce(sum(available), 0)::bigint from stock_counters where price_id = ${here.priceId}`)
/** How many of what buyers ordered was in vain. */
export const vainOf = async ({ here }: Supplied) => (await here.shop.owner.api.supply.links()).links[0]?.vain
export const toldOf = ({ here }: Supplied, { id }: Buyer) =>
  here.store.db.texts(sql`
    select kind from outbox_messages where user_id = ${id} and kind in ('fetch.ended', 'waiting.bought', 'stock.back')
     order by created_at, id`)
