import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { logIn, openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { copyOf, withStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { hashToken } from '../platform/ids.ts'

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
      expect(wrong.body).toEqual({ message: 'Incorrect username or password.', code: 'WRONG_CREDENTIALS' })
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
      const old = copyOf(store.url, buyer)

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

  test('however often, leaves no more than the last fifty ended sessions, and the last of another device', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer(), await shop.buyer()]
      const before = copyOf(store.url, buyer)
      await store.db.run(sql`
        insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at, ended_at, end_reason)
        select sha256(convert_to(id || n::text, 'UTF8')), id, decode(case when n > 190 then '01' else '' end, 'hex'),
               ${TEST_NOW}::timestamptz - n * interval '1 minute',
               ${TEST_NOW}, ${TEST_NOW}::timestamptz - n * interval '1 minute', 'replaced'
          from generate_series(1, 200) as n, users where id in (${buyer.id}, ${other.id})`)

      await logIn(buyer, buyer.username)

      const left = await store.db.rows(sql(z.object({ id: z.string(), ended: z.number(), oldest: z.date() }))`
        select user_id as id, count(ended_at) as ended, min(ended_at) as oldest from user_sessions
         where user_id in (${buyer.id}, ${other.id}) group by user_id`)
      const of = ({ id }: { id: string }) => left.find((each) => each.id === id)
      // Keeps the session that the login replaced, the 49 that ended before it, and the last of an earlier device
      expect(of(buyer)).toMatchObject({ ended: 51, oldest: new Date(Date.parse(TEST_NOW) - 191 * 60_000) })
      expect(of(other)?.ended).toBe(200)
      expect((await before.get('/auth/me')).body).toMatchObject({ code: 'SESSION_EXPIRED' })
      expect((await buyer.get('/auth/me')).status).toBe(200)
    }))

  test('as somebody else in the same browser leaves no working copy of the first cookie', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, second] = [await shop.buyer(), await shop.buyer()]
      await second.post('/auth/logout')
      const old = copyOf(store.url, buyer)

      expect((await logIn(buyer, second.username)).status).toBe(200)

      expect((await buyer.get('/auth/me')).body).toMatchObject({ username: second.username })
      expect((await old.get('/auth/me')).status).toBe(401)
    }))

  // Seen to fail without the row lock (lockAccount without `for no key update`): all four get in.
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
      const rows = await store.db.rows(sql(
        z.object({ token: z.instanceof(Buffer), device: z.instanceof(Buffer), held: z.instanceof(Buffer) }),
      )`
        select token_hash as token, session.device_hash as device, users.device_hash as held
          from user_sessions session join users on users.id = user_id
         where ended_at is null`)
      expect(rows).toEqual([{ token: hashToken(token), device: hashToken(device), held: hashToken(device) }])
      expect(JSON.stringify(answer.body)).not.toContain(token)
    }))
})

describe('logging out', () => {
  test('ends the session on the server and lets another device in', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const copy = copyOf(store.url, buyer)

      expect(await buyer.post('/auth/logout')).toMatchObject({ status: 200, body: { message: 'Logged out' } })

      expect(buyer.cookies.has('chaabi_session')).toBe(false)
      expect(await copy.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      const other = store.browser()
      expect((await logIn(other, buyer.username)).status).toBe(200)
      // Logs out with the first session, which is dead and frees nothing
      expect((await copy.post('/auth/logout')).status).toBe(200)
      expect((await logIn(store.browser(), buyer.username)).status).toBe(403)
      expect((await store.browser().post('/auth/logout')).status).toBe(200)
    }))
})

// Seen to fail with the cookie cleared before the database is asked: the second logout ends nothing.
test('a logout that fails leaves the cookie, so that the browser can ask again', () =>
  withStore(async (store) => {
    const buyer = await (await openShop(store)).buyer()
    const standing = copyOf(store.url, buyer)
    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from users where id = ${buyer.id} for update`)
      expect((await buyer.post('/auth/logout')).status).toBe(503)
    })
    expect((await standing.get('/auth/me')).status).toBe(200)

    expect((await buyer.post('/auth/logout')).status).toBe(200)

    expect((await standing.get('/auth/me')).status).toBe(401)
    expect((await store.browser().post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(
      200,
    )
  }))
