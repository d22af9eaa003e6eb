import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../contract/time.ts'
import { enrolled } from '../../../test/worlds/admins.ts'
import { logIn, openShop, OWNER } from '../../../test/worlds/shop.ts'
import { copyOf, withStore } from '../../../test/store.ts'
import { TEST_NOW } from '../../../test/worlds/constants.ts'

describe('an admin', () => {
  test('logs in beside a user, and neither touches the other', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()

      const answer = await buyer.post('/admin/login', { ...OWNER, username: OWNER.username.toUpperCase() })

      expect(answer).toMatchObject({
        status: 200,
        body: { message: 'Login successful', admin: { username: OWNER.username, isAdmin: true } },
      })
      expect((await buyer.get('/admin/check')).body).toMatchObject({ isLoggedIn: true })
      expect((await buyer.get('/auth/me')).body).toMatchObject({ username: buyer.username, isAdmin: false })
      await logIn(buyer, buyer.username)
      expect((await buyer.get('/admin/check')).status).toBe(200)
      await buyer.post('/auth/logout')
      expect((await buyer.get('/admin/check')).status).toBe(200)
      await logIn(buyer, buyer.username)
      await buyer.post('/admin/logout')
      expect((await buyer.get('/auth/me')).body).toMatchObject({ username: buyer.username })
      expect((await buyer.get('/admin/check')).status).toBe(401)
    }))

  test('alone is answered in the shape of a user', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)

      const { body } = await owner.get('/auth/me')

      expect(body).toEqual({
        _id: expect.any(String) as string,
        id: expect.any(String) as string,
        email: '',
        username: OWNER.username,
        createdAt: TEST_NOW,
        wallet: [],
        balance: 0,
        usdBalance: 0,
        customPrices: [],
        hiddenProducts: [],
        referralCode: '',
        isAdmin: true,
      })
    }))

  test('check says who is not logged in, to a signed-in user as well', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()

      for (const browser of [store.browser(), buyer])
        expect(await browser.get('/admin/check')).toMatchObject({
          status: 401,
          body: { isLoggedIn: false, message: 'Please log in to continue.', code: 'NO_SESSION' },
        })
    }))

  test('logs out for good, and a new login ends the session before it', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const first = copyOf(store.url, owner)
      await owner.post('/admin/login', OWNER)
      const second = copyOf(store.url, owner)

      expect((await first.get('/admin/check')).status).toBe(401)
      expect((await second.get('/admin/check')).status).toBe(200)
      expect((await owner.post('/admin/logout')).status).toBe(200)
      expect((await second.get('/admin/check')).status).toBe(401)
      expect((await owner.post('/admin/logout')).status).toBe(200)
    }))

  test('session ends after 12 hours without a change, and after 7 days in any case', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      store.clock.advance(12 * HOUR_MS - 1)
      expect((await owner.get('/admin/users')).status).toBe(200)
      store.clock.advance(1)
      expect((await owner.get('/admin/users')).status).toBe(401)

      await owner.post('/admin/login', OWNER)
      for (let half = 0; half < 16; half++) {
        store.clock.advance(10 * HOUR_MS)
        expect((await owner.put('/notice', { text: 'Hello' })).status).toBe(200)
      }
      store.clock.advance(8 * HOUR_MS)
      expect((await owner.get('/admin/check')).status).toBe(401)
    }))

  test('is refused in the same words for a wrong password and an unknown name', () =>
    withStore(async (store) => {
      await openShop(store)
      const visitor = store.browser()

      const wrong = await visitor.post('/admin/login', { username: OWNER.username, password: 'wrong' })
      const unknown = await visitor.post('/admin/login', { username: 'admin', password: 'admin' })

      expect(wrong).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
      expect(unknown.body).toEqual(wrong.body)
    }))

  test('types a recovery code with blanks anywhere; a wrong code is refused, and an empty one asked for', () =>
    withStore(async (store) => {
      const { admin, recoveryCodes } = await enrolled(await openShop(store))
      const enter = (totp: string) =>
        store.browser().post('/admin/login', { username: admin.username, password: OWNER.password, totp })
      const [first = '', second = '', third = ''] = recoveryCodes

      expect((await enter(` ${first} `)).status).toBe(200)
      expect((await enter(second.replaceAll('-', ' - '))).status).toBe(200)
      expect((await enter(third.toLowerCase().replaceAll(/./g, '$& '))).status).toBe(200)
      for (const wrong of [first, 'ABCD-EFGH-IJKL-MNOP', 'x'.repeat(20), '1'.repeat(41), '-'])
        expect(await enter(wrong)).toMatchObject({ status: 401, body: { code: 'TOTP_INVALID' } })
      for (const empty of ['', ' '.repeat(50)])
        expect(await enter(empty)).toMatchObject({ status: 401, body: { code: 'TOTP_REQUIRED' } })
    }))
})
