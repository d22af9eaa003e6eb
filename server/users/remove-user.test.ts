import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { nextUtr, openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { withStore, type Answer } from '../../test/store.ts'
import { change, countOf, inTheBooks } from '../../test/users.ts'
import { sql } from '../platform/database/database.ts'

describe('closing an account', () => {
  test('ends its session, erases the person, frees the name and keeps the money', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const product = await shop.product({ prices: { '10 Days': 40 }, stock: 1 })
      const buyer = await shop.buyer({ balance: 100 })
      await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
      await change(shop, buyer.id, {
        customPrices: [{ productId: product._id, duration: '10 Days', price: 30 }],
        hiddenProducts: [product._id],
      })

      expect(await shop.owner.delete(`/admin/users/${buyer.id}`)).toMatchObject({
        status: 200,
        body: { message: 'User deleted' },
      })

      expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      const credentials = { username: buyer.username, password: PASSWORD }
      expect((await shop.visitor().post('/auth/login', credentials)).status).toBe(401)
      expect(await shop.owner.api.users.list({})).toEqual({ users: [], total: 0 })
      expect((await shop.owner.delete(`/admin/users/${buyer.id}`)).status).toBe(404)
      expect((await change(shop, buyer.id, { balance: 1 })).status).toBe(404)
      expect((await shop.owner.post(`/admin/users/${buyer.id}/unlock-device`)).status).toBe(404)

      const traces = await store.db.one(sql(z.object({ text: z.string() }))`
        select concat((select json_agg(users) from users), (select json_agg(user_sessions) from user_sessions),
                      (select json_agg(topup_requests) from topup_requests)) as text`)
      for (const trace of [buyer.username, buyer.email, '9876543210', '127.0.0.1'])
        expect(traces.text).not.toContain(trace)
      expect(traces.text).toMatch(/"deleted-[0-9a-f]{12}@invalid"/)
      // Keeps sales and money as they were
      expect(await shop.owner.api.users.payments({ userId: buyer.id })).toMatchObject([
        { type: 'buy_key', amount: 40 },
        { type: 'add_money', amount: 100 },
      ])
      await inTheBooks(shop)

      const again = { ...credentials, email: buyer.email, referralCode: shop.referralCode }
      expect((await buyer.post('/auth/register', again)).status).toBe(201)
      expect((await buyer.post('/auth/login', credentials)).status).toBe(200)
    }))

  test('leaves one pseudonym in the payments and in the purchases', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })
      const { _id: productId } = await shop.product({ prices: { '10 Days': 40 }, stock: 1 })
      await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })

      await shop.owner.api.users.remove({ id: buyer.id })

      const { purchases } = await shop.owner.api.orders.purchases({})
      const { payments } = await shop.owner.api.payments.list({ type: 'buy_key' })
      const [{ username, email } = { username: '', email: '' }] = purchases
      expect(username).toMatch(/^deleted-/)
      expect(payments).toMatchObject([{ userId: { _id: buyer.id, username, email } }])
    }))

  test('rejects what still waits, with a reason, and lets its transfer be claimed again', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer(), await shop.buyer()]
      const utr = nextUtr()
      const claim = { amount: 50, utr, payerName: '9876543210' }
      const { payment } = await buyer.api.payments.addMoney(claim)

      await shop.owner.api.users.remove({ id: buyer.id })

      expect(await shop.owner.api.payments.list({ status: 'pending' })).toMatchObject({ total: 0 })
      expect(await shop.owner.api.users.payments({ userId: buyer.id })).toMatchObject([
        { _id: payment._id, status: 'rejected', reason: 'The account was closed' },
      ])
      expect((await shop.owner.put(`/payments/${payment._id}/approve`)).body).toMatchObject({ code: 'NOT_PENDING' })
      const audited = await store.db.one(
        sql(z.object({ after: z.unknown() }))`select after from audit_entries where action = 'user.remove'`,
      )
      expect(audited.after).toEqual({ balance: 0, rejectedRequests: [payment._id] })
      expect((await other.post('/payments/add-money', claim)).status).toBe(201)
    }))

  test('says in the log what the store still owed', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 60.5 })

      await shop.owner.api.users.remove({ id: buyer.id })

      const { entries } = await shop.owner.api.reports.audit({ action: 'user.remove' })
      expect(entries).toMatchObject([{ after: { balance: 60.5 } }])
    }))

  // Seen to fail with the lock on the requests inside the rejecting statement: the removed one is rejected and its
  // UTR is free.
  test('while a request of it is removed from the lists: the transfer stays claimed', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer(), await shop.buyer()]
      const claim = { amount: 50, utr: nextUtr(), payerName: '9876543210' }
      const { payment } = await buyer.api.payments.addMoney(claim)
      let closing: Promise<Answer> | undefined

      await store.db.transaction(async (tx) => {
        await tx.run(sql`select from topup_requests where id = ${payment._id} for update`)
        await tx.run(sql`
          insert into hidden_payments (payment_id, admin_id, hidden_at)
          select ${payment._id}, id, now() from admins`)
        closing = shop.owner.delete(`/admin/users/${buyer.id}`)
        await untilBlocked(store.db, 1)
      })

      expect((await closing)?.status).toBe(200)
      expect(await countOf(store.db, sql`topup_requests where status = 'rejected'`)).toBe(0)
      expect((await other.post('/payments/add-money', claim)).body).toMatchObject({ code: 'UTR_ALREADY_USED' })
    }))

  // Seen to fail without lockWallet in remove-user.ts (the request is filed while the account closes) and without
  // refuseClosed in request-top-up.ts (it is filed right after). Either way it stays pending for ever.
  test('while a top-up request comes in: none is left waiting', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      let closing: Promise<Answer> | undefined
      let asking: Promise<Answer> | undefined

      await store.db.transaction(async (tx) => {
        // Holds the closing before its audit entry, which is its last step
        await tx.run(sql`select from audit_head for update`)
        closing = shop.owner.delete(`/admin/users/${buyer.id}`)
        await untilBlocked(store.db, 1)
        asking = buyer.post('/payments/add-money', { amount: 50, utr: nextUtr(), payerName: '9876543210' })
        await untilBlocked(store.db, 2)
      })

      expect((await closing)?.status).toBe(200)
      expect(await asking).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      expect(await countOf(store.db, sql`topup_requests`)).toBe(0)
    }))

  test('and asking for a top-up at the same moment, in any order: none is left waiting', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      for (let round = 0; round < 8; round++) {
        const buyer = await shop.buyer()
        await Promise.all([
          ...[1, 2, 3].map(() =>
            buyer.post('/payments/add-money', { amount: 50, utr: nextUtr(), payerName: '9876543210' }),
          ),
          shop.owner.delete(`/admin/users/${buyer.id}`),
        ])
      }
      expect(await countOf(store.db, sql`topup_requests where status = 'pending'`)).toBe(0)
    }))
})
