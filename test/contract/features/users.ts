import { unproven } from '../../worlds/admins.ts'
import { CASHIERS, DESK, nameFor, PAYMENTS, type Roles } from '../../leaks/places.ts'
import { aProgram, aReseller } from '../../worlds/resellers.ts'
import { unique } from '../../worlds/constants.ts'
import { blocked, DURATION, missing } from '../things.ts'
import { aGroup } from './groups.ts'
import type { Walk } from '../walk.ts'

const OWNERS: Roles = ['owner']
const HELPERS: Roles = ['owner', 'support']
const SUPPORT: Roles = ['owner', 'support', 'read-only']

export const users: Walk<'users'> = {
  succeed: {
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
    setReseller: async (shop) => {
      const reseller = await aReseller(shop)
      await aProgram(shop, reseller)
      return shop.owner.put(`/admin/users/${reseller.id}/reseller`, { on: true, endTokens: true })
    },
    setGroup: async (shop) => {
      const { _id: groupId } = await aGroup(shop)
      return shop.owner.put(`/admin/users/${(await shop.buyer()).id}/group`, { groupId })
    },
    block: async (shop) => shop.owner.put(`/admin/users/${(await shop.buyer()).id}/block`, { reason: 'Asked twice' }),
    unblock: async (shop) => shop.owner.put(`/admin/users/${(await blocked(shop)).id}/unblock`),
  },
  refuse: {
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
    remove: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).delete(`/admin/users/${missing()}`),
      NOT_FOUND: (shop) => shop.owner.delete(`/admin/users/${missing()}`),
    },
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
      USER_BLOCKED: async (shop) => shop.owner.post(`/admin/users/${(await blocked(shop)).id}/reset-link`),
    },
    setGroup: {
      NOT_FOUND: (shop) => shop.owner.put(`/admin/users/${missing()}/group`, { groupId: null }),
      STEP_UP_REQUIRED: async (shop) => {
        await shop.product()
        const { _id: groupId } = await aGroup(shop)
        return (await unproven(shop)).put(`/admin/users/${(await shop.buyer()).id}/group`, { groupId })
      },
    },
    setReseller: {
      NOT_FOUND: (shop) => shop.owner.put(`/admin/users/${missing()}/reseller`, { on: true }),
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put(`/admin/users/${missing()}/reseller`, { on: true }),
    },
    block: {
      NOT_FOUND: (shop) => shop.owner.put(`/admin/users/${missing()}/block`, { reason: 'Asked twice' }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop, 'support')).put(`/admin/users/${missing()}/block`, { reason: 'Write to a@evil.example' }),
    },
    unblock: { NOT_FOUND: (shop) => shop.owner.put(`/admin/users/${missing()}/unblock`) },
    unlockDevice: { NOT_FOUND: (shop) => shop.owner.post(`/admin/users/${missing()}/unlock-device`) },
  },
  shows: {
    list: { ...nameFor(DESK), phone: DESK, 'own price': DESK },
    sessions: { address: SUPPORT, browser: SUPPORT },
    update: { ...nameFor(CASHIERS), phone: CASHIERS, 'own price': CASHIERS },
    setGroup: { ...nameFor(CASHIERS), phone: CASHIERS, 'own price': CASHIERS },
    block: { ...nameFor(HELPERS), phone: HELPERS, 'own price': HELPERS },
    setReseller: { ...nameFor(OWNERS), phone: OWNERS, 'own price': OWNERS },
    unblock: { ...nameFor(HELPERS), phone: HELPERS, 'own price': HELPERS },
    payments: PAYMENTS,
  },
}
