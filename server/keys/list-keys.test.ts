import { expect, test } from 'vitest'
import { DAY_MS } from '../../contract/time.ts'
import { withDatabase } from '../../test/database.ts'
import { readAll } from '../../test/read-all.ts'
import { givenProduct, givenUser } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { removeKey } from './change-keys.ts'
import { listKeys, type KeySearch } from './list-keys.ts'
import { listOwnKeys } from './my-keys.ts'

const NOW = new Date(TEST_NOW)

async function textsOf(db: Database, search: KeySearch, now = NOW): Promise<string[]> {
  return (await readAll(listKeys(servicesOf(db), search, now))).map(({ key }) => key)
}

test('pages follow one another without gap or repetition, also when the last key received is deleted meanwhile', () =>
  withDatabase(async (db) => {
    const { productId } = await givenProduct(db, { stock: 7 })
    const all = await textsOf(db, { productId })

    const first = await readAll(listKeys(servicesOf(db), { productId, limit: 3 }, NOW))
    const cursor = first.at(-1)?._id ?? ''
    await removeKey(servicesOf(db), cursor, await givenAdminCall(db))
    const rest = await textsOf(db, { productId, cursor, limit: 100 })

    expect([...first.map(({ key }) => key), ...rest]).toEqual(all)
    expect(await textsOf(db, { limit: 2 })).toEqual([all[0], all[1]])
  }))

test('a key is available, then assigned, then expired, and is found by that', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 500 })
    const product = await givenProduct(db, { stock: 2, duration: '10 Days' })
    const { productId, duration } = product
    await openOrderBatcher({ db }).place(
      { buyerId: buyer, productId, duration, quantity: 1, idempotency: undefined },
      NOW,
    )
    const [sold, free] = await readAll(listKeys(servicesOf(db), { productId }, NOW))
    const later = new Date(NOW.getTime() + 10 * DAY_MS)

    expect(sold).toMatchObject({
      status: 'assigned',
      assignedTo: { _id: buyer },
      assignedAt: NOW.toISOString(),
      expiresAt: later.toISOString(),
    })
    expect(free).toMatchObject({ status: 'available', assignedTo: null, assignedAt: null, expiresAt: null })
    expect(await textsOf(db, { productId, status: 'assigned' })).toEqual([sold?.key])
    expect(await textsOf(db, { productId, status: 'available' })).toEqual([free?.key])
    expect(await textsOf(db, { productId, status: 'expired' })).toEqual([])
    expect(await textsOf(db, { productId, status: 'expired' }, later)).toEqual([sold?.key])
    expect(await textsOf(db, { productId, status: 'assigned' }, later)).toEqual([])
  }))

test('a search finds the key of exactly that text anywhere, and a part of a text within a product', () =>
  withDatabase(async (db) => {
    const { productId } = await givenProduct(db, { stock: 3 })
    const other = await givenProduct(db, { stock: 1 })
    const [text = ''] = await textsOf(db, { productId })

    expect(await textsOf(db, { search: text })).toEqual([text])
    expect(await textsOf(db, { search: text.slice(4) })).toEqual([])
    expect(await textsOf(db, { productId, search: text.slice(4).toUpperCase() })).toEqual([text])
    expect(await textsOf(db, { productId, search: 'key-' })).toHaveLength(3)
    expect(await textsOf(db, { productId, search: '%' })).toEqual([])
    expect(await textsOf(db, { productId: other.productId, search: text })).toEqual([])
  }))

test('the filters by product and duration leave nothing else, and find what has left the shop', () =>
  withDatabase(async (db) => {
    const one = await givenProduct(db, { stock: 2, duration: '1 Day' })
    await givenProduct(db, { stock: 3, duration: '1 Day' })
    await db.run(sql`update products set deleted_at = ${NOW} where id = ${one.productId}`)

    expect(await textsOf(db, { productId: one.productId, duration: '1 Day' })).toHaveLength(2)
    expect(await textsOf(db, { productId: one.productId, duration: '2 Days' })).toEqual([])
    expect(await textsOf(db, { duration: '1 Day' })).toHaveLength(5)
    expect(await textsOf(db, {})).toHaveLength(5)
  }))

test('buyers see their own keys only, newest first, by the names under which they were sold', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 500 })
    const other = await givenUser(db, { balance: 500 })
    const product = await givenProduct(db, { stock: 5 })
    const { productId, duration } = product
    const batcher = openOrderBatcher({ db })
    const order = { productId, duration, quantity: 1, idempotency: undefined }
    await batcher.place({ ...order, buyerId: buyer }, NOW)
    await batcher.place({ ...order, buyerId: other }, NOW)
    await db.run(sql`update products set name = 'Renamed' where id = ${productId}`)
    await batcher.place({ ...order, buyerId: buyer }, new Date(NOW.getTime() + 1_000))
    await db.run(sql`update products set name = 'Gone', deleted_at = ${NOW} where id = ${productId}`)
    await db.run(sql`update prices set duration = '3 Days' where id = ${product.priceId}`)

    const owned = await readAll(listOwnKeys(servicesOf(db), buyer, new Date()))

    expect(owned).toHaveLength(2)
    expect(owned[0]).toMatchObject({ productId: { _id: productId, name: 'Renamed' }, duration })
    expect(owned[1]?.productId.name).toMatch(/^Game /)
    expect(owned[1]?.assignedAt).toBe(NOW.toISOString())
    expect(await readAll(listOwnKeys(servicesOf(db), await givenUser(db), new Date()))).toEqual([])
  }))
