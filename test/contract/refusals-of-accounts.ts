/** Each refusal that an endpoint about people declares, provoked. */
import type { Api } from '../../contract/api.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import { anAdmin, enrolled, unproven } from '../admins.ts'
import { nextUtr, openShop, OWNER, PASSWORD } from '../shop.ts'
import { withStore } from '../store.ts'
import { unique } from '../world.ts'
import type { Act } from './successes.ts'
import { closing, DURATION, form, missing } from './things.ts'

/** A declared refusal without a provocation does not compile. */
export type Provocations = {
  [F in keyof Api]: {
    [N in keyof Api[F]]: Api[F][N] extends { refusals: readonly (infer C extends RefusalCode)[] }
      ? Record<C, Act>
      : never
  }
}

export const refusalsOfAccounts: Pick<Provocations, 'sessions' | 'privacy' | 'admins' | 'users'> = {
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
    active: {},
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
    issueResetLink: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop, 'support')).post(`/admin/users/${(await shop.buyer()).id}/reset-link`),
      NOT_FOUND: (shop) => shop.owner.post(`/admin/users/${missing()}/reset-link`),
    },
    unlockDevice: { NOT_FOUND: (shop) => shop.owner.post(`/admin/users/${missing()}/unlock-device`) },
  },
}
