/** A shop whose keys of ten days are limited, and people with a phone and a browser of their own. */
import { expect } from 'vitest'
import { sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { withStore, type TestStore } from '../store.ts'
import { nextUtr, openShop, type Buyer, type Shop } from './shop.ts'

export const duration = '10 Days'

export interface Limited {
  store: TestStore
  shop: Shop
  productId: string
  priceId: string
  /** Pays ₹1,000 from a phone of their own, or from this one. */
  person(phone?: string): Promise<Buyer>
  setTerms(terms: object): Promise<unknown>
  /** @returns 'bought', or the code and what it says more */
  buy(buyer: Buyer, quantity?: number): Promise<unknown>
  keysOf(buyer: Buyer): Promise<number>
}

let phones = 9_100_000_000

export const withLimit = (terms: object, work: (given: Limited) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId, prices } = await shop.product({ stock: 30 })
    const priceId = prices[0]?._id ?? ''
    const setTerms = (more: object) =>
      shop.owner.api.catalogue.update({ id: productId, prices: [{ _id: priceId, duration, price: 100, ...more }] })
    await setTerms(terms)
    await work({
      store,
      shop,
      productId,
      priceId,
      setTerms,
      async person(phone = String((phones += 1))) {
        const buyer = await shop.buyer()
        await pay(shop, buyer, phone)
        return buyer
      },
      async buy(buyer, quantity = 1) {
        const { status, body } = await buyer.post('/keys/buy', { productId, duration, quantity })
        const { code, limit, bought, why } = body as Record<string, unknown>
        return status === 200 ? 'bought' : JSON.parse(JSON.stringify({ code, limit, bought, why }))
      },
      keysOf: (buyer) => store.db.count(sql`select count(*) from license_keys where assigned_to = ${buyer.id}`),
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

export async function pay(shop: Shop, buyer: Buyer, phone: string, utr = nextUtr()): Promise<string> {
  const { payment } = await buyer.api.payments.addMoney({ amount: 1_000, utr, payerName: phone })
  await shop.owner.api.payments.approve({ id: payment._id })
  return payment._id
}
