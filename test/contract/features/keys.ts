import { unproven } from '../../worlds/admins.ts'
import { nameFor, type Places, type Roles } from '../../leaks/places.ts'
import { unique } from '../../worlds/constants.ts'
import { at, batch, DURATION, freeKey, missing, soldKey, undoneBatch } from '../things.ts'
import type { Walk } from '../walk.ts'

const STOCK: Roles = ['owner', 'stock']
const KEYS: Places = { ...nameFor(STOCK), 'sold key': STOCK, 'unsold key': STOCK }

export const keys: Walk<'keys'> = {
  succeed: {
    stock: (shop) => shop.visitor().get('/keys/all-stats'),
    mine: async (shop) => {
      const buyer = await shop.buyer({ balance: 100 })
      const product = await shop.product({ stock: 1 })
      await buyer.api.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
      return buyer.get('/keys/user')
    },
    list: async (shop) => {
      const { productId } = await freeKey(shop)
      return shop.owner.get(`/keys?productId=${productId}&duration=10%20Days`)
    },
    add: async (shop) =>
      shop.owner.post('/keys/bulk', {
        productId: (await shop.product())._id,
        duration: DURATION,
        keys: [unique(' K '), '', unique('K')],
      }),
    check: async (shop) => {
      const { productId, text } = await freeKey(shop)
      const keys = [text, (await freeKey(shop)).text, 'NEW', 'NEW', '', '\u0007']
      return shop.owner.post('/keys/bulk/check', { productId, duration: DURATION, keys })
    },
    export: async (shop) => shop.owner.post('/keys/export', { productId: (await freeKey(shop)).productId }),
    batches: async (shop) => shop.owner.get(`/keys/batches?productId=${(await batch(shop)).productId}&limit=20`),
    batch: async (shop) => shop.owner.get(`/keys/batches/${(await batch(shop)).id}`),
    editBatch: async (shop) => shop.owner.put(`/keys/batches/${(await batch(shop)).id}`, { supplier: 'Anand' }),
    undoBatch: async (shop) => shop.owner.post(`/keys/batches/${(await batch(shop)).id}/undo`),
    edit: async (shop) => shop.owner.put(`/keys/${(await freeKey(shop)).id}`, { key: unique('EDITED-') }),
    remove: async (shop) => shop.owner.delete(`/keys/${(await freeKey(shop)).id}`),
    removeAll: async (shop) => shop.owner.delete(at('/keys/bulk', (await freeKey(shop)).productId, DURATION)),
  },
  refuse: {
    list: { STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).get('/keys?limit=1') },
    add: {
      PRODUCT_NOT_FOUND: (shop) =>
        shop.owner.post('/keys/bulk', { productId: missing(), duration: DURATION, keys: ['K'] }),
      DUPLICATE_KEYS: async (shop) => {
        const { productId, text } = await freeKey(shop)
        return shop.owner.post('/keys/bulk', { productId, duration: DURATION, keys: [text, unique('NEW-')] })
      },
      NOT_FOUND: async (shop) => {
        const { id: batchId } = await batch(shop)
        const { _id: productId } = await shop.product()
        return shop.owner.post('/keys/bulk', { productId, duration: DURATION, keys: [unique('K')], batchId })
      },
      BATCH_UNDONE: async (shop) => {
        const { id: batchId, productId } = await undoneBatch(shop)
        return shop.owner.post('/keys/bulk', { productId, duration: DURATION, keys: [unique('K')], batchId })
      },
    },
    check: {
      PRODUCT_NOT_FOUND: (shop) =>
        shop.owner.post('/keys/bulk/check', { productId: missing(), duration: DURATION, keys: ['K'] }),
    },
    export: { STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/keys/export', {}) },
    batch: { NOT_FOUND: (shop) => shop.owner.get(`/keys/batches/${missing()}`) },
    editBatch: { NOT_FOUND: (shop) => shop.owner.put(`/keys/batches/${missing()}`, { note: 'Late' }) },
    undoBatch: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'stock')).post(`/keys/batches/${missing()}/undo`),
      NOT_FOUND: (shop) => shop.owner.post(`/keys/batches/${missing()}/undo`),
      BATCH_TOUCHED: async (shop) => {
        const { id, productId } = await batch(shop)
        const buyer = await shop.buyer({ balance: 100 })
        await buyer.api.orders.place({ productId, duration: DURATION, quantity: 1 })
        return shop.owner.post(`/keys/batches/${id}/undo`)
      },
      BATCH_UNDONE: async (shop) => shop.owner.post(`/keys/batches/${(await undoneBatch(shop)).id}/undo`),
    },
    edit: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'stock')).put(`/keys/${missing()}`, { key: 'K' }),
      NOT_FOUND: (shop) => shop.owner.put(`/keys/${missing()}`, { key: 'K' }),
      KEY_SOLD: async (shop) => shop.owner.put(`/keys/${await soldKey(shop)}`, { key: unique('K') }),
      KEY_EXISTS: async (shop) =>
        shop.owner.put(`/keys/${(await freeKey(shop)).id}`, { key: (await freeKey(shop)).text }),
    },
    remove: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'stock')).delete(`/keys/${missing()}`),
      NOT_FOUND: (shop) => shop.owner.delete(`/keys/${missing()}`),
      KEY_SOLD: async (shop) => shop.owner.delete(`/keys/${await soldKey(shop)}`),
    },
    removeAll: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'stock')).delete(at('/keys/bulk', missing(), DURATION)),
      PRODUCT_NOT_FOUND: (shop) => shop.owner.delete(at('/keys/bulk', missing(), DURATION)),
      STOCK_CHANGED: async (shop) =>
        shop.owner.delete(`${at('/keys/bulk', (await freeKey(shop)).productId, DURATION)}?expected=0`),
    },
  },
  shows: {
    list: KEYS,
    export: KEYS,
  },
}
