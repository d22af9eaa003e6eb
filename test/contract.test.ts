/**
 * Every endpoint, walked from the contract itself. The two tables below are typed by it: an endpoint without a
 * success, or a declared refusal without a provocation, does not compile; the store runs in strict mode, so an
 * answer that names more than its schema, or a refusal that was not declared, is a 500 and fails here.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { api, type Api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { refusalStatus, type RefusalCode } from '../contract/errors.ts'
import { newId } from '../server/platform/ids.ts'
import { anAdmin, codeOf, enrolled, unproven } from './admins.ts'
import { administer } from './engine.ts'
import { nextUtr, openShop, OWNER, PASSWORD, type Buyer, type Shop } from './shop.ts'
import { startStore, withStore, type Answer, type TestStore } from './store.ts'
import { unique } from './world.ts'

type Act = (shop: Shop) => Promise<Answer>
type Successes = { [F in keyof Api]: { [N in keyof Api[F]]: Act } }
type Provocations = {
  [F in keyof Api]: {
    [N in keyof Api[F]]: Api[F][N] extends { refusals: readonly (infer C extends RefusalCode)[] }
      ? Record<C, Act>
      : never
  }
}

const DAY_MS = 24 * 3_600_000
const DURATION = '10 Days'
const at = (path: string, ...parts: string[]) => path + parts.map((part) => `/${encodeURIComponent(part)}`).join('')

/** A pending request of a new buyer. */
async function pending(shop: Shop): Promise<string> {
  const buyer = await shop.buyer()
  const { payment } = await buyer.api.payments.addMoney({ amount: 100, utr: nextUtr(), payerName: '9876543210' })
  return payment._id
}

async function decided(shop: Shop): Promise<string> {
  const id = await pending(shop)
  await shop.owner.api.payments.approve({ id })
  return id
}

async function plan(shop: Shop): Promise<string> {
  return (await shop.owner.api.payments.createPlan({ amount: 100, bonus: 120 }))._id
}

async function code(shop: Shop, more: { maxUsage?: number } = {}): Promise<{ _id: string; code: string }> {
  return shop.owner.api.referrals.create({ code: unique('C').toUpperCase(), description: 'A code', ...more })
}

/** An unsold key of a new product. */
async function freeKey(shop: Shop): Promise<{ id: string; text: string; productId: string }> {
  const product = await shop.product({ stock: 2 })
  const [key] = await shop.owner.api.keys.list({ productId: product._id, duration: DURATION })
  if (!key) throw new Error('No key')
  return { id: key._id, text: key.key, productId: product._id }
}

/** A batch of one key of a new product. */
async function batch(shop: Shop): Promise<{ id: string; productId: string }> {
  const { _id: productId } = await shop.product()
  const { batchId = '' } = await shop.owner.api.keys.add({ productId, duration: DURATION, keys: [unique('B-')] })
  return { id: batchId, productId }
}

async function undoneBatch(shop: Shop): Promise<{ id: string; productId: string }> {
  const made = await batch(shop)
  await shop.owner.api.keys.undoBatch({ id: made.id })
  return made
}

async function soldKey(shop: Shop): Promise<string> {
  const product = await shop.product({ stock: 1 })
  const buyer = await shop.buyer({ balance: 100 })
  const { keys } = await buyer.api.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
  return keys[0]?._id ?? ''
}

/** A sign-up form, filled in rightly but for what is given. */
function form(shop: Shop, wrong: Record<string, string> = {}): Record<string, string> {
  const username = unique('new')
  return { username, email: `${username}@example.in`, password: PASSWORD, referralCode: shop.referralCode, ...wrong }
}

/** A buyer who has asked for the account to be closed. */
async function closing(shop: Shop): Promise<Buyer> {
  const buyer = await shop.buyer()
  await buyer.api.privacy.closeAccount({ password: PASSWORD })
  return buyer
}

const successes: Successes = {
  sessions: {
    register: (shop) => shop.visitor().post('/auth/register', form(shop)),
    login: async (shop) => {
      const buyer = await shop.buyer()
      return buyer.post('/auth/login', { username: buyer.email, password: PASSWORD })
    },
    resetDeviceLock: () =>
      withStore(async (store) => {
        const buyer = await (await openShop(store)).buyer()
        store.clock.advance(DAY_MS)
        return store.browser().post('/auth/reset-device-lock', { username: buyer.username, password: PASSWORD })
      }),
    me: async (shop) => (await shop.buyer({ balance: 10 })).get('/auth/me'),
    logout: async (shop) => (await shop.buyer()).post('/auth/logout'),
    changePassword: async (shop) =>
      (await shop.buyer()).post('/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'another long password',
      }),
    list: async (shop) => (await shop.buyer()).get('/auth/sessions'),
    end: async (shop) => {
      const buyer = await shop.buyer()
      const { sessions } = await buyer.api.sessions.list()
      return buyer.delete(`/auth/sessions/${sessions[0]?._id}`)
    },
    resetPassword: async (shop) => {
      const { link } = await shop.owner.api.users.issueResetLink({ id: (await shop.buyer()).id })
      return shop
        .visitor()
        .post('/auth/reset-password', { token: link.split('#')[1], newPassword: 'a forgotten password' })
    },
    corsTest: (shop) => shop.visitor().get('/cors-test'),
    adminLogin: (shop) => shop.visitor().post('/admin/login', OWNER),
    adminCheck: (shop) => shop.owner.get('/admin/check'),
    adminLogout: async (shop) => {
      const other = shop.visitor()
      await other.api.sessions.adminLogin(OWNER)
      return other.post('/admin/logout')
    },
  },
  privacy: {
    myData: async (shop) => (await shop.buyer({ balance: 50 })).get('/auth/my-data'),
    closeAccount: async (shop) => (await shop.buyer()).post('/auth/close-account', { password: PASSWORD }),
    keepAccount: async (shop) => {
      const { username } = await closing(shop)
      return shop.visitor().post('/auth/keep-account', { username, password: PASSWORD })
    },
  },
  admins: {
    list: (shop) => shop.owner.get('/admin/admins'),
    create: (shop) =>
      shop.owner.post('/admin/admins', { username: unique('admin'), password: OWNER.password, role: 'stock' }),
    update: async (shop) => {
      const { admin } = await anAdmin(shop)
      return shop.owner.put(`/admin/admins/${admin._id}`, { role: 'support', disabled: true, removeSecondFactor: true })
    },
    changePassword: async (shop) =>
      (await anAdmin(shop)).browser.post('/admin/change-password', {
        currentPassword: OWNER.password,
        newPassword: 'another long admin password',
      }),
    stepUp: (shop) => shop.owner.post('/admin/step-up', { password: OWNER.password }),
    enrol: async (shop) => (await anAdmin(shop)).browser.post('/admin/totp/enrol', { password: OWNER.password }),
    confirm: async (shop) => {
      const { browser } = await anAdmin(shop)
      const { secret } = await browser.api.admins.enrol({ password: OWNER.password })
      return browser.post('/admin/totp/confirm', { totp: codeOf(shop, secret) })
    },
    renewRecoveryCodes: async (shop) => (await enrolled(shop)).browser.post('/admin/totp/recovery-codes'),
    disable: async (shop) => {
      const { browser, recoveryCodes } = await enrolled(shop)
      return browser.post('/admin/totp/disable', { password: OWNER.password, totp: recoveryCodes[0] })
    },
    sessions: (shop) => shop.owner.get('/admin/sessions'),
    endSession: async (shop) => {
      const { browser } = await anAdmin(shop)
      const { sessions } = await browser.api.admins.sessions()
      return browser.delete(`/admin/sessions/${sessions[0]?._id}`)
    },
  },
  users: {
    list: async (shop) => {
      const buyer = await shop.buyer({ balance: 10 })
      return shop.owner.get(`/admin/users?search=${buyer.username}&limit=10&skip=0`)
    },
    update: async (shop) => {
      const buyer = await shop.buyer()
      const product = await shop.product()
      return shop.owner.put(`/admin/users/${buyer.id}/custom-prices`, {
        customPrices: [{ productId: product._id, duration: DURATION, price: '80' }],
        hiddenProducts: [product._id],
        balance: 25,
        reason: 'Goodwill',
      })
    },
    remove: async (shop) => shop.owner.delete(`/admin/users/${(await shop.buyer()).id}`),
    payments: async (shop) => shop.owner.get(`/payments/user/${(await shop.buyer({ balance: 10 })).id}`),
    sessions: async (shop) => shop.owner.get(`/admin/users/${(await shop.buyer()).id}/sessions`),
    endSession: async (shop) => {
      const { id } = await shop.buyer()
      const { sessions } = await shop.owner.api.users.sessions({ id })
      return shop.owner.delete(`/admin/users/${id}/sessions/${sessions[0]?._id}`)
    },
    keys: async (shop) => {
      const buyer = await shop.buyer({ balance: 100 })
      const product = await shop.product({ stock: 1 })
      await buyer.api.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
      return shop.owner.get(`/admin/users/${buyer.id}/keys?limit=10&skip=0`)
    },
    issueResetLink: async (shop) => shop.owner.post(`/admin/users/${(await shop.buyer()).id}/reset-link`),
    unlockDevice: async (shop) => shop.owner.post(`/admin/users/${(await shop.buyer()).id}/unlock-device`),
  },
  catalogue: {
    list: (shop) => shop.visitor().get('/products'),
    create: (shop) =>
      shop.owner.post('/products', {
        name: unique('Game '),
        description: '',
        prices: [{ duration: '1day', price: '19.99' }],
        hot: true,
      }),
    update: async (shop) => {
      const { _id, prices } = await shop.product({ stock: 1 })
      return shop.owner.put(`/products/${_id}`, {
        name: unique('Renamed '),
        prices: [{ _id: prices[0]?._id, duration: '2 Weeks', price: 5 }],
      })
    },
    remove: async (shop) => shop.owner.delete(`/products/${(await shop.product())._id}`),
    restore: async (shop) => {
      const { _id } = await shop.product()
      await shop.owner.api.catalogue.remove({ id: _id })
      return shop.owner.post(`/products/${_id}/restore`)
    },
    reorder: async (shop) => shop.owner.put('/products/order', { productIds: [(await shop.product())._id] }),
  },
  keys: {
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
    undoBatch: async (shop) => shop.owner.post(`/keys/batches/${(await batch(shop)).id}/undo`),
    edit: async (shop) => shop.owner.put(`/keys/${(await freeKey(shop)).id}`, { key: unique('EDITED-') }),
    remove: async (shop) => shop.owner.delete(`/keys/${(await freeKey(shop)).id}`),
    removeAll: async (shop) => shop.owner.delete(at('/keys/bulk', (await freeKey(shop)).productId, DURATION)),
  },
  orders: {
    place: async (shop) => {
      const buyer = await shop.buyer({ balance: 500 })
      const product = await shop.product({ stock: 3 })
      return buyer.post(
        '/keys/buy',
        { productId: product._id, duration: '10days', quantity: '2' },
        { 'idempotency-key': unique('order') },
      )
    },
    exportPurchases: (shop) => shop.owner.get('/payments/purchases/export?search=&from=2026-01-01&to=2027-01-01'),
    purchases: (shop) => shop.owner.get('/payments/purchases?limit=50&skip=0&search=&from=2026-01-01&to=2027-01-01'),
  },
  wallet: {
    history: async (shop) => (await shop.buyer({ balance: 100 })).get('/auth/balance-history?limit=50'),
  },
  payments: {
    addMoney: async (shop) =>
      (await shop.buyer()).post('/payments/add-money', {
        amount: '250.50',
        utr: nextUtr(),
        payerName: '+91 98765 43210',
        meta: { offer: true, planId: await plan(shop) },
      }),
    mine: async (shop) => (await shop.buyer({ balance: 50 })).get('/payments/mine'),
    activePlans: async (shop) => {
      await plan(shop)
      return (await shop.buyer()).get('/payments/topup-plans/active')
    },
    list: async (shop) => {
      await decided(shop)
      return shop.owner.get('/payments?limit=10&skip=0&search=')
    },
    approve: async (shop) => shop.owner.put(`/payments/${await pending(shop)}/approve`),
    reject: async (shop) =>
      shop.owner.put(`/payments/${await pending(shop)}/reject`, { reason: 'Not on the statement' }),
    remove: async (shop) => shop.owner.delete(`/payments/${await decided(shop)}`),
    plans: (shop) => shop.owner.get('/payments/topup-plans'),
    createPlan: (shop) => shop.owner.post('/payments/topup-plans', { amount: '500', bonus: '550', isActive: true }),
    updatePlan: async (shop) => shop.owner.put(`/payments/topup-plans/${await plan(shop)}`, { isActive: false }),
    removePlan: async (shop) => shop.owner.delete(`/payments/topup-plans/${await plan(shop)}`),
  },
  referrals: {
    validate: (shop) => shop.visitor().get(`/referral/validate/${shop.referralCode.toLowerCase()}`),
    list: (shop) => shop.owner.get('/referral'),
    stats: (shop) => shop.owner.get('/referral/stats'),
    create: (shop) =>
      shop.owner.post('/referral', {
        code: unique('n'),
        description: 'New',
        maxUsage: '',
        rewardAmount: '12.50',
        isActive: true,
      }),
    update: async (shop) => shop.owner.put(`/referral/${(await code(shop))._id}`, { isActive: false }),
    remove: async (shop) => shop.owner.delete(`/referral/${(await code(shop))._id}`),
  },
  settings: {
    site: (shop) => shop.visitor().get('/settings/site'),
    saveSite: (shop) => shop.owner.put('/settings/site', { websiteName: 'Chaabi', websiteTitle: 'Keys' }),
    upi: (shop) => shop.visitor().get('/settings/upi'),
    saveUpi: (shop) => shop.owner.put('/settings/upi', { upiId: 'shop@okaxis', paymentEnabled: true }),
    store: (shop) => shop.owner.get('/settings/store'),
    saveStore: (shop) =>
      shop.owner.put('/settings/store', {
        supportUrl: 'https://chat.example/shop',
        merchantVpa: false,
        topupMax: '100000',
        topupValidityDays: null,
      }),
    notice: (shop) => shop.visitor().get('/notice'),
    saveNotice: (shop) => shop.owner.put('/notice', { text: 'Line one\nLine two' }),
    version: (shop) => shop.visitor().get('/settings/version'),
    refreshVersion: (shop) => shop.owner.post('/settings/refresh-version'),
  },
  reports: {
    stats: (shop) => shop.owner.get('/admin/stats'),
    healthReport: (shop) => shop.owner.get('/admin/health-report'),
    overview: (shop) => shop.owner.get('/admin/overview?days=30'),
    audit: (shop) => shop.owner.get('/admin/audit?limit=20&from=2026-01-01&to=2027-01-01'),
    exportAudit: (shop) => shop.owner.get('/admin/audit/export?action=payment&search=owner'),
    health: (shop) => shop.visitor().get('/health'),
    metrics: (shop) => shop.visitor().get('/metrics'),
    openapi: (shop) => shop.visitor().get('/openapi.json'),
    docs: async (shop) => {
      const cookie = [...shop.owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${shop.store.url}/api/docs`, { headers: { cookie } })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    events: async (shop) => {
      const buyer = await shop.buyer()
      const ending = new AbortController()
      const response = await fetch(`${shop.store.url}/api/events`, {
        headers: { cookie: [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        signal: ending.signal,
      })
      ending.abort()
      return { status: response.status, headers: response.headers, body: undefined }
    },
  },
}

const missing = () => newId()

const provocations: Provocations = {
  sessions: {
    register: {
      ACCOUNT_TAKEN: async (shop) => {
        const { username } = await shop.buyer()
        return shop.visitor().post('/auth/register', form(shop, { username: username.toUpperCase() }))
      },
      INVALID_REFERRAL: (shop) => shop.visitor().post('/auth/register', form(shop, { referralCode: 'NOSUCHCODE' })),
    },
    login: {
      WRONG_CREDENTIALS: (shop) => shop.visitor().post('/auth/login', { username: 'nobody', password: PASSWORD }),
      ACCOUNT_CLOSING: async (shop) =>
        shop.visitor().post('/auth/login', { username: (await closing(shop)).username, password: PASSWORD }),
      DEVICE_ALREADY_LOGGED_IN: async (shop) => {
        const { username } = await shop.buyer()
        return shop.visitor().post('/auth/login', { username, password: PASSWORD })
      },
    },
    resetDeviceLock: {
      WRONG_CREDENTIALS: async (shop) =>
        shop
          .visitor()
          .post('/auth/reset-device-lock', { username: (await shop.buyer()).username, password: 'wrong password' }),
      RESET_COOLDOWN: async (shop) =>
        shop.visitor().post('/auth/reset-device-lock', { username: (await shop.buyer()).username, password: PASSWORD }),
      NO_DEVICE_LOCK: async (shop) => {
        const buyer = await shop.buyer()
        await buyer.post('/auth/logout')
        return shop.visitor().post('/auth/reset-device-lock', { username: buyer.username, password: PASSWORD })
      },
    },
    me: {},
    logout: {},
    changePassword: {
      WRONG_PASSWORD: async (shop) =>
        (await shop.buyer()).post('/auth/change-password', {
          currentPassword: 'wrong',
          newPassword: 'another long password',
        }),
    },
    list: {},
    end: { NOT_FOUND: async (shop) => (await shop.buyer()).delete(`/auth/sessions/${missing()}`) },
    resetPassword: {
      RESET_LINK_INVALID: (shop) =>
        shop.visitor().post('/auth/reset-password', { token: 'made-up', newPassword: 'a forgotten password' }),
    },
    corsTest: {},
    adminLogin: {
      WRONG_CREDENTIALS: (shop) => shop.visitor().post('/admin/login', { username: 'admin', password: 'admin' }),
      TOTP_REQUIRED: async (shop) => {
        const { admin } = await enrolled(shop)
        return shop.visitor().post('/admin/login', { username: admin.username, password: OWNER.password })
      },
      TOTP_INVALID: async (shop) => {
        const { admin } = await enrolled(shop)
        const credentials = { username: admin.username, password: OWNER.password }
        return shop.visitor().post('/admin/login', { ...credentials, totp: 'not a code' })
      },
    },
    adminCheck: { NO_SESSION: (shop) => shop.visitor().get('/admin/check') },
    adminLogout: {},
  },
  privacy: {
    myData: {},
    closeAccount: {
      WRONG_PASSWORD: async (shop) => (await shop.buyer()).post('/auth/close-account', { password: 'wrong' }),
      BALANCE_LEFT: async (shop) =>
        (await shop.buyer({ balance: 1 })).post('/auth/close-account', { password: PASSWORD }),
      REQUEST_PENDING: async (shop) => {
        const buyer = await shop.buyer()
        await buyer.api.payments.addMoney({ amount: 1, utr: nextUtr(), payerName: '9876543210' })
        return buyer.post('/auth/close-account', { password: PASSWORD })
      },
    },
    keepAccount: {
      WRONG_CREDENTIALS: async (shop) =>
        shop.visitor().post('/auth/keep-account', { username: (await closing(shop)).username, password: 'wrong' }),
      ACCOUNT_NOT_CLOSING: async (shop) =>
        shop.visitor().post('/auth/keep-account', { username: (await shop.buyer()).username, password: PASSWORD }),
    },
  },
  admins: {
    list: {},
    create: {
      ADMIN_TAKEN: (shop) =>
        shop.owner.post('/admin/admins', { username: 'OWNER', password: OWNER.password, role: 'stock' }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).post('/admin/admins', {
          username: unique('admin'),
          password: OWNER.password,
          role: 'stock',
        }),
    },
    update: {
      NOT_FOUND: (shop) => shop.owner.put(`/admin/admins/${missing()}`, { role: 'stock' }),
      LAST_OWNER: () =>
        withStore(async (store) => {
          const { owner } = await openShop(store)
          const { admin } = await owner.api.sessions.adminCheck()
          return owner.put(`/admin/admins/${admin.id}`, { disabled: true })
        }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put(`/admin/admins/${(await anAdmin(shop)).admin._id}`, { role: 'owner' }),
    },
    changePassword: {
      WRONG_PASSWORD: async (shop) =>
        shop.owner.post('/admin/change-password', { currentPassword: 'wrong', newPassword: OWNER.password }),
    },
    stepUp: {
      WRONG_PASSWORD: (shop) => shop.owner.post('/admin/step-up', { password: 'wrong' }),
      WRONG_CODE: (shop) => shop.owner.post('/admin/step-up', { totp: '000000' }),
    },
    enrol: {
      WRONG_PASSWORD: (shop) => shop.owner.post('/admin/totp/enrol', { password: 'wrong' }),
      ALREADY_ENROLLED: async (shop) =>
        (await enrolled(shop)).browser.post('/admin/totp/enrol', { password: OWNER.password }),
    },
    confirm: {
      WRONG_CODE: async (shop) => {
        const { browser } = await anAdmin(shop)
        await browser.api.admins.enrol({ password: OWNER.password })
        return browser.post('/admin/totp/confirm', { totp: 'not a code' })
      },
      NOT_ENROLLED: async (shop) => (await anAdmin(shop)).browser.post('/admin/totp/confirm', { totp: '123456' }),
    },
    renewRecoveryCodes: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/admin/totp/recovery-codes'),
      NOT_ENROLLED: async (shop) => (await anAdmin(shop)).browser.post('/admin/totp/recovery-codes'),
    },
    disable: {
      WRONG_PASSWORD: async (shop) =>
        (await enrolled(shop)).browser.post('/admin/totp/disable', { password: 'wrong', totp: '1' }),
      WRONG_CODE: async (shop) =>
        (await enrolled(shop)).browser.post('/admin/totp/disable', { password: OWNER.password, totp: 'not a code' }),
      NOT_ENROLLED: async (shop) =>
        (await anAdmin(shop)).browser.post('/admin/totp/disable', { password: OWNER.password, totp: '123456' }),
    },
    sessions: {},
    endSession: { NOT_FOUND: (shop) => shop.owner.delete(`/admin/sessions/${missing()}`) },
  },
  users: {
    list: {},
    update: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put(`/admin/users/${(await shop.buyer()).id}/custom-prices`, { balance: 10_000.01 }),
      NOT_FOUND: (shop) => shop.owner.put(`/admin/users/${missing()}/custom-prices`, { balance: 1 }),
      PRODUCT_NOT_FOUND: async (shop) =>
        shop.owner.put(`/admin/users/${(await shop.buyer()).id}/custom-prices`, {
          customPrices: [{ productId: missing(), duration: DURATION, price: 1 }],
        }),
      INSUFFICIENT_BALANCE: async (shop) =>
        shop.owner.put(`/admin/users/${(await shop.buyer({ balance: 10 })).id}/custom-prices`, { balance: -11 }),
      IDEMPOTENCY_KEY_REUSED: async (shop) => {
        const path = `/admin/users/${(await shop.buyer()).id}/custom-prices`
        const key = { 'idempotency-key': unique('change') }
        await shop.owner.put(path, { balance: 1 }, key)
        return shop.owner.put(path, { balance: 2 }, key)
      },
    },
    remove: { NOT_FOUND: (shop) => shop.owner.delete(`/admin/users/${missing()}`) },
    payments: { NOT_FOUND: (shop) => shop.owner.get(`/payments/user/${missing()}`) },
    sessions: { NOT_FOUND: (shop) => shop.owner.get(`/admin/users/${missing()}/sessions`) },
    endSession: {
      NOT_FOUND: async (shop) => shop.owner.delete(`/admin/users/${(await shop.buyer()).id}/sessions/${missing()}`),
    },
    keys: { NOT_FOUND: (shop) => shop.owner.get(`/admin/users/${missing()}/keys`) },
    issueResetLink: { NOT_FOUND: (shop) => shop.owner.post(`/admin/users/${missing()}/reset-link`) },
    unlockDevice: { NOT_FOUND: (shop) => shop.owner.post(`/admin/users/${missing()}/unlock-device`) },
  },
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
    list: {},
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

/** Every endpoint with its name, and the path with plausible parameters in it. */
const endpoints = Object.entries(api).flatMap(([feature, all]) =>
  Object.entries(all as Record<string, Endpoint>).map(([name, endpoint]) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    path: endpoint.path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, () => newId()),
    succeed: (successes[feature as keyof Api] as Record<string, Act>)[name] as Act,
    provoke: Object.entries(
      (provocations[feature as keyof Api] as Record<string, Record<string, Act>>)[name] ?? {},
    ) as [RefusalCode, Act][],
  })),
)

let store: TestStore & { stop(): Promise<void> }
let shop: Shop

beforeAll(async () => {
  store = await startStore(inject('engine'))
  shop = await openShop(store)
})

afterAll(() => store.stop())

describe('turns away who may not call', () => {
  for (const { name, endpoint, path } of endpoints.filter((each) =>
    ['user', 'admin', 'user-or-admin'].includes(each.endpoint.access),
  )) {
    test(`a visitor: ${name}`, async () => {
      const answer = await shop.visitor().call(endpoint.method, path)
      expect(answer).toMatchObject({ status: 401, body: { code: 'NO_SESSION', message: expect.any(String) as string } })
    })
  }
  for (const { name, endpoint, path } of endpoints.filter((each) => each.endpoint.access === 'admin')) {
    test(`a signed-in user: ${name}`, async () => {
      const answer = await (await shop.buyer()).call(endpoint.method, path)
      expect(answer).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } })
    })
  }
  for (const { name, endpoint, path } of endpoints.filter((each) => each.endpoint.access === 'user')) {
    test(`an admin without a user's session: ${name}`, async () => {
      const answer = await shop.owner.call(endpoint.method, path)
      expect(answer).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
    })
  }
})

describe('answers as the contract says', () => {
  for (const { name, endpoint, succeed } of endpoints) {
    test(name, async () => {
      const answer = await succeed(shop)
      expect(answer.status, JSON.stringify(answer.body)).toBe(endpoint.status ?? 200)
      expect(answer.headers.get('content-type')).toMatch(endpoint.stream ?? 'application/json; charset=utf-8')
    })
  }
})

describe('gives each declared refusal', () => {
  for (const { name, provoke } of endpoints) {
    for (const [code, act] of provoke) {
      test(`${name}: ${code}`, async () => {
        const answer = await act(shop)
        expect(answer).toMatchObject({
          status: refusalStatus(code),
          body: { code, message: expect.stringMatching(/\w/) as string },
        })
        expect(answer.headers.get('content-type')).toMatch('application/json; charset=utf-8')
      })
    }
  }
})

describe('answers nonsense with 400 and never with 500', () => {
  const nonsense = [
    '{',
    '[]',
    '"text"',
    'null',
    '{"__proto__":{"admin":true}}',
    `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
  ]
  for (const { name, endpoint, path } of endpoints.filter((each) => ['POST', 'PUT'].includes(each.endpoint.method))) {
    test(name, async () => {
      const caller =
        endpoint.access === 'user' ? await shop.buyer() : endpoint.access === 'public' ? shop.visitor() : shop.owner
      const malformed = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'not-an-id')
      if (malformed !== path) expect((await caller.call(endpoint.method, malformed, {})).status).toBe(400)
      for (const body of nonsense) {
        const answer = await caller.call(endpoint.method, path, body)
        expect(answer.status, body).toBeLessThan(500)
        expect(answer.body).toMatchObject(
          answer.status >= 400 ? { code: expect.any(String) as string, message: expect.any(String) as string } : {},
        )
      }
    })
  }
})

test('a path without an endpoint is a JSON 404', async () => {
  const answer = await shop.visitor().get('/no/such/call')
  expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('a call from another site changes nothing', async () => {
  const buyer = await shop.buyer()
  const elsewhere = { origin: 'https://evil.example' }
  expect(await buyer.post('/auth/logout', undefined, elsewhere)).toMatchObject({
    status: 403,
    body: { code: 'CROSS_SITE' },
  })
  expect(await buyer.post('/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
  expect((await buyer.get('/auth/me')).status).toBe(200)
  expect(
    (await buyer.post('/auth/logout', undefined, { origin: store.url, 'sec-fetch-site': 'same-origin' })).status,
  ).toBe(200)
})
