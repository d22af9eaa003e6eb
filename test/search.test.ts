import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { prepared, sql, type Database } from '../server/platform/database/database.ts'
import { inDatabase } from './engine.ts'
import { openShop, type Shop } from './worlds/shop.ts'
import { withStore } from './store.ts'

async function given(shop: Shop) {
  const percent = await shop.buyer({ balance: 500 })
  const other = await shop.buyer({ balance: 500 })
  await shop.store.db.run(sql`update users set username = 'Half_50%off\\' where id = ${percent.id}`)
  const product = await shop.product({ prices: { '10 Days': 100 }, stock: 5, name: '100%_Pure' })
  const { order } = await percent.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
  await other.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 2 })
  return { percent, other, product, order }
}

test('a search takes every character as it is, in any case', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { percent, order } = await given(shop)
    const { owner } = shop

    for (const search of ['half_50%OFF\\', '_50%', 'F\\']) {
      expect((await owner.api.users.list({ search })).users.map((user) => user._id)).toEqual([percent.id])
      expect((await owner.api.orders.purchases({ search })).purchases.map((each) => each._id)).toEqual([order._id])
      expect((await owner.api.payments.list({ search, type: 'buy_key' })).payments).toHaveLength(1)
    }
    for (const search of ['half%off', 'half__', '\\%']) {
      expect(await owner.api.users.list({ search })).toEqual({ users: [], total: 0 })
      expect(await owner.api.orders.purchases({ search })).toEqual({ purchases: [], total: 0, totalRevenue: 0 })
      expect(await owner.api.payments.list({ search })).toEqual({ payments: [], total: 0 })
    }
    expect(await owner.api.orders.purchases({ search: '%_pure' })).toMatchObject({ total: 2, totalRevenue: 300 })
  }))

test('the trigram indexes are there, and without them every search answers the same', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await given(shop)
    const searches = [
      '/admin/users?search=%25OFF',
      '/payments?search=half',
      '/payments?search=9876',
      '/payments/purchases?search=pure',
    ]
    const answers = async () => Promise.all(searches.map(async (path) => (await shop.owner.get(path)).body as unknown))
    const before = await answers()
    expect(await trigramIndexes(store.db)).toBe(3)

    const client = new pg.Client(inDatabase(inject('engine').connection, store.databaseName))
    await client.connect()
    await client.query('drop extension pg_trgm cascade')
    await client.end()

    expect(await trigramIndexes(store.db)).toBe(0)
    expect(await answers()).toEqual(before)
  }))

test('a total is exact up to a thousand matches, and says so when it is a guess', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const addUsers = (from: number, to: number) =>
      store.db.run(sql`
        insert into users (id, email, username, password_hash, referral_code, terms_accepted_at, created_at)
        select gen_random_uuid(), 'many' || n || '@example.in', 'many' || n, '', 'X', ${store.clock.now()},
               ${store.clock.now()}
          from generate_series(${from}::integer, ${to}::integer) as n`)
    await addUsers(1, 1_000)
    expect(await shop.owner.api.users.list({ search: 'many' })).toMatchObject({ total: 1_000 })
    expect(await shop.owner.api.users.list({ search: 'many' })).not.toHaveProperty('totalIsEstimate')

    await addUsers(1_001, 1_500)
    const { total, totalIsEstimate, users } = await shop.owner.api.users.list({
      search: 'many',
      limit: 100,
      skip: 1_450,
    })
    expect(totalIsEstimate).toBe(true)
    expect(total).toBeGreaterThan(1_000)
    expect(users).toHaveLength(50)
    expect(await shop.owner.api.users.list({})).toMatchObject({ total: 1_500 })
  }))

test('a purchase that was taken out of the payments is out of the sales book, and still in its buyer’s history', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { percent, order } = await given(shop)

    await shop.owner.api.payments.remove({ id: order._id })

    expect(await shop.owner.api.orders.purchases({})).toMatchObject({ total: 1, totalRevenue: 200 })
    expect((await percent.api.wallet.history({})).map((line) => line.kind)).toContain('purchase')
    expect((await shop.owner.api.reports.overview({})).today.sales).toBe(300)
  }))

function trigramIndexes(db: Database): Promise<number> {
  return db.count(prepared("select count(*) from pg_indexes where indexdef like '%gin_trgm_ops%'"))
}
