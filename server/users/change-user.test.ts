import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS } from '../../contract/time.ts'
import { untilBlocked } from '../../test/blocked.ts'
import { balanceOf } from '../../test/worlds/given.ts'
import { openShop, OWNER, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type Answer } from '../../test/store.ts'
import { change, countOf, inTheBooks } from '../../test/users.ts'
import { sql } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

const IN_60_DAYS = '2027-01-19T15:44:00.000Z'

describe("a user's own prices and hidden products", () => {
  test('replace the stored ones where given, and are what the user sees and pays', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [skyforge, orbit] = [
        await shop.product({ prices: { '10 Days': 100, '1 Month': 250 }, stock: 2 }),
        await shop.product({ prices: { '10 Days': 80 } }),
      ]
      const buyer = await shop.buyer({ balance: 500 })
      const own = { productId: skyforge._id, duration: '10 Days', price: 60.5 }

      const answer = await change(shop, buyer.id, {
        customPrices: [
          { ...own, duration: '10days', price: '60.50' },
          { productId: skyforge._id, duration: '1 Month', price: '' },
        ],
        hiddenProducts: [orbit._id, orbit._id.toUpperCase()],
      })

      expect(answer).toMatchObject({
        status: 200,
        body: { message: 'User updated', user: { customPrices: [own], hiddenProducts: [orbit._id], balance: 500 } },
      })
      expect(await buyer.api.catalogue.list({})).toMatchObject([
        {
          _id: skyforge._id,
          price: 60.5,
          prices: [
            { price: 60.5, listPrice: 100 },
            { price: 250, listPrice: 250 },
          ],
        },
      ])
      expect((await buyer.get('/auth/me')).body).toMatchObject({ customPrices: [own], hiddenProducts: [orbit._id] })

      // Sends one list, which leaves the other as it was
      await change(shop, buyer.id, { hiddenProducts: [] })
      expect((await buyer.get('/auth/me')).body).toMatchObject({ customPrices: [own], hiddenProducts: [] })
      await change(shop, buyer.id, { customPrices: [{ ...own, price: null }] })
      expect((await buyer.get('/auth/me')).body).toMatchObject({ customPrices: [], hiddenProducts: [] })
    }))

  test('of what is out of the shop for a while stay as they were, whatever is saved meanwhile', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { api } = shop.owner
      const [gone, kept] = [
        await shop.product({ prices: { '10 Days': 100 } }),
        await shop.product({ prices: { '10 Days': 80, '1 Month': 200 } }),
      ]
      const buyer = await shop.buyer()
      const [ofGone, ofKept, ofMonth] = [
        { productId: gone._id, duration: '10 Days', price: 60 },
        { productId: kept._id, duration: '10 Days', price: 50 },
        { productId: kept._id, duration: '1 Month', price: 150 },
      ]
      await change(shop, buyer.id, { customPrices: [ofGone, ofKept, ofMonth], hiddenProducts: [gone._id, kept._id] })
      const { name, description } = kept
      const [tenDays, month] = [
        { duration: '10 Days', price: 80 },
        { duration: '1 Month', price: 200 },
      ]
      await api.catalogue.remove({ id: gone._id })
      await api.catalogue.update({ id: kept._id, name, description, prices: [tenDays] })

      // Sends a form that was opened before the product was deleted
      const late = await change(shop, buyer.id, { hiddenProducts: [gone._id] })
      expect(late).toMatchObject({ status: 200, body: { user: { hiddenProducts: [] } } })
      const saved = await change(shop, buyer.id, { customPrices: [{ ...ofKept, price: 55 }], hiddenProducts: [] })
      expect(saved).toMatchObject({
        status: 200,
        body: { user: { customPrices: [{ ...ofKept, price: 55 }], hiddenProducts: [] } },
      })

      await api.catalogue.restore({ id: gone._id })
      await api.catalogue.update({ id: kept._id, name, description, prices: [tenDays, month] })
      expect((await buyer.get('/auth/me')).body).toMatchObject({
        customPrices: [ofGone, { ...ofKept, price: 55 }, ofMonth],
        hiddenProducts: [gone._id],
      })
    }))

  test('are refused whole when one is for what is not sold, or is no price', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const product = await shop.product({ prices: { '10 Days': 100 } })
      const buyer = await shop.buyer({ balance: 100 })
      const own = { productId: product._id, duration: '10 Days', price: 50 }
      await change(shop, buyer.id, { customPrices: [own] })
      const notFound = { status: 404, body: { code: 'PRODUCT_NOT_FOUND' } }

      const unknownDuration = [own, { ...own, duration: '11 Days' }]
      expect(await change(shop, buyer.id, { customPrices: unknownDuration, balance: 10 })).toMatchObject(notFound)
      expect(await change(shop, buyer.id, { customPrices: [{ ...own, productId: newId() }] })).toMatchObject(notFound)
      expect(await change(shop, buyer.id, { hiddenProducts: [newId()], balance: 10 })).toMatchObject(notFound)
      expect(await change(shop, buyer.id, { customPrices: [], balance: -100.01 })).toMatchObject({
        status: 409,
        body: {
          code: 'INSUFFICIENT_BALANCE',
          message: 'You can deduct up to ₹100. The balance can’t go below ₹0.',
          shortfall: 0.01,
        },
      })
      for (const price of [-1, 'x', 1.005, '1e3', 10_000_000_000])
        expect((await change(shop, buyer.id, { customPrices: [{ ...own, price }] })).status, String(price)).toBe(400)
      expect((await change(shop, newId(), { balance: 10 })).status).toBe(404)
      expect((await change(shop, newId(), { hiddenProducts: [] })).status).toBe(404)
      expect((await change(shop, 'x', {})).status).toBe(400)

      expect((await buyer.get('/auth/me')).body).toMatchObject({
        customPrices: [own],
        hiddenProducts: [],
        balance: 100,
      })
      await inTheBooks(shop)
    }))
})

describe('an adjustment of the balance', () => {
  test('adds credit for 60 days, for other terms, or for good, with its reason in the history', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()

      await change(shop, buyer.id, { balance: '100.50', reason: 'Goodwill' })
      await change(shop, buyer.id, { balance: 50, expiresInDays: '10' })
      await change(shop, buyer.id, { balance: 25, expiresInDays: null })
      await change(shop, buyer.id, { balance: 0 })
      const { body } = await change(shop, buyer.id, { balance: '' })

      expect(body).toMatchObject({
        user: {
          balance: 175.5,
          wallet: [
            { amount: 50, expiresAt: '2026-11-30T15:44:00.000Z', source: 'admin_credit' },
            { amount: 100.5, expiresAt: IN_60_DAYS },
            { amount: 25, expiresAt: null },
          ],
        },
      })
      const history = await buyer.api.wallet.history({})
      expect(
        history.map(({ type, amount, description, expiresAt }) => ({ type, amount, description, expiresAt })),
      ).toEqual([
        { type: 'topup', amount: 25, description: 'Added by admin', expiresAt: null },
        { type: 'topup', amount: 50, description: 'Added by admin', expiresAt: '2026-11-30T15:44:00.000Z' },
        { type: 'topup', amount: 100.5, description: 'Added by admin: Goodwill', expiresAt: IN_60_DAYS },
      ])
      store.clock.advance(60 * DAY_MS)
      await shop.owner.post('/admin/login', OWNER)
      expect(await shop.owner.api.users.list({})).toMatchObject({ users: [{ balance: 25, wallet: [{ amount: 25 }] }] })
      await inTheBooks(shop)
    }))

  test('deducts for 60 days, and the amount returns', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })

      const { body } = await change(shop, buyer.id, { balance: -40, reason: 'Charged back' })

      expect(body).toMatchObject({ user: { balance: 60, wallet: [{ amount: 60 }] } })
      expect((await buyer.api.wallet.history({}))[0]).toMatchObject({
        type: 'admin_adjustment',
        kind: 'admin_debit',
        amount: -40,
        delta: -40,
        description: 'Deducted by admin: Charged back',
        expiresAt: IN_60_DAYS,
      })
      store.clock.advance(60 * DAY_MS)
      await shop.owner.post('/admin/login', OWNER)
      expect(await shop.owner.api.users.list({})).toMatchObject({ users: [{ balance: 100 }] })
      await change(shop, buyer.id, { balance: -30, expiresInDays: null })
      store.clock.advance(3_650 * DAY_MS)
      await shop.owner.post('/admin/login', OWNER)
      expect(await shop.owner.api.users.list({})).toMatchObject({ users: [{ balance: 70 }] })
      await inTheBooks(shop)
    }))

  test('takes whole terms of 1 to 3650 days and amounts in paise only', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()

      for (const fields of [
        { expiresInDays: 0 },
        { expiresInDays: 3_651 },
        { expiresInDays: 1.5 },
        { expiresInDays: '' },
        { balance: 0.001 },
        { balance: 'ten' },
        { balance: 1e12 },
        { balance: [1] },
        { reason: 'x'.repeat(301) },
      ])
        expect((await change(shop, buyer.id, { balance: 10, ...fields })).status, JSON.stringify(fields)).toBe(400)
      expect(await buyer.api.wallet.history({})).toEqual([])
    }))

  // Seen to fail without both locks, the wallet's and the account's: the seven refusals become errors of the
  // wallet's own checks.
  test('by eight admins at once takes no more than there is, and adds all that is added', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })
      const together = async (balance: number) => {
        const { waiting } = await store.db.transaction(async (tx) => {
          await tx.run(sql`select from wallets where user_id = ${buyer.id} for update`)
          await tx.run(sql`select from users where id = ${buyer.id} for update`)
          const changes = Array.from({ length: 8 }, () => change(shop, buyer.id, { balance }))
          await untilBlocked(store.db, 8)
          return { waiting: changes }
        })
        return (await Promise.all(waiting)).map((answer) => answer.status).toSorted((a, b) => a - b)
      }

      expect(await together(-60)).toEqual([200, ...Array<number>(7).fill(409)])
      expect(await together(10)).toEqual(Array<number>(8).fill(200))

      expect((await buyer.get('/auth/me')).body).toMatchObject({ balance: 120 })
      await inTheBooks(shop)
    }))

  test('leaves an entry in the audit log that says what was before and after', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const product = await shop.product({ prices: { '10 Days': 100 }, name: 'Skyforge' })
      const buyer = await shop.buyer({ balance: 100 })
      await change(shop, buyer.id, {
        balance: 20,
        reason: 'Goodwill',
        customPrices: [{ productId: product._id, duration: '10 Days', price: 80.5 }],
        hiddenProducts: [product._id],
      })

      const entries = await store.db.rows(sql(
        z.object({ subject: z.string(), before: z.unknown(), after: z.unknown() }),
      )`
        select subject, before, after from audit_entries where action = 'user.update'`)

      expect(entries).toEqual([
        {
          subject: `${buyer.username} (${buyer.id})`,
          before: { customPrices: {}, hiddenProducts: [], balance: 100 },
          after: {
            customPrices: { 'Skyforge, 10 Days': 80.5 },
            hiddenProducts: ['Skyforge'],
            balance: 120,
            change: 20,
            reason: 'Goodwill',
          },
        },
      ])
    }))
})

describe('a change under an Idempotency-Key', () => {
  const keyed = (shop: Shop, id: string, fields: object, key: string): Promise<Answer> =>
    shop.owner.put(`/admin/users/${id}/custom-prices`, fields, { 'idempotency-key': key })

  test('that is sent again after a lost answer gets the answer again, and moves nothing more', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })
      const first = await keyed(shop, buyer.id, { balance: 25, reason: 'Goodwill' }, 'form-1')
      store.clock.advance(60_000)

      const again = await keyed(shop, buyer.id, { reason: 'Goodwill', balance: 25 }, 'form-1')

      expect(first).toMatchObject({ status: 200, body: { message: 'User updated', user: { balance: 125 } } })
      expect(again).toMatchObject({ status: 200, body: first.body })
      expect(await countOf(store.db, sql`wallet_movements where kind = 'admin_credit'`)).toBe(1)
      expect(await countOf(store.db, sql`audit_entries where action = 'user.update'`)).toBe(1)
      await inTheBooks(shop)
    }))

  test('is refused for another change, and for another user', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer(), await shop.buyer()]
      await keyed(shop, buyer.id, { balance: 25 }, 'form-1')

      for (const answer of [
        await keyed(shop, buyer.id, { balance: 26 }, 'form-1'),
        await keyed(shop, other.id, { balance: 25 }, 'form-1'),
      ])
        expect(answer).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
      expect(await balanceOf(store.db, buyer.id)).toBe(25_00)
      expect(await balanceOf(store.db, other.id)).toBe(0)
      expect((await keyed(shop, buyer.id, { balance: 25 }, 'form-2')).status).toBe(200)
      expect(await balanceOf(store.db, buyer.id)).toBe(50_00)
    }))

  test('that was refused uses nothing up: the corrected form goes through', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 10 })

      expect((await keyed(shop, buyer.id, { balance: -11 }, 'form-1')).status).toBe(409)
      expect((await keyed(shop, buyer.id, { balance: -10 }, 'form-1')).status).toBe(200)
      expect(await balanceOf(store.db, buyer.id)).toBe(0)
    }))

  // Seen to fail without the key's row (isFirst in change-user.ts always true): all twenty are posted.
  test('that comes twenty times at once is one movement', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => keyed(shop, buyer.id, { balance: -5 }, 'double-click')),
      )

      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
      expect(await balanceOf(store.db, buyer.id)).toBe(95_00)
      expect(await countOf(store.db, sql`wallet_movements where kind = 'admin_debit'`)).toBe(1)
      await inTheBooks(shop)
    }))
})
