import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { readAll } from '../../test/read-all.ts'
import { givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { listProducts } from '../catalogue/list-products.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { placeOrders } from '../orders/place-orders.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { editKey, removeAllKeys, removeKey } from './change-keys.ts'
import { countStock } from './stock/stock-counters.ts'
import { listKeys } from './list-keys.ts'

const NOW = new Date(TEST_NOW)
/** Long enough for another statement to run into a lock. */
const MEANWHILE_MS = 150

const keysOf = (db: Database, { productId }: GivenProduct) => readAll(listKeys(servicesOf(db), { productId }, NOW))

async function firstKey(db: Database, product: GivenProduct): Promise<{ _id: string; key: string }> {
  const [key] = await keysOf(db, product)
  if (!key) throw new Error('No key')
  return key
}

function order(buyerId: string, { productId, duration }: GivenProduct, quantity = 1) {
  return { buyerId, productId, duration, quantity, idempotency: undefined }
}

async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}

describe('a key that is being sold at that moment', () => {
  for (const [change, act] of [
    ['deleted', (db: Database, id: string, by: By) => removeKey(servicesOf(db), id, by)],
    ['edited', (db: Database, id: string, by: By) => editKey(servicesOf(db), { id, key: 'OTHER' }, by)],
  ] as const) {
    test(`cannot be ${change}: the change waits for the sale, and is refused`, () =>
      withDatabase(async (db) => {
        const buyer = await givenUser(db, { balance: 500 })
        const product = await givenProduct(db, { stock: 1 })
        const { _id, key } = await firstKey(db, product)
        const by = await givenAdminCall(db)

        const change = await db.transaction(async (tx) => {
          await placeOrders(tx, [order(buyer, product)], { now: NOW, floors: new Map(), wait: false, shard: 0 })
          const waiting = act(db, _id, by).catch((error: unknown) => error)
          await sleep(MEANWHILE_MS)
          return { waiting }
        })

        expect(await change.waiting).toMatchObject({ code: 'KEY_SOLD' })
        expect(await keysOf(db, product)).toMatchObject([{ _id, key, status: 'assigned', assignedTo: { _id: buyer } }])
        await expectSound(db)
      }))
  }

  test('is left by the deletion of all', () =>
    withDatabase(async (db) => {
      const buyer = await givenUser(db, { balance: 500 })
      const product = await givenProduct(db, { stock: 3 })
      const by = await givenAdminCall(db)

      const { waiting } = await db.transaction(async (tx) => {
        await placeOrders(tx, [order(buyer, product)], { now: NOW, floors: new Map(), wait: false, shard: 0 })
        const waiting = removeAllKeys(servicesOf(db), product, by)
        await sleep(MEANWHILE_MS)
        return { waiting }
      })

      expect(await waiting).toMatchObject({ deletedCount: 2 })
      expect(await keysOf(db, product)).toMatchObject([{ status: 'assigned' }])
      await expectSound(db)
    }))
})
type By = Awaited<ReturnType<typeof givenAdminCall>>

test('the deletion of as many as were shown deletes none, if another admin has added one, or a buyer bought one', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db, { stock: 3 })
    const by = await givenAdminCall(db)
    const removing = (expected: number) => removeAllKeys(servicesOf(db), { ...product, expected }, by)

    for (const expected of [2, 4])
      await expect(removing(expected)).rejects.toMatchObject({
        code: 'STOCK_CHANGED',
        extras: { details: { available: 3 } },
      })

    expect(await keysOf(db, product)).toHaveLength(3)
    await expectSound(db)
    expect(await removing(3)).toMatchObject({ deletedCount: 3 })
    expect(await removing(0)).toMatchObject({ deletedCount: 0 })
  }))

test('a sale waits for a deletion that is under way, and is then refused for want of stock', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 500 })
    const product = await givenProduct(db, { stock: 1 })
    const { _id } = await firstKey(db, product)
    const batcher = openOrderBatcher({ db })

    const { buying } = await db.transaction(async (tx) => {
      await tx.run(sql`delete from license_keys where id = ${_id}`)
      await countStock(tx, new Map([[product.priceId, -1]]))
      const buying = batcher.place(order(buyer, product), NOW)
      await sleep(MEANWHILE_MS)
      return { buying }
    })

    expect(await buying).toMatchObject({ code: 'OUT_OF_STOCK' })
    await expectSound(db)
  }))

test('whatever is bought and deleted at once, every key is either sold or gone, and the count is right', () =>
  withDatabase(async (db) => {
    const STOCK = 60
    const product = await givenProduct(db, { price: 1, stock: STOCK })
    const buyers = await Promise.all(Array.from({ length: 6 }, () => givenUser(db, { balance: 100 })))
    const by = await givenAdminCall(db)
    const batcher = openOrderBatcher({ db })
    const keys = await keysOf(db, product)

    const buying = buyers.flatMap((buyer) =>
      Array.from({ length: 8 }, (_, n) => batcher.place(order(buyer, product, 1 + (n % 2)), NOW)),
    )
    const deleting = keys.slice(10, 40).map(({ _id }) =>
      removeKey(servicesOf(db), _id, by).then(
        () => 'gone',
        () => 'sold',
      ),
    )
    const outcomes = await Promise.all(deleting)
    const { deletedCount } = await removeAllKeys(servicesOf(db), product, by)
    await Promise.all(buying)

    const left = await keysOf(db, product)
    const gone = outcomes.filter((outcome) => outcome === 'gone').length
    expect(left.length + gone + deletedCount).toBe(STOCK)
    expect(left.every(({ status }) => status === 'assigned')).toBe(true)
    const [shown] = await listProducts(db, { kind: 'admin' })
    expect(shown?.available).toBe(0)
    await expectSound(db)
  }))

describe('the correction of a key', () => {
  test('changes its text and nothing else; the log does not tell it', () =>
    withDatabase(async (db) => {
      const product = await givenProduct(db, { stock: 2 })
      const { _id } = await firstKey(db, product)

      const edited = await editKey(servicesOf(db), { id: _id, key: 'CANARY-2' }, await givenAdminCall(db))

      expect(edited).toMatchObject({ _id, key: 'CANARY-2', status: 'available', duration: '10 Days' })
      expect(await keysOf(db, product)).toMatchObject([{ _id, key: 'CANARY-2' }, {}])
      const told = await db.count(sql`
        select count(*) filter (where position('CANARY' in entry::text) > 0) from audit_entries entry`)
      expect(told).toBe(0)
      await expectSound(db)
    }))

  test('to a text that another key has is refused, and to its own is not', () =>
    withDatabase(async (db) => {
      const product = await givenProduct(db, { stock: 2 })
      const [one, other] = await keysOf(db, product)
      const by = await givenAdminCall(db)

      const toOther = editKey(servicesOf(db), { id: one?._id ?? '', key: other?.key ?? '' }, by)
      await expect(toOther).rejects.toMatchObject({ code: 'KEY_EXISTS' })

      const toOwn = await editKey(servicesOf(db), { id: one?._id ?? '', key: one?.key ?? '' }, by)
      expect(toOwn.key).toBe(one?.key)
    }))

  test('of a key that is not there is refused', () =>
    withDatabase(async (db) => {
      const id = '019a0000-0000-7000-8000-00000000dead'
      const by = await givenAdminCall(db)

      await expect(editKey(servicesOf(db), { id, key: 'A' }, by)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(removeKey(servicesOf(db), id, by)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }))
})

test('deleting all reaches also what has left the shop, and refuses a duration that never was', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db, { stock: 4 })
    const by = await givenAdminCall(db)
    await db.run(sql`update prices set removed_at = ${NOW} where id = ${product.priceId}`)

    expect(await removeAllKeys(servicesOf(db), product, by)).toEqual({ message: '4 keys deleted', deletedCount: 4 })
    expect(await removeAllKeys(servicesOf(db), product, by)).toMatchObject({ deletedCount: 0 })
    await expect(removeAllKeys(servicesOf(db), { ...product, duration: '9 Years' }, by)).rejects.toMatchObject({
      code: 'PRODUCT_NOT_FOUND',
    })
    await expectSound(db)
  }))
