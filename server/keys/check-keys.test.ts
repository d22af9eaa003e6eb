import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { givenProduct, givenUser } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { sql } from '../platform/database/database.ts'
import { checkKeys } from './check-keys.ts'
import { importKeys } from './import-keys.ts'

const NOW = new Date(TEST_NOW)

test('each line is new, a duplicate here, a duplicate in another product or malformed, and nothing is stored', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const by = await givenAdminCall(db)
    const here = await givenProduct(db)
    const other = await givenProduct(db, { duration: '1 Month' })
    const buyer = await givenUser(db, { balance: 500 })
    await importKeys(services, { ...here, keys: ['SOLD', 'HERE'] }, by)
    await importKeys(services, { ...other, keys: ['THERE'] }, by)
    await openOrderBatcher({ db }).place({ buyerId: buyer, ...here, quantity: 1, idempotency: undefined }, NOW)
    const keys = async () => db.one(sql(z.object({ count: z.number() }))`select count(*) as count from license_keys`)
    const before = await keys()

    const { counts, lines } = await checkKeys(services, {
      ...here,
      keys: ['  A  ', '', 'HERE', 'THERE', 'A', 'x\u0007', 'SOLD', ' '],
    })

    expect(counts).toEqual({ new: 1, 'duplicate-here': 3, 'duplicate-elsewhere': 1, malformed: 1, blank: 2 })
    expect(lines).toEqual([
      { line: 1, status: 'new' },
      { line: 3, status: 'duplicate-here', found: expect.objectContaining({ duration: '10 Days', sold: false }) },
      { line: 4, status: 'duplicate-elsewhere', found: expect.objectContaining({ duration: '1 Month', sold: false }) },
      { line: 5, status: 'duplicate-here', repeats: 1 },
      { line: 6, status: 'malformed', fault: expect.stringContaining('aren’t allowed') },
      { line: 7, status: 'duplicate-here', found: expect.objectContaining({ sold: true }) },
    ])
    expect(await keys()).toEqual(before)
  }))

test('what it calls new, the import adds: a key that is stranded out of the shop comes over', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const by = await givenAdminCall(db)
    const gone = await givenProduct(db)
    const here = await givenProduct(db)
    const batch = await importKeys(services, { ...gone, keys: ['STRANDED'] }, by)
    await db.run(sql`update products set deleted_at = ${NOW} where id = ${gone.productId}`)

    const { lines } = await checkKeys(services, { ...here, keys: ['STRANDED'] })
    expect(lines).toEqual([{ line: 1, status: 'new', found: expect.objectContaining({ sold: false }) }])

    expect(await importKeys(services, { ...here, keys: ['STRANDED'] }, by)).toMatchObject({ added: 1 })
    const left = await db.one(
      sql(z.object({ removed: z.number() }))`select removed from key_batches where id = ${batch.batchId}`,
    )
    expect(left).toEqual({ removed: 1 })
  }))

test('nothing but blank lines is nothing to do, and a place that is not for sale is refused', () =>
  withDatabase(async (db) => {
    const here = await givenProduct(db)

    expect(await checkKeys(servicesOf(db), { ...here, keys: ['', ' '] })).toMatchObject({
      counts: { blank: 2 },
      lines: [],
    })
    await expect(checkKeys(servicesOf(db), { ...here, duration: '9 Years', keys: ['A'] })).rejects.toMatchObject({
      code: 'PRODUCT_NOT_FOUND',
    })
  }))

test('50,000 lines are checked in one call', () =>
  withDatabase(async (db) => {
    const here = await givenProduct(db)
    const texts = Array.from({ length: 50_000 }, (_, n) => `BIG-${n}`)
    await importKeys(servicesOf(db), { ...here, keys: texts.slice(0, 2_000) }, await givenAdminCall(db))

    const startedMs = performance.now()
    const { counts } = await checkKeys(servicesOf(db), { ...here, keys: texts })

    console.log(`50000 lines checked in ${Math.round(performance.now() - startedMs)} ms`)
    expect(counts).toMatchObject({ new: 48_000, 'duplicate-here': 2_000 })
  }))
