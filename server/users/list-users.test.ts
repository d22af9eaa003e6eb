import { describe, expect, test } from 'vitest'
import { nextUtr, openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { change } from '../../test/users.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'

describe('the list of users', () => {
  test('is newest first, a page at a time, with a total', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const names: string[] = []
      for (let n = 0; n < 12; n++) {
        names.unshift((await shop.buyer()).username)
        store.clock.advance(1_000)
      }
      const page = async (query: string) => {
        const { body } = await shop.owner.get(`/admin/users${query}`)
        const { users, total } = body as { users: { username: string }[]; total: number }
        return { names: users.map((user) => user.username), total }
      }

      expect(await page('')).toEqual({ names: names.slice(0, 10), total: 12 })
      expect(await page('?limit=5&skip=5&search=')).toEqual({ names: names.slice(5, 10), total: 12 })
      expect(await page('?limit=5&skip=10')).toEqual({ names: names.slice(10), total: 12 })
      expect(await page('?limit=100000&skip=11')).toEqual({ names: names.slice(11), total: 12 })
      expect((await page('?skip=500')).names).toEqual([])
      for (const query of ['?limit=0', '?limit=x', '?skip=-1', '?limit=1.5', '?skip=1&skip=2'])
        expect((await shop.owner.get(`/admin/users${query}`)).status, query).toBe(400)
    }))

  test('finds a part of the username or e-mail, in letters of any case and to the letter', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      for (const [username, email] of [
        ['Asha_Rao', 'a@example.in'],
        ['ashaXrao', 'b@example.in'],
        ['percent', 'hundred%@example.in'],
        ['meera', 'RAO@example.in'],
      ])
        await shop.visitor().api.sessions.register({
          username: username ?? '',
          email: email ?? '',
          password: PASSWORD,
          referralCode: shop.referralCode,
        })
      const find = async (search: string) => {
        const { users, total } = await shop.owner.api.users.list({ search })
        expect(users).toHaveLength(total)
        return users.map((user) => user.username)
      }

      expect(await find('rao')).toEqual(['meera', 'ashaXrao', 'Asha_Rao'])
      expect(await find('_RAO')).toEqual(['Asha_Rao'])
      expect(await find('%')).toEqual(['percent'])
      expect(await find("' or true --")).toEqual([])
      expect(await find('(a+)+$'.repeat(30))).toEqual([])
      expect(await find('  meera ')).toEqual(['meera'])
    }))

  test('finds a buyer by the phone of any top-up, however it is written', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer(), await shop.buyer()]
      const ask = (whose: typeof buyer, payerName: string) =>
        whose.api.payments.addMoney({ amount: 1, utr: nextUtr(), payerName })
      await ask(buyer, '9812345670')
      await ask(buyer, '9700000001')
      await ask(other, '8800000002')
      const find = async (search: string) => {
        const { users, total } = await shop.owner.api.users.list({ search })
        return [total, ...users.map((user) => user.username)]
      }

      for (const search of [
        '9812345670',
        '+91 98123 45670',
        '09812345670',
        '98123',
        '45670',
        '97000 00001',
        '+91 98123',
      ])
        expect(await find(search), search).toEqual([1, buyer.username])
      expect(await find('0000000')).toEqual([2, other.username, buyer.username])
      expect(await find('9812345671')).toEqual([0])
    }))

  test('shows wallet, own prices, hidden products and the phone of the newest approved top-up', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const product = await shop.product({ prices: { '10 Days': 100, '1 Month': 250 } })
      const buyer = await shop.buyer({ balance: 500 })
      const phones = ['9000000001', '9000000002', '9000000003']
      const [first = '', second = ''] = await Promise.all(
        phones.map(async (payerName) => {
          const { payment } = await buyer.api.payments.addMoney({ amount: 1, utr: nextUtr(), payerName })
          return payment._id
        }),
      )
      await shop.owner.api.payments.approve({ id: first })
      await shop.owner.api.payments.reject({ id: second })
      await store.db.run(sql`update topup_requests set created_at = created_at + interval '1 s' where id = ${first}`)
      // An admin has filed the newest one, and it has no phone
      await store.db.run(sql`
        update topup_requests set created_at = created_at + interval '2 s', phone = '' where amount_paise = 50000`)
      await change(shop, buyer.id, {
        customPrices: [{ productId: product._id, duration: '1 Month', price: 199.5 }],
        hiddenProducts: [product._id],
      })

      const { users } = await shop.owner.api.users.list({})

      expect(users).toEqual([
        {
          _id: buyer.id,
          email: buyer.email,
          username: buyer.username,
          createdAt: TEST_NOW,
          wallet: [
            { _id: expect.any(String) as string, amount: 500, expiresAt: null, addedAt: TEST_NOW, source: 'topup' },
            { _id: expect.any(String) as string, amount: 1, expiresAt: null, addedAt: TEST_NOW, source: 'topup' },
          ],
          balance: 501,
          customPrices: [{ productId: product._id, duration: '1 Month', price: 199.5 }],
          hiddenProducts: [product._id],
          contact: '9000000001',
          referralCode: shop.referralCode,
          deviceLockedAt: TEST_NOW,
          blocked: null,
          lastSeenAt: TEST_NOW,
          group: null,
          groupBy: 'spend',
          sameMailbox: [],
        },
      ])
    }))

  test('those who hold money, most first, and those whose credit lapses within 30 days, soonest first', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [poor, rich, soon, none] = [
        await shop.buyer({ balance: 10 }),
        await shop.buyer({ balance: 900 }),
        await shop.buyer({ balance: 50 }),
        await shop.buyer(),
      ]
      await change(shop, poor.id, { balance: 5, expiresInDays: 29 })
      await change(shop, soon.id, { balance: 5, expiresInDays: 3 })
      await change(shop, rich.id, { balance: 5, expiresInDays: 31 })
      const names = async (query: string) => {
        const { users, total } = (await shop.owner.get(`/admin/users?${query}`)).body as {
          users: { username: string }[]
          total: number
        }
        return { names: users.map((user) => user.username), total }
      }

      expect(await names('holding=money')).toEqual({ names: [rich, soon, poor].map((each) => each.username), total: 3 })
      expect(await names('holding=money&limit=1&skip=2')).toEqual({ names: [poor.username], total: 3 })
      expect(await names(`holding=money&search=${none.username}`)).toEqual({ names: [], total: 0 })
      expect(await names('holding=lapsing')).toEqual({ names: [soon, poor].map((each) => each.username), total: 2 })
      const today = new Date(store.clock.now().getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10)
      expect(await names(`joined=${today}`)).toMatchObject({ total: 4 })
      await store.db.run(sql`
        update users set created_at = (${today}::date)::timestamp at time zone 'Asia/Kolkata' - interval '1 ms'
         where username = ${rich.username}`)
      expect(await names(`joined=${today}`), 'by the day in India').toMatchObject({ total: 3 })
      expect((await shop.owner.get('/admin/users?joined=today')).status).toBe(400)
      expect((await shop.owner.get('/admin/users?holding=gold')).status).toBe(400)
    }))
})
