import type { Buyer, Shop } from '../../worlds/shop.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { DURATION, limited, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

/** A buyer with a key, which he may renew. */
async function holder(shop: Shop, duration = DURATION): Promise<{ buyer: Buyer; keyId: string; productId: string }> {
  const buyer = await shop.buyer({ balance: 500 })
  const { _id: productId } = await shop.product({ prices: { [duration]: 100 }, stock: 1 })
  const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
  return { buyer, keyId: keys[0]?._id ?? '', productId }
}

async function renewing(shop: Shop) {
  const given = await holder(shop)
  return { ...given, renewal: await given.buyer.api.renewals.make({ keyId: given.keyId, max: 120 }) }
}

export const renewals: Walk<'renewals'> = {
  succeed: {
    make: async (shop) => {
      const { buyer, keyId } = await holder(shop)
      return buyer.post('/renewals', { keyId, max: '120' })
    },
    mine: async (shop) => (await renewing(shop)).buyer.get('/renewals'),
    stop: async (shop) => {
      const { buyer, renewal } = await renewing(shop)
      return buyer.delete(`/renewals/${renewal._id}`)
    },
  },
  refuse: {
    make: {
      NOT_FOUND: async (shop) => (await shop.buyer()).post('/renewals', { keyId: missing() }),
      KEY_EXPIRED: async (shop) => {
        const { buyer, keyId } = await holder(shop, '1 Hour')
        shop.store.clock.advance(DAY_MS / 12)
        return buyer.post('/renewals', { keyId })
      },
      PRODUCT_NOT_FOUND: async (shop) => {
        const { buyer, keyId, productId } = await holder(shop)
        await shop.owner.api.catalogue.update({ id: productId, isListed: false })
        return buyer.post('/renewals', { keyId })
      },
      LIMIT_REACHED: async (shop) => {
        const { buyer, keyId, productId } = await holder(shop)
        await limited(shop, { perBuyer: 1 }, productId)
        return buyer.post('/renewals', { keyId })
      },
      TOO_SHORT: async (shop) => {
        const { buyer, keyId } = await holder(shop, '2 Days')
        return buyer.post('/renewals', { keyId, repeat: true })
      },
      CANNOT_TELL: async (shop) => {
        const { buyer, keyId } = await holder(shop)
        return buyer.post('/renewals', { keyId, repeat: true })
      },
    },
    stop: { NOT_FOUND: async (shop) => (await shop.buyer()).delete(`/renewals/${missing()}`) },
  },
}
