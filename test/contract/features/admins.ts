import { anAdmin, codeOf, enrolled, unproven } from '../../worlds/admins.ts'
import { openShop, OWNER, type Shop } from '../../worlds/shop.ts'
import { withStore } from '../../store.ts'
import { unique } from '../../worlds/constants.ts'
import { missing } from '../things.ts'
import type { Walk } from '../walk.ts'

async function upiAlert(shop: Shop): Promise<string> {
  await shop.owner.api.settings.saveUpi({ upiId: `${unique('other')}@okaxis` })
  const { alerts } = await shop.owner.api.admins.alerts()
  return alerts.find(({ kind }) => kind === 'upi')?._id ?? missing()
}

const refusedAlert = (answer: 'confirm' | 'undo') => ({
  NOT_FOUND: (shop: Shop) => shop.owner.put(`/admin/alerts/${missing()}/${answer}`),
  STEP_UP_REQUIRED: async (shop: Shop) => (await unproven(shop)).put(`/admin/alerts/${missing()}/${answer}`),
  NEW_OWNER: async (shop: Shop) => (await anAdmin(shop)).browser.put(`/admin/alerts/${missing()}/${answer}`),
})

export const admins: Walk<'admins'> = {
  succeed: {
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
    alerts: (shop) => shop.owner.get('/admin/alerts'),
    confirmAlert: async (shop) => shop.owner.put(`/admin/alerts/${await upiAlert(shop)}/confirm`),
    undoAlert: async (shop) => shop.owner.put(`/admin/alerts/${await upiAlert(shop)}/undo`),
    sessions: (shop) => shop.owner.get('/admin/sessions'),
    endSession: async (shop) => {
      const { browser } = await anAdmin(shop)
      const { sessions } = await browser.api.admins.sessions()
      return browser.delete(`/admin/sessions/${sessions[0]?._id}`)
    },
  },
  refuse: {
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
    confirmAlert: refusedAlert('confirm'),
    undoAlert: refusedAlert('undo'),
    endSession: { NOT_FOUND: (shop) => shop.owner.delete(`/admin/sessions/${missing()}`) },
  },
}
