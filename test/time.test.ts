/** The rules that hang on the clock, over HTTP, at the moments where they turn. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  ADJUSTMENT_EXPIRY_DEFAULT_DAYS,
  ADMIN_SESSION_IDLE_MS,
  ADMIN_SESSION_LONGEST_MS,
  DEVICE_RESET_AFTER_MS,
  USER_SESSION_IDLE_MS,
  USER_SESSION_LONGEST_MS,
} from '../contract/limits.ts'
import { DAY_MS, HOUR_MS } from '../contract/time.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { openShop, OWNER, PASSWORD, type Buyer, type Shop } from './worlds/shop.ts'
import { TEST_NOW, withStore, type TestStore } from './store.ts'

const START_MS = new Date(TEST_NOW).getTime()
const DURATION = '10 Days'

const later = (ms: number) => new Date(START_MS + ms)
const at = (ms: number) => later(ms).toISOString()

/** Sets the clock, and logs both in again: sessions are not what these tests are about. */
async function goTo({ store, owner }: Shop, ms: number, ...buyers: Buyer[]): Promise<void> {
  store.clock.set(later(ms))
  await owner.api.sessions.adminLogin(OWNER)
  for (const buyer of buyers) await buyer.api.sessions.login({ username: buyer.username, password: PASSWORD })
}

async function expectBooksInOrder(store: TestStore, ...buyers: Buyer[]): Promise<void> {
  expect(await findBroken(store.db, path.resolve('server/migrations'))).toEqual([])
  for (const buyer of buyers) {
    const history = await buyer.api.wallet.history({})
    const { balance } = await buyer.api.sessions.me({})
    expect(history.reduce((sum, line) => sum + line.delta * 100, 0)).toBe(balance * 100)
  }
}

const kindsOf = async (buyer: Buyer) =>
  (await buyer.api.wallet.history({})).map(({ kind, delta }) => `${kind} ${delta}`)

describe('credit', () => {
  test('pays until the millisecond before it expires, and not at that instant', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [inTime, tooLate] = [await shop.buyer(), await shop.buyer()]
      const { _id: productId } = await shop.product({ prices: { [DURATION]: 100 }, stock: 2 })
      for (const buyer of [inTime, tooLate])
        await shop.owner.api.users.update({ id: buyer.id, balance: 100, expiresInDays: 1 })

      store.clock.set(later(DAY_MS - 1))
      const bought = await inTime.post('/keys/buy', { productId, duration: DURATION, quantity: 1 })
      store.clock.set(later(DAY_MS))
      const refused = await tooLate.post('/keys/buy', { productId, duration: DURATION, quantity: 1 })

      expect(bought.status).toBe(200)
      expect(refused).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_BALANCE', shortfall: 100 } })
      expect(await kindsOf(inTime)).toEqual(['purchase -100', 'admin_credit 100'])
      expect(await kindsOf(tooLate)).toEqual(['expiry -100', 'admin_credit 100'])
      await expectBooksInOrder(store, inTime, tooLate)
    }))

  test('of an admin lasts sixty days unless the form says otherwise', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const endMs = ADJUSTMENT_EXPIRY_DEFAULT_DAYS * DAY_MS
      await shop.owner.api.users.update({ id: buyer.id, balance: 70 })
      await shop.owner.api.users.update({ id: buyer.id, balance: 30, expiresInDays: null })

      expect(ADJUSTMENT_EXPIRY_DEFAULT_DAYS).toBe(60)
      expect((await buyer.api.sessions.me({})).wallet.map(({ amount, expiresAt }) => [amount, expiresAt])).toEqual([
        [70, at(endMs)],
        [30, null],
      ])
      await goTo(shop, endMs - 1, buyer)
      expect((await buyer.api.sessions.me({})).balance).toBe(100)
      await goTo(shop, endMs, buyer)
      expect(await buyer.api.sessions.me({})).toMatchObject({ balance: 30, wallet: [{ amount: 30 }] })
      expect((await buyer.api.wallet.history({}))[0]).toMatchObject({
        kind: 'expiry',
        delta: -70,
        createdAt: at(endMs),
      })
      await expectBooksInOrder(store, buyer)
    }))
})

describe('a deduction', () => {
  test('returns at the end of its sixty days, to the millisecond', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })
      await shop.owner.api.users.update({ id: buyer.id, balance: -40 })

      await goTo(shop, 60 * DAY_MS - 1, buyer)
      expect((await buyer.api.sessions.me({})).balance).toBe(60)
      await goTo(shop, 60 * DAY_MS, buyer)
      expect((await buyer.api.sessions.me({})).balance).toBe(100)
      expect(await kindsOf(buyer)).toEqual(['deduction_lapsed 40', 'admin_debit -40', 'topup 100'])
      await expectBooksInOrder(store, buyer)
    }))

  test('from credit that ends first returns nothing, and leaves no debt', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      await shop.owner.api.users.update({ id: buyer.id, balance: 100, expiresInDays: 10 })
      await shop.owner.api.users.update({ id: buyer.id, balance: -40, expiresInDays: 20 })

      await goTo(shop, 10 * DAY_MS, buyer)
      expect(await kindsOf(buyer)).toEqual(['expiry -60', 'admin_debit -40', 'admin_credit 100'])
      await goTo(shop, 20 * DAY_MS, buyer)
      expect((await buyer.api.sessions.me({})).balance).toBe(0)
      await expectBooksInOrder(store, buyer)
    }))
})

test.each([
  ['5 Months', 150],
  ['1 Year', 365],
])('a key of %s ends after %i days, to the millisecond', (duration, days) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer({ balance: 100 })
    const { _id: productId } = await shop.product({ prices: { [duration]: 100 }, stock: 1 })
    store.clock.set(later(1))

    const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
    const endMs = 1 + days * DAY_MS
    const statusAt = async (ms: number) => {
      await goTo(shop, ms)
      return (await shop.owner.api.keys.list({ productId })).map((key) => key.status)
    }

    expect(keys).toMatchObject([{ assignedAt: at(1), expiresAt: at(endMs) }])
    expect(await statusAt(endMs - 1)).toEqual(['assigned'])
    expect(await statusAt(endMs)).toEqual(['expired'])
  }),
)

test('the device lock can be reset at 24:00:00 after the first login, and not at 23:59:59', () =>
  withStore(async (store) => {
    const buyer = await (await openShop(store)).buyer()
    const other = store.browser()
    const reset = () => other.post('/auth/reset-device-lock', { username: buyer.username, password: PASSWORD })
    // The device shows that it keeps its cookie
    await buyer.get('/auth/me')

    store.clock.set(later(DEVICE_RESET_AFTER_MS - 1_000))
    expect(await reset()).toMatchObject({
      status: 400,
      body: { code: 'RESET_COOLDOWN', remainingHours: 0, lockedAt: TEST_NOW, canResetAt: at(DAY_MS) },
    })
    expect((await buyer.get('/auth/me')).status).toBe(200)
    store.clock.set(later(DEVICE_RESET_AFTER_MS))
    expect(await reset()).toMatchObject({ status: 200, body: { success: true } })
    expect((await buyer.get('/auth/me')).body).toMatchObject({ code: 'SESSION_EXPIRED' })
    expect((await other.post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(200)
  }))

describe('a session', () => {
  test('of a buyer whose pages only poll ends when nobody has used it for its idle time', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const polls = [
        '/auth/me',
        '/keys/user',
        '/auth/balance-history',
        '/payments/mine',
        '/products',
        '/keys/all-stats',
      ]

      for (let ms = HOUR_MS; ms < USER_SESSION_IDLE_MS; ms += 12 * HOUR_MS) {
        store.clock.set(later(ms))
        for (const poll of polls) expect((await buyer.get(poll)).status).toBe(200)
      }
      store.clock.set(later(USER_SESSION_IDLE_MS - 1))
      expect((await buyer.get('/auth/me')).status).toBe(200)
      store.clock.set(later(USER_SESSION_IDLE_MS))
      expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
    }))

  test('of a buyer who uses it every day ends all the same when it has lasted its longest', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()

      for (let ms = DAY_MS; ms < USER_SESSION_LONGEST_MS; ms += DAY_MS) {
        store.clock.set(later(ms))
        // Refused, but done all the same
        expect((await buyer.post('/keys/buy', {})).status).toBe(400)
      }
      store.clock.set(later(USER_SESSION_LONGEST_MS - 1))
      expect((await buyer.get('/auth/me')).status).toBe(200)
      store.clock.set(later(USER_SESSION_LONGEST_MS))
      expect(await buyer.post('/keys/buy', {})).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
    }))

  test('of an admin who only reads goes on while pages are opened, and ends while one only polls', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      for (let ms = HOUR_MS; ms < 36 * HOUR_MS; ms += 6 * HOUR_MS) {
        store.clock.set(later(ms))
        expect((await owner.post('/admin/active')).status).toBe(200)
        expect((await owner.get('/admin/users')).status).toBe(200)
      }
      for (let polled = 0; polled < 6; polled++) {
        store.clock.advance(2 * HOUR_MS)
        for (const path of ['/admin/stats', '/admin/check', '/admin/health-report', '/payments?limit=10'])
          expect((await owner.get(path)).status, path).toBe(polled < 5 ? 200 : 401)
      }
    }))

  test('of an admin whose pages only poll ends after its idle time, and a used one after its longest', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const used = store.browser()
      await used.api.sessions.adminLogin(OWNER)

      for (let ms = HOUR_MS; ms < ADMIN_SESSION_LONGEST_MS; ms += 6 * HOUR_MS) {
        store.clock.set(later(ms))
        const polled = await owner.get('/payments?limit=10')
        expect(polled.status).toBe(ms < ADMIN_SESSION_IDLE_MS ? 200 : 401)
        expect((await used.put('/notice', { text: 'Still here' })).status).toBe(200)
      }
      store.clock.set(later(ADMIN_SESSION_LONGEST_MS - 1))
      expect((await used.get('/admin/check')).status).toBe(200)
      store.clock.set(later(ADMIN_SESSION_LONGEST_MS))
      expect((await used.get('/admin/check')).status).toBe(401)
    }))
})

test('when the clock steps back an hour and forward forty days, money and stock stay right', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer({ balance: 1_000 })
    const { _id: productId } = await shop.product({ prices: { [DURATION]: 100, '1 Day': 10 }, stock: 20 })
    const buy = (duration: string) => buyer.api.orders.place({ productId, duration, quantity: 1 })
    const change = (balance: number, expiresInDays: number | null) =>
      shop.owner.api.users.update({ id: buyer.id, balance, expiresInDays })
    const live = async () => {
      await change(50, 30)
      await change(-20, 35)
      await buy(DURATION)
      await buy('1 Day')
      await expectBooksInOrder(store, buyer)
    }

    await goTo(shop, 2 * HOUR_MS, buyer)
    await live()
    await goTo(shop, HOUR_MS, buyer)
    await live()
    await goTo(shop, HOUR_MS + 40 * DAY_MS, buyer)
    await live()
    await goTo(shop, 39 * DAY_MS, buyer)
    await live()
    await goTo(shop, 200 * DAY_MS, buyer)

    // 1,000 less four times 110, because every credit of 50 was spent or expired in its time
    expect((await buyer.api.sessions.me({})).balance).toBeGreaterThanOrEqual(560)
    expect(await buyer.api.keys.mine({})).toHaveLength(8)
    await expectBooksInOrder(store, buyer)
  }))
