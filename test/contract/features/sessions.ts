import { OPEN_TOKENS_MAX } from '../../../contract/limits.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { enrolled } from '../../worlds/admins.ts'
import { sql } from '../../../server/platform/database/database.ts'
import { makeEmailProof } from '../../../server/users/email-proofs.ts'
import { openShop, OWNER, PASSWORD, type Shop } from '../../worlds/shop.ts'
import { withStore } from '../../store.ts'
import { aProgram, aReseller, TOKEN_FORM } from '../../worlds/resellers.ts'
import { unique } from '../../worlds/constants.ts'
import { blocked, closing, form, fullCode, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

/** Turned on without a server, because nothing is sent here. */
const mailOn = (shop: Shop, isOn = true) =>
  shop.store.db.run(sql`
    insert into channels (name, is_on) values ('email', ${isOn})
    on conflict (name) do update set is_on = excluded.is_on`)

export const sessions: Walk<'sessions'> = {
  succeed: {
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
    proveEmail: async (shop) => {
      await mailOn(shop)
      return (await shop.buyer()).post('/auth/prove-email')
    },
    emailProven: async (shop) => {
      const { id } = await shop.buyer()
      const token = unique('proof')
      await makeEmailProof(shop.store.db, token, id, shop.store.clock.now())
      return shop.visitor().post('/auth/email-proven', { token })
    },
    forgotPassword: async (shop) => {
      await mailOn(shop)
      return shop.visitor().post('/auth/forgot-password', { email: (await shop.buyer()).email })
    },
    tokens: async (shop) => {
      const reseller = await aReseller(shop)
      await aProgram(shop, reseller, { addresses: ['203.0.113.0/24', '2001:db8::1'] })
      return reseller.get('/tokens')
    },
    ownToken: async (shop) => (await aProgram(shop, await aReseller(shop, { balance: 10 }))).get('/tokens/own'),
    makeToken: async (shop) => (await aReseller(shop)).post('/tokens', TOKEN_FORM),
    endToken: async (shop) => {
      const reseller = await aReseller(shop)
      return reseller.delete(`/tokens/${(await aProgram(shop, reseller)).id}`)
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
  refuse: {
    tokens: { NOT_RESELLER: async (shop) => (await shop.buyer()).get('/tokens') },
    ownToken: { NOT_FOUND: async (shop) => (await aReseller(shop)).get('/tokens/own') },
    makeToken: {
      NOT_RESELLER: async (shop) => (await shop.buyer()).post('/tokens', TOKEN_FORM),
      WRONG_PASSWORD: async (shop) => (await aReseller(shop)).post('/tokens', { ...TOKEN_FORM, password: 'a guess' }),
      TOO_MANY_TOKENS: async (shop) => {
        const reseller = await aReseller(shop)
        for (let n = 0; n < OPEN_TOKENS_MAX; n++) await aProgram(shop, reseller)
        return reseller.post('/tokens', TOKEN_FORM)
      },
    },
    endToken: { NOT_FOUND: async (shop) => (await aReseller(shop)).delete(`/tokens/${missing()}`) },
    proveEmail: {
      CHANNEL_OFF: async (shop) => {
        await mailOn(shop, false)
        return (await shop.buyer()).post('/auth/prove-email')
      },
    },
    emailProven: { RESET_LINK_INVALID: (shop) => shop.visitor().post('/auth/email-proven', { token: 'none' }) },
    forgotPassword: {
      CHANNEL_OFF: async (shop) => {
        await mailOn(shop, false)
        return shop.visitor().post('/auth/forgot-password', { email: 'nobody@example.in' })
      },
    },
    register: {
      ACCOUNT_TAKEN: async (shop) => {
        const { username } = await shop.buyer()
        return shop.visitor().post('/auth/register', form(shop, { username: username.toUpperCase() }))
      },
      REFERRAL_USED_UP: async (shop) =>
        shop.visitor().post('/auth/register', form(shop, { referralCode: await fullCode(shop) })),
      INVALID_REFERRAL: (shop) => shop.visitor().post('/auth/register', form(shop, { referralCode: 'NOSUCHCODE' })),
    },
    login: {
      COOKIES_NEEDED: async (shop) => {
        const { username } = await shop.buyer()
        return shop.visitor().post('/auth/login', { username, password: PASSWORD, needsCookie: true })
      },
      WRONG_CREDENTIALS: (shop) => shop.visitor().post('/auth/login', { username: 'nobody', password: PASSWORD }),
      ACCOUNT_BLOCKED: async (shop) =>
        shop.visitor().post('/auth/login', { username: (await blocked(shop)).username, password: PASSWORD }),
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
      ACCOUNT_BLOCKED: async (shop) =>
        shop
          .visitor()
          .post('/auth/reset-device-lock', { username: (await blocked(shop)).username, password: PASSWORD }),
      RESET_COOLDOWN: async (shop) =>
        shop.visitor().post('/auth/reset-device-lock', { username: (await shop.buyer()).username, password: PASSWORD }),
      NO_DEVICE_LOCK: async (shop) => {
        const buyer = await shop.buyer()
        await buyer.post('/auth/logout')
        return shop.visitor().post('/auth/reset-device-lock', { username: buyer.username, password: PASSWORD })
      },
    },
    changePassword: {
      WRONG_PASSWORD: async (shop) =>
        (await shop.buyer()).post('/auth/change-password', {
          currentPassword: 'wrong',
          newPassword: 'another long password',
        }),
    },
    end: { NOT_FOUND: async (shop) => (await shop.buyer()).delete(`/auth/sessions/${missing()}`) },
    resetPassword: {
      RESET_LINK_INVALID: (shop) =>
        shop.visitor().post('/auth/reset-password', { token: 'made-up', newPassword: 'a forgotten password' }),
    },
    adminLogin: {
      COOKIES_NEEDED: (shop) => shop.visitor().post('/admin/login', { ...OWNER, needsCookie: true }),
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
  },
}
