/** A helper who opens a buyer's account, and what the shop sees of it (security.md: 6.4.1). */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { withStore, type Browser, type TestStore } from '../store.ts'
import { anAdmin } from '../worlds/admins.ts'
import { logIn, openShop, OWNER, type Buyer, type Shop } from '../worlds/shop.ts'

const STOLEN = 'what the helper chose'

const takesPassword = async (helper: Browser, { id }: Buyer, thief: Browser) => {
  const { status, body } = await helper.post(`/admin/users/${id}/reset-link`)
  if (status !== 200) return body.code as string
  return (await thief.post('/auth/reset-password', { token: body.link.split('#')[1], newPassword: STOLEN })).status
}
const unlocks = async (by: Browser, { id }: Buyer) => {
  const { status, body } = await by.post(`/admin/users/${id}/unlock-device`)
  return status === 200 ? 200 : (body.code as string)
}
const getsIn = async (thief: Browser, { username }: Buyer) => (await logIn(thief, username, STOLEN)).status

interface Given {
  store: TestStore
  shop: Shop
  buyer: Buyer
  helper: Browser
  /** Lets time pass, and logs both admins in again. */
  later: (ms: number) => Promise<void>
}

const withHelper = (run: (given: Given) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { admin, browser: helper } = await anAdmin(shop, 'support')
    const later = async (ms: number) => {
      store.clock.advance(ms)
      await shop.owner.api.sessions.adminLogin(OWNER)
      await helper.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
    }
    await run({ store, shop, buyer: await shop.buyer({ balance: 500 }), helper, later })
  })

describe('v5.0.0-6.4.1 a helper who wants into a buyer’s wallet', () => {
  test('gets no device in within 24 hours of a password link, whoever unlocks', () =>
    withHelper(async ({ store, shop, buyer, helper, later }) => {
      const thief = store.browser()
      await later(2 * DAY_MS)
      expect(await takesPassword(helper, buyer, thief)).toBe(200)
      expect(await getsIn(thief, buyer)).toBe(403)
      expect(await unlocks(helper, buyer)).toBe('FORBIDDEN_ROLE')
      expect(await unlocks((await anAdmin(shop, 'support')).browser, buyer)).toBe('FORBIDDEN_ROLE')
      const ownWay = { username: buyer.username, password: STOLEN }
      expect(await thief.post('/auth/reset-device-lock', ownWay)).toMatchObject({
        status: 400,
        body: { code: 'RESET_COOLDOWN', remainingHours: 24 },
      })
      expect(await getsIn(thief, buyer)).toBe(403)

      await later(23 * HOUR_MS)
      expect(await unlocks(helper, buyer)).toBe('FORBIDDEN_ROLE')
      expect((await thief.post('/auth/reset-device-lock', ownWay)).status).toBe(400)
      expect(await unlocks(shop.owner, buyer), 'an owner still helps at once').toBe(200)
    }))

  test('gets no password within 24 hours of unlocking, and one that changes nothing is not counted', () =>
    withHelper(async ({ store, shop, buyer, helper, later }) => {
      const thief = store.browser()
      expect(await unlocks(helper, buyer)).toBe(200)
      expect(await takesPassword(helper, buyer, thief)).toBe('FORBIDDEN_ROLE')
      await later(DAY_MS)
      expect(await takesPassword(helper, buyer, thief)).toBe(200)

      const other = await shop.buyer()
      await other.post('/auth/logout')
      expect(await unlocks(helper, other)).toBe(200)
      expect(await takesPassword(helper, other, thief), 'the device was free before').toBe(200)
    }))

  test('leaves a mark on what is bought for a week, and a buyer on the own device leaves none', () =>
    withHelper(async ({ store, shop, buyer, helper, later }) => {
      const { _id: productId } = await shop.product({ stock: 9 })
      const buys = (by: Pick<Browser, 'api'>) => by.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
      const marks = async () =>
        (await shop.owner.api.orders.purchases({})).purchases.map(({ letInBy }) => letInBy !== null)
      await buys(buyer)
      await buyer.post('/auth/logout')
      expect(await takesPassword(helper, buyer, store.browser())).toBe(200)
      expect((await logIn(buyer, buyer.username, STOLEN)).status).toBe(200)
      await buys(buyer)
      expect(await marks(), 'the own device').toEqual([false, false])

      await buyer.post('/auth/logout')
      store.clock.advance(HOUR_MS)
      const thief = store.browser()
      expect(await getsIn(thief, buyer)).toBe(200)
      await buys(thief)
      expect(await marks()).toEqual([true, false, false])
      const [bought] = (await shop.owner.api.orders.purchases({})).purchases
      expect(bought?.letInBy).toMatch(/^admin/)
      await later(6 * DAY_MS)
      expect((await logIn(thief, buyer.username, STOLEN)).status).toBe(200)
      await buys(thief)
      await later(2 * DAY_MS)
      expect((await logIn(thief, buyer.username, STOLEN)).status).toBe(200)
      await buys(thief)
      expect(await marks()).toEqual([false, true, true, false, false])
    }))
})
