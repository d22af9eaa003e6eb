import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { paise } from '../../contract/money.ts'
import { withDatabase } from '../../test/database.ts'
import { readAll } from '../../test/read-all.ts'
import { givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { placeOrders } from '../orders/place-orders.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { editBatch, listBatches, undoBatch } from './batches.ts'
import { editKey, removeAllKeys, removeKey } from './change-keys.ts'
import { importKeys, type Import } from './import-keys.ts'
import { countStock } from './stock/stock-counters.ts'
import { listKeys } from './list-keys.ts'

const NOW = new Date(TEST_NOW)
/** Long enough for another statement to run into a lock. */
const MEANWHILE_MS = 150

const keysOf = (db: Database, { productId }: GivenProduct) => readAll(listKeys(servicesOf(db), { productId }, NOW))
const orderOf = (buyerId: string, { productId, duration }: GivenProduct, quantity = 1) => ({
  buyerId,
  productId,
  duration,
  quantity,
  idempotency: undefined,
})

async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}

async function imported(db: Database, place: GivenProduct, more: Partial<Import> = {}) {
  const by = await givenAdminCall(db)
  const { batchId = '' } = await importKeys(servicesOf(db), { ...place, keys: ['A', 'B', 'C'], ...more }, by)
  return { batchId, by }
}

test('an import is a batch, which tells what has become of its keys', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const buyer = await givenUser(db, { balance: 500 })
    const delivery = { supplier: 'Keys & Co', costPerKey: paise(12_50), note: 'Invoice 7' }
    const { batchId, by } = await imported(db, place, { keys: ['A', 'B', 'C', 'D', 'E'], ...delivery })
    await openOrderBatcher({ db }).place(orderOf(buyer, place, 2), NOW)
    const free = (await keysOf(db, place)).filter(({ status }) => status === 'available')
    await removeKey(services, free[0]?._id ?? '', by)
    await editKey(services, { id: free[1]?._id ?? '', key: 'EDITED' }, by)

    const { batches, total } = await listBatches(services, {})

    expect(total).toBe(1)
    expect(batches).toEqual([
      {
        _id: batchId,
        productId: { _id: place.productId, name: expect.any(String) },
        duration: '10 Days',
        supplier: 'Keys & Co',
        costPerKey: 12.5,
        note: 'Invoice 7',
        createdAt: TEST_NOW,
        createdBy: by.admin.username,
        added: 5,
        sold: 2,
        left: 2,
        removed: 1,
        edited: 1,
        undoneAt: null,
        recalledAt: null,
        claims: 0,
        openClaims: 0,
      },
    ])
    await expectSound(db)
  }))

/** Compares the list's figures of each batch with a count of its keys. */
async function expectCounted(db: Database): Promise<void> {
  const { batches } = await listBatches(servicesOf(db), { limit: 100 })
  for (const { _id, sold, left } of batches) {
    const keys = await readAll(listKeys(servicesOf(db), { batchId: _id }, NOW))
    const unsold = keys.filter(({ status }) => status === 'available').length
    expect({ sold, left }).toEqual({ sold: keys.length - unsold, left: unsold })
  }
  await expectSound(db)
}

// Seen to fail without the counting in place-orders.ts, and when addKeys remembers only the first import's numbers.
test('a batch counts its keys after a sale, a deletion, another import, an undo and a deleted product', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db, { stock: 2 })
    const buyer = await givenUser(db, { balance: 5_000 })
    const batcher = openOrderBatcher({ db })
    const batchId = newId()
    const { by } = await imported(db, place, { keys: ['A', 'B', 'C'] })
    await importKeys(services, { ...place, batchId, keys: ['D', 'E'] }, by)
    await imported(db, place, { keys: ['F', 'G'] })
    await importKeys(services, { ...place, batchId, keys: ['H', 'I', 'J'] }, by)
    await expectCounted(db)

    // Two keys without a batch, three of the first batch, and one of the second: one order of several batches
    await batcher.place(orderOf(buyer, place, 6), NOW)
    await expectCounted(db)
    expect((await listBatches(services, {})).batches.map(({ sold, left }) => [sold, left])).toEqual([
      [0, 2],
      [3, 0],
      [1, 4],
    ])

    // Uses other writers, each with its own shard, and one that fails
    for (const shard of [0, 3, 7])
      await db.transaction((tx) =>
        placeOrders(tx, [orderOf(buyer, place)], { now: NOW, floors: new Map(), wait: true, shard }),
      )
    const failed = db.transaction(async (tx) => {
      await placeOrders(tx, [orderOf(buyer, place)], { now: NOW, floors: new Map(), wait: true, shard: 3 })
      throw new Error('comes to nothing')
    })
    await expect(failed).rejects.toThrow('comes to nothing')
    await expectCounted(db)

    const [free] = (await keysOf(db, place)).filter(({ status }) => status === 'available')
    await removeKey(services, free?._id ?? '', by)
    await expectCounted(db)
    const { batchId: untouched } = await imported(db, place, { keys: ['K', 'L'] })
    await undoBatch(services, untouched, by)
    await expectCounted(db)
    await removeAllKeys(services, place, by)
    await expectCounted(db)

    // Moves keys of a deleted product to another one's batch
    const gone = await givenProduct(db)
    await imported(db, gone, { keys: ['M', 'N'] })
    await batcher.place(orderOf(buyer, gone), NOW)
    await db.run(sql`update products set deleted_at = ${NOW} where id = ${gone.productId}`)
    await importKeys(services, { ...place, keys: ['O', 'N'] }, by)
    await expectCounted(db)
  }))

// Seen to fail when a sale sets its batch's count instead of adding to it.
test('many buyers at once are all counted, though nobody waits for a row that they share', () =>
  withDatabase(async (db) => {
    const place = await givenProduct(db, { price: 1 })
    const keys = Array.from({ length: 60 }, (_, n) => `K${n}`)
    await imported(db, place, { keys: keys.slice(0, 25) })
    await imported(db, place, { keys: keys.slice(25) })
    const buyers = await Promise.all(Array.from({ length: 12 }, () => givenUser(db, { balance: 10 })))
    const nodes = [openOrderBatcher({ db }), openOrderBatcher({ db })]

    const outcomes = await Promise.all(
      buyers.flatMap((buyer) => nodes.map((batcher) => batcher.place(orderOf(buyer, place, 2), NOW))),
    )

    expect(outcomes.filter((outcome) => outcome instanceof Refusal)).toEqual([])
    expect((await listBatches(servicesOf(db), {})).batches).toMatchObject([
      { sold: 23, left: 12 },
      { sold: 25, left: 0 },
    ])
    await expectCounted(db)
  }))

test('the keys of a batch are listed by it, in pages, and with other filters', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const other = await givenProduct(db)
    const { batchId, by } = await imported(db, place, { keys: ['A-1', 'A-2'] })
    await imported(db, place, { keys: ['B-1', 'B-2'] })
    await importKeys(services, { ...place, batchId, keys: ['A-3'] }, by)
    await openOrderBatcher({ db }).place(orderOf(await givenUser(db, { balance: 500 }), place), NOW)
    const found = async (search: Parameters<typeof listKeys>[1]) => readAll(listKeys(services, search, NOW))
    const texts = async (search: Parameters<typeof listKeys>[1]) => (await found(search)).map(({ key }) => key)

    expect(await texts({ batchId })).toEqual(['A-1', 'A-2', 'A-3'])
    expect(await texts({ batchId, status: 'available' })).toEqual(['A-2', 'A-3'])
    expect(await texts({ batchId, productId: place.productId, duration: place.duration })).toHaveLength(3)
    expect(await texts({ batchId, search: '-3' })).toEqual(['A-3'])
    expect(await texts({ batchId, search: 'B-1' })).toEqual([])
    expect(await texts({ batchId, productId: other.productId })).toEqual([])
    expect(await texts({ batchId: newId() })).toEqual([])
    const [first] = await found({ batchId, limit: 1 })
    expect(await texts({ batchId, limit: 2, cursor: first?._id })).toEqual(['A-2', 'A-3'])
  }))

test('the keys of a batch are listed in pages also where another import lies between them', () =>
  withDatabase(async (db) => {
    const place = await givenProduct(db, { stock: 0 })
    const { batchId, by } = await imported(db, place, { keys: ['A-1', 'A-2'] })
    const between = Array.from({ length: 120 }, (_, n) => `B-${n}`)
    await imported(db, place, { keys: between })
    await importKeys(servicesOf(db), { ...place, batchId, keys: ['A-3', 'A-4'] }, by)
    const textsOf = async (limit: number | undefined) =>
      (await readAll(listKeys(servicesOf(db), { batchId, limit }, NOW))).map(({ key }) => key)

    expect(await textsOf(undefined)).toEqual(['A-1', 'A-2', 'A-3', 'A-4'])
    expect(await textsOf(3)).toEqual(['A-1', 'A-2', 'A-3'])
    expect(await textsOf(1)).toEqual(['A-1'])
    expect(await readAll(listKeys(servicesOf(db), { batchId, search: 'B-7' }, NOW))).toEqual([])
  }))

test('what is known of a delivery can be corrected later; the log says what it was', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const { batchId, by } = await imported(db, place, { supplier: 'Anand', costPerKey: paise(12_50) })

    const edited = await editBatch(services, { id: batchId, costPerKey: null, note: 'Paid' }, by)

    expect(edited).toMatchObject({ supplier: 'Anand', costPerKey: null, note: 'Paid', added: 3, left: 3, edited: 0 })
    expect((await listBatches(services, { search: 'paid' })).batches).toEqual([edited])
    const { action, before, after } = await db.one(sql(
      z.object({ action: z.string(), before: z.unknown(), after: z.unknown() }),
    )`
      select action, before, after from audit_entries order by seq desc limit 1`)
    expect({ action, before, after }).toEqual({
      action: 'keys.edit-batch',
      before: { supplier: 'Anand', costPerKey: 12.5, note: '' },
      after: { supplier: 'Anand', costPerKey: null, note: 'Paid' },
    })
    await expect(editBatch(services, { id: newId(), note: '' }, by)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // Changes only details, which doesn't prevent the undo
    expect(await undoBatch(services, batchId, by)).toMatchObject({ deletedCount: 3 })
  }))

test('batches are newest first, in pages, and found by product, supplier, note and admin', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const one = await givenProduct(db)
    const other = await givenProduct(db, { duration: '1 Month' })
    const first = await imported(db, one, { keys: ['A'], supplier: 'Anand' })
    const second = await imported(db, other, { keys: ['B'], note: 'Invoice 100%' })
    const found = async (search: Parameters<typeof listBatches>[1]) =>
      (await listBatches(services, search)).batches.map(({ _id }) => _id)

    expect(await found({})).toEqual([second.batchId, first.batchId])
    expect(await found({ limit: 1, skip: 1 })).toEqual([first.batchId])
    expect(await found({ productId: one.productId })).toEqual([first.batchId])
    expect(await found({ productId: one.productId, duration: '1 Month' })).toEqual([])
    expect(await found({ duration: '1 Month' })).toEqual([second.batchId])
    expect(await found({ search: 'ANAND' })).toEqual([first.batchId])
    expect(await found({ search: '100%' })).toEqual([second.batchId])
    expect(await found({ search: second.by.admin.username })).toEqual([second.batchId])
  }))

test('a client that adds in several calls makes one batch, and a repeated call is answered as it was', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const by = await givenAdminCall(db)
    const batchId = newId()
    const send = (keys: string[], more: Partial<Import> = {}) =>
      importKeys(services, { ...place, batchId, keys, ...more }, by)

    expect(await send(['A', 'B'], { supplier: 'Anand' })).toEqual({ message: '2 keys added', added: 2, batchId })
    expect(await send(['C', 'D'])).toMatchObject({ added: 2, batchId })
    // Sends the call again, as a browser does when the answer was lost
    expect(await send(['C', 'D'])).toEqual({ message: '2 keys added', added: 2, batchId })
    await expect(send(['D', 'E', 'E'])).rejects.toMatchObject({
      code: 'DUPLICATE_KEYS',
      extras: { details: { added: 2, duplicates: 1, batchId } },
    })

    expect((await listBatches(services, {})).batches).toMatchObject([{ added: 5, left: 5, supplier: 'Anand' }])
    const stranger = await givenAdminCall(db)
    await expect(importKeys(services, { ...place, batchId, keys: ['Z'] }, stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expectSound(db)
  }))

test('an import in which nothing is new leaves no batch', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const { by } = await imported(db, place)

    const again = importKeys(services, { ...place, keys: ['A', 'B'] }, by)
    await expect(again).rejects.toMatchObject({ extras: { details: { added: 0, duplicates: 2 } } })

    expect((await listBatches(services, {})).total).toBe(1)
  }))

test('undoing an untouched batch deletes its keys and no other one, once', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const { batchId, by } = await imported(db, place)
    await imported(db, place, { keys: ['OTHER'] })

    expect(await undoBatch(services, batchId, by)).toEqual({ message: '3 keys deleted', deletedCount: 3 })

    expect((await keysOf(db, place)).map(({ key }) => key)).toEqual(['OTHER'])
    const undone = (await listBatches(services, {})).batches.find(({ _id }) => _id === batchId)
    expect(undone).toMatchObject({ added: 3, sold: 0, left: 0, removed: 3, undoneAt: TEST_NOW })
    await expect(undoBatch(services, batchId, by)).rejects.toMatchObject({ code: 'BATCH_UNDONE' })
    await expect(importKeys(services, { ...place, batchId, keys: ['Z'] }, by)).rejects.toMatchObject({
      code: 'BATCH_UNDONE',
    })
    expect(services.told).toContainEqual(expect.objectContaining({ name: 'stock' }))
    await expectSound(db)
  }))

test('a batch of which a key was sold, edited or all were deleted cannot be undone, and stays as it is', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const edited = await imported(db, place, { keys: ['A', 'B'] })
    const [key] = await keysOf(db, place)
    await editKey(services, { id: key?._id ?? '', key: 'A2' }, edited.by)
    const sold = await imported(db, place, { keys: ['C'] })
    const buyer = await givenUser(db, { balance: 500 })
    await openOrderBatcher({ db }).place(orderOf(buyer, place, 3), NOW)
    const emptied = await imported(db, place, { keys: ['D'] })
    await removeAllKeys(services, place, emptied.by)

    for (const { batchId, by } of [edited, sold, emptied])
      await expect(undoBatch(services, batchId, by)).rejects.toMatchObject({ code: 'BATCH_TOUCHED' })

    expect((await keysOf(db, place)).map(({ status }) => status)).toEqual(['assigned', 'assigned', 'assigned'])
    await expectSound(db)
  }))

// Seen to fail without `for update` in deleteUnsold (the sold key is deleted), and without the comparison of the counts
// in deleteUntouchedBatch (the batch is undone in part).
test('a batch of which a key is being sold at that moment is not undone: it waits for the sale, and is refused', () =>
  withDatabase(async (db) => {
    const place = await givenProduct(db)
    const buyer = await givenUser(db, { balance: 500 })
    const { batchId, by } = await imported(db, place)

    const { waiting } = await db.transaction(async (tx) => {
      await placeOrders(tx, [orderOf(buyer, place)], { now: NOW, floors: new Map(), wait: false, shard: 0 })
      const waiting = undoBatch(servicesOf(db), batchId, by).catch((error: unknown) => error)
      await sleep(MEANWHILE_MS)
      return { waiting }
    })

    expect(await waiting).toMatchObject({ code: 'BATCH_TOUCHED' })
    expect((await keysOf(db, place)).map(({ status }) => status)).toEqual(['assigned', 'available', 'available'])
    expect((await listBatches(servicesOf(db), {})).batches).toMatchObject([{ sold: 1, left: 2, undoneAt: null }])
    await expectSound(db)
  }))

test('whoever buys while a batch is undone gets a key of it, or it is undone whole: never both', () =>
  withDatabase(async (db) => {
    const place = await givenProduct(db, { price: 1 })
    const batcher = openOrderBatcher({ db })
    for (let round = 0; round < 8; round++) {
      const buyers = await Promise.all(Array.from({ length: 4 }, () => givenUser(db, { balance: 10 })))
      const keys = Array.from({ length: 20 }, (_, n) => `R${round}-${n}`)
      const { batchId, by } = await imported(db, place, { keys })

      const buying = buyers.map((buyer) => batcher.place(orderOf(buyer, place), NOW))
      const undoing = undoBatch(servicesOf(db), batchId, by).then(
        () => true,
        () => false,
      )
      const sold = (await Promise.all(buying)).filter((outcome) => !(outcome instanceof Refusal)).length
      const isUndone = await undoing

      const { batches } = await listBatches(servicesOf(db), {})
      const batch = batches.find(({ _id }) => _id === batchId)
      expect(batch).toMatchObject(isUndone ? { sold: 0, left: 0 } : { left: 20 - (batch?.sold ?? 0) })
      if (isUndone) expect(sold).toBe(0)
      await removeAllKeys(servicesOf(db), place, by)
    }
    await expectSound(db)
  }))

test('keys that are added to a batch while it is undone are refused with it', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const place = await givenProduct(db)
    const { batchId, by } = await imported(db, place)

    const { waiting } = await db.transaction(async (tx) => {
      await tx.run(sql`delete from license_keys where batch_id = ${batchId}`)
      await tx.run(sql`
        update key_batches set removed = added, undone_at = ${NOW}, undone_by = ${by.admin.id} where id = ${batchId}`)
      await countStock(tx, new Map([[place.priceId, -3]]))
      const waiting = importKeys(services, { ...place, batchId, keys: ['LATE'] }, by).catch((error: unknown) => error)
      await sleep(MEANWHILE_MS)
      return { waiting }
    })

    expect(await waiting).toMatchObject({ code: 'BATCH_UNDONE' })
    expect(await keysOf(db, place)).toEqual([])
    await expectSound(db)
  }))
