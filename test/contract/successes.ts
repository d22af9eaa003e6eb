/** One call of each endpoint that succeeds. Typed by the contract: an endpoint without its call does not compile. */
import type { Api } from '../../contract/api.ts'
import { anAdmin, codeOf, enrolled } from '../admins.ts'
import { nextUtr, openShop, OWNER, PASSWORD, type Shop } from '../shop.ts'
import { withStore, type Answer } from '../store.ts'
import { unique } from '../world.ts'
import { at, batch, closing, code, DAY_MS, decided, DURATION, form, freeKey, pending, plan } from './things.ts'

/**
 * Prepares with the typed client (`shop.owner.api`), and makes the call itself by method and path (`shop.owner.get`), so
 * that the walk for leaks can put another admin in the owner's place for that one call.
 */
export type Act = (shop: Shop) => Promise<Answer>

export const successes: { [F in keyof Api]: { [N in keyof Api[F]]: Act } } = {
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
    active: (shop) => shop.owner.post('/admin/active'),
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
    batch: async (shop) => shop.owner.get(`/keys/batches/${(await batch(shop)).id}`),
    editBatch: async (shop) => shop.owner.put(`/keys/batches/${(await batch(shop)).id}`, { supplier: 'Anand' }),
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
