import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { openShop, OWNER, PASSWORD } from '../../test/shop.ts'
import { withStore, type Browser, type TestStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/world.ts'
import { sql } from '../platform/database.ts'
import { hashToken } from '../platform/ids.ts'
import { ensureFirstAdmin } from './first-admin.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const logIn = (browser: Browser, username: string, password = PASSWORD) =>
  browser.post('/auth/login', { username, password })

/** A browser that shows the same cookies, as they are now. */
function copyOf(store: TestStore, browser: Browser): Browser {
  const copy = store.browser()
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

describe('logging in', () => {
  test('answers with the user, by username or e-mail in letters of any case', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer({ balance: 250.5 })

      for (const name of [buyer.username, buyer.username.toUpperCase(), ` ${buyer.email.toUpperCase()} `]) {
        const answer = await logIn(buyer, name)

        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({
          message: 'Login successful',
          user: {
            _id: buyer.id,
            id: buyer.id,
            email: buyer.email,
            username: buyer.username,
            createdAt: TEST_NOW,
            wallet: [
              { _id: expect.any(String) as string, amount: 250.5, expiresAt: null, addedAt: TEST_NOW, source: 'topup' },
            ],
            balance: 250.5,
            usdBalance: 0,
            customPrices: [],
            hiddenProducts: [],
            referralCode: expect.stringMatching(/^REF/) as string,
            isAdmin: false,
          },
        })
        expect((await buyer.get('/auth/me')).body).toEqual((answer.body as { user: unknown }).user)
      }
    }))

  test('is refused in the same words for a wrong password and an unknown name', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const visitor = store.browser()

      const wrong = await logIn(visitor, buyer.username, 'not the password')
      const unknown = await logIn(visitor, 'nobody-at-all')

      expect(wrong.status).toBe(401)
      expect(unknown.status).toBe(401)
      expect(wrong.body).toEqual({ message: 'Wrong username or password.', code: 'WRONG_CREDENTIALS' })
      expect(unknown.body).toEqual(wrong.body)
      expect(visitor.cookies.size).toBe(0)
    }))

  test('on another device is told of the first one only after the right password', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const other = store.browser()

      expect((await logIn(other, buyer.username, 'not the password')).status).toBe(401)
      const refused = await logIn(other, buyer.username)

      expect(refused.status).toBe(403)
      expect(refused.body).toEqual({
        message: 'You are already logged in on another device. Please logout from the other device first.',
        code: 'DEVICE_ALREADY_LOGGED_IN',
      })
      expect(other.cookies.size).toBe(0)
      expect((await buyer.get('/auth/me')).status).toBe(200)
    }))

  test('again on the same device renews the token, and the old one is told so on every call', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const old = copyOf(store, buyer)

      expect((await logIn(buyer, buyer.username)).status).toBe(200)

      expect(buyer.cookies.get('chaabi_session')).not.toBe(old.cookies.get('chaabi_session'))
      expect(buyer.cookies.get('chaabi_device')).toBe(old.cookies.get('chaabi_device'))
      for (const path of ['/auth/me', '/keys/user', '/auth/me'])
        expect(await old.get(path)).toMatchObject({
          status: 401,
          body: { code: 'SESSION_EXPIRED', message: 'Login detected on another device. Please login again.' },
        })
      expect((await old.post('/auth/logout')).status).toBe(200)
      expect((await buyer.get('/auth/me')).status).toBe(200)
    }))

  test('as somebody else in the same browser leaves no working copy of the first cookie', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, second] = [await shop.buyer(), await shop.buyer()]
      await second.post('/auth/logout')
      const old = copyOf(store, buyer)

      expect((await logIn(buyer, second.username)).status).toBe(200)

      expect((await buyer.get('/auth/me')).body).toMatchObject({ username: second.username })
      expect((await old.get('/auth/me')).status).toBe(401)
    }))

  // Without the row lock (lockAccount without `for no key update`) all four get in.
  test('for the first time on four devices at the same moment lets exactly one in', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      await buyer.post('/auth/logout')
      const devices = Array.from({ length: 4 }, () => store.browser())

      const logins = await store.db.transaction(async (tx) => {
        await tx.run(sql`select from users where id = ${buyer.id} for update`)
        const waiting = devices.map((device) => logIn(device, buyer.username))
        await untilBlocked(store.db, 4)
        return { waiting }
      })
      const statuses = (await Promise.all(logins.waiting)).map((answer) => answer.status)

      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403])
      const seen = await Promise.all(devices.map((device) => device.get('/auth/me')))
      expect(seen.map((answer) => answer.status)).toEqual(statuses.map((status) => (status === 200 ? 200 : 401)))
    }))

  test('stores hashes only, in cookies that scripts cannot read', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const answer = await logIn(buyer, buyer.username)

      const lines = answer.headers.getSetCookie()
      expect(lines).toHaveLength(2)
      for (const line of lines) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
      const token = buyer.cookies.get('chaabi_session') ?? ''
      const device = buyer.cookies.get('chaabi_device') ?? ''
      const rows = await store.db.rows(
        z.object({ token: z.instanceof(Buffer), device: z.instanceof(Buffer), held: z.instanceof(Buffer) }),
        sql`
        select token_hash as token, session.device_hash as device, users.device_hash as held
          from user_sessions session join users on users.id = user_id
         where ended_at is null`,
      )
      expect(rows).toEqual([{ token: hashToken(token), device: hashToken(device), held: hashToken(device) }])
      expect(JSON.stringify(answer.body)).not.toContain(token)
    }))
})

describe('a session', () => {
  test('is refused without the cookie of its device, and with another one', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const without = copyOf(store, buyer)
      without.cookies.delete('chaabi_device')
      const stolen = copyOf(store, buyer)
      stolen.cookies.set('chaabi_device', 'A'.repeat(43))

      for (const thief of [without, stolen]) {
        for (let call = 0; call < 2; call++)
          expect(await thief.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'DEVICE_MISMATCH' } })
        expect((await thief.post('/auth/logout')).status).toBe(200)
      }
      expect((await buyer.get('/auth/me')).status).toBe(200)
    }))

  test('that only polls ends after 7 days; one that is used goes on, for 30 days at the most', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [poller, worker] = [await shop.buyer(), await shop.buyer()]
      const use = () => worker.post('/auth/change-password', { currentPassword: 'wrong', newPassword: 'irrelevant' })

      for (let day = 0; day < 6; day++) {
        store.clock.advance(DAY_MS)
        expect((await poller.get('/auth/me')).status).toBe(200)
        expect((await use()).status).toBe(400)
      }
      store.clock.advance(DAY_MS - 1)
      expect((await poller.get('/auth/me')).status).toBe(200)
      store.clock.advance(1)
      expect(await poller.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })

      for (let day = 7; day < 30; day++) {
        expect((await use()).status).toBe(400)
        store.clock.advance(DAY_MS)
      }
      expect(await worker.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      // Too old is dead: logging out then frees nothing, and the device stays the account's one
      await worker.post('/auth/logout')
      expect((await logIn(store.browser(), worker.username)).status).toBe(403)
      expect((await logIn(worker, worker.username)).status).toBe(200)
    }))

  test('moves its last use at most once a minute', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const use = () => buyer.post('/keys/buy', {})
      const lastUse = () =>
        store.db.one(
          z.object({ at: z.date() }),
          sql`select last_active_at as at from user_sessions where user_id = ${buyer.id}`,
        )

      store.clock.advance(59 * SECOND_MS)
      await use()
      expect(await lastUse()).toEqual({ at: new Date(TEST_NOW) })
      store.clock.advance(SECOND_MS)
      await use()
      expect(await lastUse()).toEqual({ at: store.clock.now() })
    }))

  test('of an unknown token is none', () =>
    withStore(async (store) => {
      const visitor = store.browser()
      visitor.cookies.set('chaabi_session', 'x')
      visitor.cookies.set('chaabi_admin', 'y')

      expect(await visitor.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      expect(await visitor.get('/products')).toMatchObject({ status: 200 })
      expect((await visitor.post('/auth/logout')).status).toBe(200)
    }))
})

describe('logging out', () => {
  test('ends the session on the server and lets another device in', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const copy = copyOf(store, buyer)

      expect(await buyer.post('/auth/logout')).toMatchObject({ status: 200, body: { message: 'Logged out' } })

      expect(buyer.cookies.has('chaabi_session')).toBe(false)
      expect(await copy.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      const other = store.browser()
      expect((await logIn(other, buyer.username)).status).toBe(200)
      // The first session is dead: logging out with it once more frees nothing
      expect((await copy.post('/auth/logout')).status).toBe(200)
      expect((await logIn(store.browser(), buyer.username)).status).toBe(403)
      expect((await store.browser().post('/auth/logout')).status).toBe(200)
    }))
})

describe('resetting the device lock', () => {
  const reset = (browser: Browser, username: string, password = PASSWORD) =>
    browser.post('/auth/reset-device-lock', { username, password })

  test('is allowed from 24 hours after the first login, to the second', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const stranger = store.browser()
      store.clock.advance(20 * HOUR_MS + 39 * MINUTE_MS + 30 * SECOND_MS)
      // A login on the same device does not start the day anew
      await logIn(buyer, buyer.username)
      expect(await reset(stranger, buyer.username)).toMatchObject({
        status: 400,
        body: {
          code: 'RESET_COOLDOWN',
          message: 'The device lock can be reset 24 hours after first login. Please wait 3 h 21 min.',
          remainingHours: 3,
          remainingMinutes: 21,
          lockedAt: TEST_NOW,
          canResetAt: '2026-11-21T15:44:00.000Z',
        },
      })

      store.clock.set(new Date(new Date(TEST_NOW).getTime() + DAY_MS - SECOND_MS))
      expect(await reset(stranger, buyer.username)).toMatchObject({
        status: 400,
        body: { code: 'RESET_COOLDOWN', remainingHours: 0, remainingMinutes: 1 },
      })
      store.clock.advance(SECOND_MS)
      expect(await reset(stranger, buyer.username)).toMatchObject({
        status: 200,
        body: { success: true, message: 'Device lock reset successfully! You can now login on other devices' },
      })

      for (let call = 0; call < 2; call++)
        expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      expect((await logIn(stranger, buyer.username)).status).toBe(200)
      for (let call = 0; call < 2; call++)
        expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'DEVICE_MISMATCH' } })
      // The old device's logout comes too late to free the new device's lock
      await buyer.post('/auth/logout')
      expect((await logIn(buyer, buyer.username)).status).toBe(403)
    }))

  test('is refused for wrong credentials and where there is no lock', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      await buyer.post('/auth/logout')

      expect(await reset(buyer, buyer.username, 'wrong')).toMatchObject({
        status: 401,
        body: { code: 'WRONG_CREDENTIALS' },
      })
      expect(await reset(buyer, buyer.email)).toMatchObject({ status: 400, body: { code: 'NO_DEVICE_LOCK' } })
    }))
})

describe('changing the password', () => {
  test('goes on under a new token and ends the old one; only the new password logs in', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const copy = copyOf(store, buyer)

      const answer = await buyer.post('/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'a new long password 🔑',
      })

      expect(answer).toMatchObject({ status: 200, body: { message: 'Password changed' } })
      expect((await buyer.get('/auth/me')).status).toBe(200)
      expect(await copy.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      expect((await logIn(buyer, buyer.username)).status).toBe(401)
      expect((await logIn(buyer, buyer.username, 'a new long password 🔑')).status).toBe(200)
    }))

  test('asks for the current password, and for one that is not guessed first', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const change = (currentPassword: string, newPassword: string) =>
        buyer.post('/auth/change-password', { currentPassword, newPassword })

      expect(await change('wrong', 'a new long password')).toMatchObject({
        status: 400,
        body: { code: 'WRONG_PASSWORD', fields: { currentPassword: 'The current password is wrong.' } },
      })
      expect(await change(PASSWORD, 'QWERTYuiop')).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { newPassword: expect.any(String) as string } },
      })
      expect((await logIn(buyer, buyer.username)).status).toBe(200)
    }))
})

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
          body: { isLoggedIn: false, message: 'Please log in.', code: 'NO_SESSION' },
        })
    }))

  test('logs out for good, and a new login ends the session before it', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const first = copyOf(store, owner)
      await owner.post('/admin/login', OWNER)
      const second = copyOf(store, owner)

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
})

describe('the first admin', () => {
  const NOW = new Date(TEST_NOW)

  test('is made once, with a password of 20 random characters where none is given', () =>
    withDatabase(async (db) => {
      const first = await ensureFirstAdmin(db, { username: undefined, password: undefined }, NOW)

      expect(first).toEqual({
        username: 'admin',
        password: expect.stringMatching(/^[\w-]{20}$/) as string,
        generated: true,
      })
      expect(await ensureFirstAdmin(db, { username: 'other', password: 'another password' }, NOW)).toBeUndefined()
    }))

  // With the look for an admin before the lock on audit_head, six are made.
  test('is one, however many nodes start at the same moment', () =>
    withDatabase(async (db) => {
      const starts = await db.transaction(async (tx) => {
        await tx.run(sql`select from audit_head for update`)
        const waiting = Array.from({ length: 6 }, (_, index) =>
          ensureFirstAdmin(db, { username: `admin${index}` }, NOW),
        )
        await untilBlocked(db, 6)
        return { waiting }
      })

      expect((await Promise.all(starts.waiting)).filter((made) => made !== undefined)).toHaveLength(1)
      expect(await db.rows(z.object({ n: z.number() }), sql`select count(*) as n from admins`)).toEqual([{ n: 1 }])
    }))
})

test('the connectivity test answers with an object', () =>
  withStore(async (store) => {
    expect(await store.browser().get('/cors-test')).toMatchObject({ status: 200, body: { success: true } })
  }))
