import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sql, type Database } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import { openShop, type Buyer } from './worlds/shop.ts'
import { TEST_SEALER } from './worlds/constants.ts'
import { withStore, type TestStore } from './store.ts'

/** Movements of one rupee up and down, without the lots behind them. */
async function givenHistory(db: Database, userId: string, lines: number): Promise<void> {
  await db.transaction(
    (tx) =>
      tx.run(sql`
    insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, created_at)
    select gen_random_uuid(), ${userId}, case n % 2 when 1 then 'admin_credit' else 'admin_debit' end,
           case n % 2 when 1 then 100 else -100 end, n % 2 * 100, 'Line ' || n, now()
      from generate_series(1, ${lines}::integer) as n`),
    { statementTimeoutMs: 60_000 },
  )
}

/** Keys that a buyer owns, all sold at one moment by one order. */
async function givenOwnedKeys(store: TestStore, buyer: Buyer, productId: string, quantity: number): Promise<void> {
  const { db } = store
  const now = store.clock.now()
  const order = newId(now)
  const ids = Array.from({ length: quantity }, () => randomUUID())
  await db.run(sql`
    insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                        unit_paise, amount_paise, created_at)
    select ${order}, ${buyer.id}, product_id, id, 'Many', '', duration, 1, 100, 100, ${now} from prices
     where product_id = ${productId}`)
  await db.run(sql`
    insert into license_keys (id, price_id, sealed, fingerprint, order_id, assigned_to, assigned_at, expires_at,
                              created_at)
    select key.id, prices.id, key.sealed, sha256(key.id::text::bytea), ${order}, ${buyer.id}, ${now},
           ${now}::timestamptz + interval '10 days', ${now}
      from prices,
           unnest(${ids}::uuid[], ${ids.map((id) => TEST_SEALER.seal('key', id, 'AAAA'))}::bytea[]) as key (id, sealed)
     where product_id = ${productId}`)
}

function open(store: TestStore, buyer: Buyer, path: string): Promise<IncomingMessage> {
  const cookie = [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return new Promise((resolve, reject) => {
    get(`${store.url}/api${path}`, { headers: { cookie } }, resolve).on('error', reject)
  })
}

test('a history of 100,000 lines arrives whole, in order, and begins long before it is read to its end', () =>
  withStore(async (store) => {
    const buyer = await (await openShop(store)).buyer()
    await givenHistory(store.db, buyer.id, 100_000)

    const answer = await open(store, buyer, '/auth/balance-history')
    const began = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const lines = JSON.parse(Buffer.concat(chunks).toString()) as { description: string }[]

    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(performance.now() - began).toBeGreaterThan(20)
    expect(lines.map((line) => line.description)).toEqual(
      Array.from({ length: 100_000 }, (_, index) => `Line ${100_000 - index}`),
    )
  }))

test('keys sold in one moment are each listed once, over many pages, to their buyer and to the admin', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const product = await shop.product({ stock: 3 })
    await givenOwnedKeys(store, buyer, product._id, 2_500)

    const owned = await buyer.api.keys.mine({})
    const all = await shop.owner.api.keys.list({})
    const sold = await shop.owner.api.keys.list({ productId: product._id, status: 'assigned' })

    expect(new Set(owned.map((key) => key._id)).size).toBe(2_500)
    expect(new Set(all.map((key) => key._id)).size).toBe(2_503)
    expect(sold.map((key) => key._id)).toEqual(owned.map((key) => key._id).toReversed())
  }))

test('a short list keeps its ETag, and an empty one is an array', () =>
  withStore(async (store) => {
    const buyer = await (await openShop(store)).buyer({ balance: 50 })
    const first = await buyer.get('/auth/balance-history')
    const again = await buyer.call('GET', '/auth/balance-history', undefined, {
      'if-none-match': first.headers.get('etag') ?? '',
    })

    expect(first.body).toHaveLength(1)
    expect(again.status).toBe(304)
    expect((await buyer.get('/keys/user')).body).toEqual([])
  }))

test('a reader who leaves in the middle, or does not read on, holds no connection to the database', () =>
  withStore(
    async (store) => {
      const buyer = await (await openShop(store)).buyer()
      await givenHistory(store.db, buyer.id, 30_000)

      const gone = await Promise.all(Array.from({ length: 4 }, () => open(store, buyer, '/auth/balance-history')))
      for (const answer of gone.slice(2)) answer.destroy()
      await sleep(50)

      expect((await buyer.get('/auth/me')).status).toBe(200)
      for (const answer of gone) answer.destroy()
    },
    { poolSize: 2 },
  ))

test('an error in the middle breaks the connection: half a list never looks whole', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const product = await shop.product({ stock: 1 })
    const buyer = await shop.buyer()
    await givenOwnedKeys(store, buyer, product._id, 1_500)
    // The last key on the list was altered at rest
    await store.db.run(sql`
      update license_keys set sealed = '\\x00'
       where seq = (select min(seq) from license_keys where assigned_to = ${buyer.id})`)

    const answer = await open(store, buyer, '/keys/user')
    const read = (async () => {
      for await (const _ of answer);
    })()

    expect(answer.statusCode).toBe(200)
    await expect(read).rejects.toThrow('aborted')
  }))
