import { expect, test } from 'vitest'
import { DAY_MS } from '../../contract/time.ts'
import { withStore } from '../../test/store.ts'
import { logIn, openShop, type Buyer } from '../../test/worlds/shop.ts'
import { prepared, sql } from '../platform/database/database.ts'

const duration = '10 Days'

const ask = (buyer: Buyer, etag: string, query = '') =>
  buyer.call('GET', `/keys/user${query}`, undefined, { 'if-none-match': etag })

test('a caller who has the list is told so, until anything in it changes', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const product = await shop.product({ stock: 8 })
    const productId = product._id
    const buyer = await shop.buyer({ balance: 2_000 })
    await store.db.run(sql`insert into channels (name, is_on) values ('push', true) on conflict do nothing`)
    const buy = async () => (await buyer.api.orders.place({ productId, duration, quantity: 2 })).keys[0]?._id ?? ''
    const claimed = async () =>
      (await buyer.api.claims.open({ keyId: await buy(), reason: 'never-worked', note: '' }))._id
    const [replaced, refunded] = [await claimed(), await claimed()]
    const changeProducts = (set: string) => store.db.run(prepared(`update products set ${set}`))

    const changes: Record<string, () => Promise<unknown>> = {
      'another purchase': buy,
      'a replacement': () => shop.owner.api.claims.replace({ id: replaced, answer: '' }),
      'a refund': () => shop.owner.api.claims.refund({ id: refunded, rule: 'full', expected: 100, answer: '' }),
      instructions: () => changeProducts(`instructions = 'Open the app'`),
      'other instructions': () => changeProducts(`instructions = 'Open the other app'`),
      'instructions in Hindi': () => changeProducts(`translations = '{"instructionsHi": "ऐप खोलें"}'`),
      'a name in Hindi': () => changeProducts(`translations = '{"nameHi": "खेल"}'`),
      'another name': () => changeProducts(`name = 'Another name'`),
      'a download link': () => changeProducts(`download_url = 'https://example.com/app'`),
      'a key’s time that changed': () =>
        store.db.run(
          sql`update license_keys set expires_at = expires_at - interval '1 day' where order_id is not null`,
        ),
      'the end of their time': async () => {
        store.clock.advance(20 * DAY_MS)
        await logIn(buyer, buyer.username)
      },
    }
    let before = await buyer.get('/keys/user')
    for (const [change, make] of Object.entries(changes)) {
      const etag = before.headers.get('etag') ?? ''
      expect((await ask(buyer, etag)).status, change).toBe(304)
      await make()
      const after = await ask(buyer, etag)
      expect(after.status, change).toBe(200)
      expect(after.body, change).not.toEqual(before.body)
      expect(after.headers.get('etag'), change).not.toBe(etag)
      before = after
    }
  }))

test('the list may be read in pages, and each has a version of its own', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product({ stock: 7 })
    const buyer = await shop.buyer({ balance: 2_000 })
    for (const quantity of [3, 1, 3]) await buyer.api.orders.place({ productId, duration, quantity })
    const all = await buyer.api.keys.mine()
    const other = await shop.buyer({ balance: 0 })

    const pages = []
    for (let before: string | undefined; pages.length < 4; before = pages.flat().at(-1)?._id)
      pages.push(await buyer.api.keys.mine({ limit: 2, before }))

    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1])
    expect(pages.flat()).toEqual(all)
    expect(await buyer.api.keys.mine({ before: all.at(-1)?._id })).toEqual([])
    expect(await other.api.keys.mine({ before: all[0]?._id })).toEqual([])
    const etags = await Promise.all(
      ['', '?limit=2', '?limit=3', `?limit=2&before=${all[0]?._id}`].map(
        async (query) => (await buyer.get(`/keys/user${query}`)).headers.get('etag') ?? '',
      ),
    )
    expect(new Set(etags).size).toBe(4)
    expect((await ask(buyer, etags[1] ?? '', '?limit=2')).status).toBe(304)
  }))

test('a long list comes in each encoding whole', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product({ stock: 60 })
    await store.db.run(sql`update products set instructions = ${'Open the app. '.repeat(300)}`)
    const buyer = await shop.buyer({ balance: 10_000 })
    for (let bought = 0; bought < 60; bought += 10) await buyer.api.orders.place({ productId, duration, quantity: 10 })
    const plain = JSON.stringify((await buyer.get('/keys/user')).body)
    expect(plain.length).toBeGreaterThan(128 * 1_024)
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { body, headers } = await buyer.call('GET', '/keys/user', undefined, { 'accept-encoding': encoding })
      expect(headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(JSON.stringify(body)).toBe(plain)
    }
  }))
