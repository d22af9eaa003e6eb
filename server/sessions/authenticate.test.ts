import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { logIn, openShop } from '../../test/worlds/shop.ts'
import { copyOf, showing, withStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { authenticator } from './authenticate.ts'

describe('a session', () => {
  test('is refused without the cookie of its device, and with another one', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const without = copyOf(store.url, buyer)
      without.cookies.delete('chaabi_device')
      const stolen = copyOf(store.url, buyer)
      stolen.cookies.set('chaabi_device', 'A'.repeat(43))

      for (const thief of [without, stolen]) {
        for (let call = 0; call < 2; call++)
          expect(await thief.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'DEVICE_MISMATCH' } })
        expect((await thief.post('/auth/logout')).status).toBe(200)
      }
      expect((await buyer.get('/auth/me')).status).toBe(200)
    }))

  test('that a newer login has ended stays refused beside an admin’s session; one that was logged out does not', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [replaced, left] = [await shop.buyer(), await shop.buyer()]
      for (const { cookies } of [replaced, left])
        for (const [name, value] of shop.owner.cookies) if (name === 'chaabi_admin') cookies.set(name, value)
      await logIn(copyOf(store.url, replaced), replaced.username)
      await copyOf(store.url, left).post('/auth/logout')

      for (let call = 0; call < 2; call++) {
        expect(await replaced.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
        expect(await left.get('/auth/me')).toMatchObject({ status: 200, body: { isAdmin: true } })
      }
      replaced.cookies.delete('chaabi_device')
      await logIn(replaced, replaced.username)
      expect(await replaced.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      expect((await replaced.get('/admin/check')).status, 'the panel goes on').toBe(200)
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
      // Logs out of a session that is too old, which frees nothing, so the device keeps the lock
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
          sql(z.object({ at: z.date() }))`select last_active_at as at from user_sessions where user_id = ${buyer.id}`,
        )

      store.clock.advance(59 * SECOND_MS)
      await use()
      expect(await lastUse()).toEqual({ at: new Date(TEST_NOW) })
      store.clock.advance(SECOND_MS)
      await use()
      expect(await lastUse()).toEqual({ at: store.clock.now() })
    }))

  test('is noted as used together with all others of that moment, in one commit', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyers = [await shop.buyer(), await shop.buyer(), await shop.buyer()]
      const authenticate = authenticator(store.db)
      const later = new Date(store.clock.now().getTime() + MINUTE_MS)
      const use = ({ cookies }: (typeof buyers)[number]) => authenticate(showing(cookies), later, true)

      // Sends one buyer's call twice
      await Promise.all([...buyers, ...buyers.slice(0, 1)].map(use))

      const noted = await store.db.rows(sql(z.object({ at: z.date(), sessions: z.number() }))`
        select last_active_at as at, count(*) as sessions from user_sessions group by last_active_at, xmin::text`)
      expect(noted).toEqual([{ at: later, sessions: 3 }])
    }))

  // Seen to fail without the second check after a slow body in http.ts.
  test('that ends while the body of a call is on its way is refused', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const { hostname, port } = new URL(store.url)
      const cookie = [...buyer.cookies].map((pair) => pair.join('=')).join('; ')
      const socket = connect(Number(port), hostname)
      socket.write(`POST /api/auth/change-password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`)
      socket.write(`Cookie: ${cookie}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{`)
      await sleep(1.1 * SECOND_MS)
      await buyer.post('/auth/logout')

      socket.write('}')

      expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /)
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
