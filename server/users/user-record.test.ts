/** A user in the admin panel: payments, sessions, keys and the device. */
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../contract/time.ts'
import { openShop, OWNER, PASSWORD } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { change, countOf } from '../../test/users.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

describe("a user's payments", () => {
  test('are listed newest first; those of nobody are not found', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })
      const other = await shop.buyer({ balance: 5 })
      store.clock.advance(1_000)
      await change(shop, buyer.id, { balance: -10 })

      const payments = await shop.owner.get(`/payments/user/${buyer.id}`)

      expect(payments.body).toMatchObject([
        { type: 'deduct_money', amount: 10, status: 'approved', userId: { _id: buyer.id } },
        { type: 'add_money', amount: 100, userId: { username: buyer.username } },
      ])
      expect(await shop.owner.api.users.payments({ userId: other.id })).toHaveLength(1)
      expect((await shop.owner.get(`/payments/user/${newId()}`)).status).toBe(404)
      expect((await shop.owner.get('/payments/user/x')).status).toBe(400)
    }))
})

describe("a user's sessions and keys, as an admin sees them", () => {
  test('a session is listed with its browser, and ended; its device can log in again, and no other', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer(), await shop.buyer()]
      const { sessions } = await shop.owner.api.users.sessions({ id: buyer.id })
      expect(sessions).toEqual([
        {
          _id: expect.any(String) as string,
          createdAt: TEST_NOW,
          lastActiveAt: TEST_NOW,
          address: '127.0.0.1',
          userAgent: expect.any(String) as string,
        },
      ])
      const path = `/admin/users/${buyer.id}/sessions/${sessions[0]?._id}`
      expect((await shop.owner.delete(path.replace(buyer.id, other.id))).status).toBe(404)

      expect(await shop.owner.delete(path)).toMatchObject({ status: 200, body: { message: 'Session ended' } })

      expect((await shop.owner.delete(path)).status).toBe(404)
      expect(await shop.owner.api.users.sessions({ id: buyer.id })).toEqual({ sessions: [] })
      expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      const credentials = { username: buyer.username, password: PASSWORD }
      expect((await shop.visitor().post('/auth/login', credentials)).status).toBe(403)
      expect((await buyer.post('/auth/login', credentials)).status).toBe(200)
      expect(await countOf(store.db, sql`audit_entries where action = 'user.end-session'`)).toBe(1)
    }))

  test('keys are known by their ending, newest first in pages, and never told whole', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const product = await shop.product({ name: 'Skyforge', prices: { '10 Days': 10, '1 Day': 5 } })
      await shop.owner.api.keys.add({ productId: product._id, duration: '1 Day', keys: ['SHORT'] })
      await shop.owner.api.keys.add({ productId: product._id, duration: '10 Days', keys: ['AAAA-BBBB-CCCC-7Q2X'] })
      const buyer = await shop.buyer({ balance: 100 })
      await buyer.api.orders.place({ productId: product._id, duration: '1 Day', quantity: 1 })
      store.clock.advance(2 * DAY_MS)
      await shop.owner.api.sessions.adminLogin(OWNER)
      const { order } = await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })

      const { body } = await shop.owner.get(`/admin/users/${buyer.id}/keys`)

      expect(body).toMatchObject({
        total: 2,
        keys: [
          {
            ending: '7Q2X',
            productId: { name: 'Skyforge' },
            duration: '10 Days',
            orderId: order._id,
            isExpired: false,
          },
          { ending: '', duration: '1 Day', isExpired: true },
        ],
      })
      expect(JSON.stringify(body)).not.toMatch(/SHORT|BBBB/)
      const page = await shop.owner.api.users.keys({ id: buyer.id, limit: 1, skip: 1 })
      expect(page).toMatchObject({ total: 2, keys: [{ duration: '1 Day' }] })
    }))
})

describe('unlocking a device', () => {
  test('lets another one in at once, without the 24-hour wait', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const phone = shop.visitor()
      const credentials = { username: buyer.username, password: PASSWORD }
      expect((await phone.post('/auth/login', credentials)).status).toBe(403)

      expect((await shop.owner.post(`/admin/users/${buyer.id}/unlock-device`)).status).toBe(200)

      expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      expect(await shop.owner.api.users.list({})).toMatchObject({ users: [{ deviceLockedAt: null }] })
      expect((await phone.post('/auth/login', credentials)).status).toBe(200)
      expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'DEVICE_MISMATCH' } })
      expect((await shop.owner.post(`/admin/users/${newId()}/unlock-device`)).status).toBe(404)
    }))
})
