/** Each refusal that an endpoint about goods, money and the store declares, provoked. */
import { inject } from 'vitest'
import { unproven } from '../admins.ts'
import { administer } from '../engine.ts'
import { nextUtr } from '../shop.ts'
import { withStore } from '../store.ts'
import { unique } from '../world.ts'
import type { Provocations } from './refusals-of-accounts.ts'
import { at, batch, code, decided, DURATION, form, freeKey, missing, plan, soldKey, undoneBatch } from './things.ts'

export const refusalsOfTrade: Omit<Provocations, 'sessions' | 'privacy' | 'admins' | 'users'> = {
  catalogue: {
    list: {},
    create: {
      NAME_TAKEN: async (shop) =>
        shop.owner.post('/products', {
          name: (await shop.product()).name.toUpperCase(),
          prices: [{ duration: DURATION, price: 1 }],
        }),
    },
    update: {
      NOT_FOUND: (shop) =>
        shop.owner.put(`/products/${missing()}`, { name: unique('Game '), prices: [{ duration: DURATION, price: 1 }] }),
      NAME_TAKEN: async (shop) => {
        const { name } = await shop.product()
        return shop.owner.put(`/products/${(await shop.product())._id}`, {
          name,
          prices: [{ duration: DURATION, price: 1 }],
        })
      },
      STEP_UP_REQUIRED: async (shop) => {
        const { _id, name } = await shop.product({ prices: { [DURATION]: 100 } })
        return (await unproven(shop)).put(`/products/${_id}`, { name, prices: [{ duration: DURATION, price: 99.99 }] })
      },
    },
    remove: { NOT_FOUND: (shop) => shop.owner.delete(`/products/${missing()}`) },
    restore: {
      NOT_FOUND: async (shop) => shop.owner.post(`/products/${(await shop.product())._id}/restore`),
      NAME_TAKEN: async (shop) => {
        const { _id, name } = await shop.product()
        await shop.owner.api.catalogue.remove({ id: _id })
        await shop.product({ name: name.toUpperCase() })
        return shop.owner.post(`/products/${_id}/restore`)
      },
    },
    reorder: {},
  },
  keys: {
    stock: {},
    mine: {},
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
    batches: {},
    batch: { NOT_FOUND: (shop) => shop.owner.get(`/keys/batches/${missing()}`) },
    editBatch: { NOT_FOUND: (shop) => shop.owner.put(`/keys/batches/${missing()}`, { note: 'Late' }) },
    undoBatch: {
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
      NOT_FOUND: (shop) => shop.owner.put(`/keys/${missing()}`, { key: 'K' }),
      KEY_SOLD: async (shop) => shop.owner.put(`/keys/${await soldKey(shop)}`, { key: unique('K') }),
      KEY_EXISTS: async (shop) =>
        shop.owner.put(`/keys/${(await freeKey(shop)).id}`, { key: (await freeKey(shop)).text }),
    },
    remove: {
      NOT_FOUND: (shop) => shop.owner.delete(`/keys/${missing()}`),
      KEY_SOLD: async (shop) => shop.owner.delete(`/keys/${await soldKey(shop)}`),
    },
    removeAll: { PRODUCT_NOT_FOUND: (shop) => shop.owner.delete(at('/keys/bulk', missing(), DURATION)) },
  },
  orders: {
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
      IDEMPOTENCY_KEY_REUSED: async (shop) => {
        const buyer = await shop.buyer({ balance: 500 })
        const productId = (await shop.product({ stock: 5 }))._id
        await buyer.post('/keys/buy', { productId, duration: DURATION, quantity: 1 }, { 'idempotency-key': 'one' })
        return buyer.post('/keys/buy', { productId, duration: DURATION, quantity: 2 }, { 'idempotency-key': 'one' })
      },
    },
    purchases: {},
    exportPurchases: {},
  },
  wallet: { history: {} },
  payments: {
    addMoney: {
      PAYMENTS_OFF: async (shop) => {
        const buyer = await shop.buyer()
        await shop.owner.api.settings.saveUpi({ paymentEnabled: false })
        const answer = await buyer.post('/payments/add-money', { amount: 1, utr: nextUtr(), payerName: '9876543210' })
        await shop.owner.api.settings.saveUpi({ paymentEnabled: true })
        return answer
      },
      UTR_ALREADY_USED: async (shop) => {
        const utr = nextUtr()
        await (await shop.buyer()).api.payments.addMoney({ amount: 1, utr, payerName: '9876543210' })
        return (await shop.buyer()).post('/payments/add-money', {
          amount: 1,
          utr: ` 0000${utr}`,
          payerName: '9876543210',
        })
      },
      PLAN_NOT_FOUND: async (shop) =>
        (await shop.buyer()).post('/payments/add-money', {
          amount: 1,
          utr: nextUtr(),
          payerName: '9876543210',
          meta: { offer: true, planId: missing() },
        }),
      PLAN_CHANGED: async (shop) =>
        (await shop.buyer()).post('/payments/add-money', {
          amount: 1,
          utr: nextUtr(),
          payerName: '9876543210',
          meta: { offer: true, planId: await plan(shop) },
          expectedAmount: 1.01,
        }),
      TOO_MANY_PENDING: async (shop) => {
        const buyer = await shop.buyer()
        for (let n = 0; n < 5; n++)
          await buyer.api.payments.addMoney({ amount: 1, utr: nextUtr(), payerName: '9876543210' })
        return buyer.post('/payments/add-money', { amount: 1, utr: nextUtr(), payerName: '9876543210' })
      },
    },
    mine: {},
    activePlans: {},
    list: {},
    approve: {
      NOT_FOUND: (shop) => shop.owner.put(`/payments/${missing()}/approve`),
      NOT_PENDING: async (shop) => shop.owner.put(`/payments/${await decided(shop)}/approve`),
    },
    reject: {
      NOT_FOUND: (shop) => shop.owner.put(`/payments/${missing()}/reject`),
      NOT_PENDING: async (shop) => shop.owner.put(`/payments/${await decided(shop)}/reject`),
    },
    remove: { NOT_FOUND: (shop) => shop.owner.delete(`/payments/${missing()}`) },
    plans: {},
    createPlan: {},
    updatePlan: { NOT_FOUND: (shop) => shop.owner.put(`/payments/topup-plans/${missing()}`, { isActive: true }) },
    removePlan: { NOT_FOUND: (shop) => shop.owner.delete(`/payments/topup-plans/${missing()}`) },
  },
  referrals: {
    validate: {
      REFERRAL_NOT_FOUND: (shop) => shop.visitor().get('/referral/validate/NOSUCHCODE'),
      REFERRAL_USED_UP: async (shop) => {
        const { code: one } = await code(shop, { maxUsage: 1 })
        await shop.visitor().post('/auth/register', form(shop, { referralCode: one }))
        return shop.visitor().get(`/referral/validate/${one}`)
      },
    },
    list: {},
    stats: {},
    create: {
      CODE_TAKEN: async (shop) =>
        shop.owner.post('/referral', { code: shop.referralCode.toLowerCase(), description: 'Again' }),
    },
    update: {
      NOT_FOUND: (shop) => shop.owner.put(`/referral/${missing()}`, { isActive: true }),
      CODE_TAKEN: async (shop) => shop.owner.put(`/referral/${(await code(shop))._id}`, { code: shop.referralCode }),
    },
    remove: { NOT_FOUND: (shop) => shop.owner.delete(`/referral/${missing()}`) },
  },
  settings: {
    site: {},
    saveSite: {},
    upi: {},
    saveUpi: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/settings/upi', { upiId: 'thief@okaxis' }),
    },
    store: {},
    saveStore: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/settings/store', { stepUpAbove: 9_999_999 }),
    },
    notice: {},
    saveNotice: {},
    version: {},
    refreshVersion: {},
  },
  reports: {
    stats: {},
    overview: {},
    audit: {},
    exportAudit: {},
    healthReport: {},
    openapi: {},
    docs: {},
    events: {},
    metrics: {
      OPERATOR_REQUIRED: (shop) =>
        shop.visitor().call('GET', '/metrics', undefined, { 'x-forwarded-for': '203.0.113.7' }),
    },
    health: {
      SERVICE_UNAVAILABLE: () =>
        withStore(async (store) => {
          await administer(
            inject('engine').connection,
            `alter database ${store.databaseName} with allow_connections false`,
          )
          await administer(
            inject('engine').connection,
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${store.databaseName}'`,
          )
          await store.browser().get('/health')
          return store.browser().get('/health')
        }),
    },
  },
}
