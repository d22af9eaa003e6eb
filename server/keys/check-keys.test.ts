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

const DASHED = 'ABCD\u2013EFGH\u20131234'

test('a line that looks like another one, or like a key of the store, is doubtful', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const here = await givenProduct(db)
    await importKeys(
      services,
      { ...here, keys: ['WXYZ-1234', 'QRST\u20149876', 'Two words'] },
      await givenAdminCall(db),
    )

    const { lines } = await checkKeys(services, {
      ...here,
      keys: [
        'ABCD-EFGH-1234',
        DASHED,
        'ABCD EFGH',
        'ABCD\u00a0EFGH',
        'ＡＢＣＤ EFGH',
        'АBCD EFGH',
        'B0B-1',
        'BOB-l',
        'WXYZ\u20111234',
        'QRST-9876',
        'Two\u00a0words',
      ],
    })

    expect(lines.map(({ doubt, repeats, found }) => [doubt, repeats ?? found?.productName])).toEqual([
      [undefined, undefined],
      ['alike', 1],
      [undefined, undefined],
      ['alike', 3],
      ['alike', 3],
      ['alike', 3],
      [undefined, undefined],
      ['alike', 7],
      ['alike', expect.any(String)],
      ['alike', expect.any(String)],
      ['alike', expect.any(String)],
    ])
    // The text stays as it was written, and an import that says so takes it
    expect(await importKeys(services, { ...here, keys: [DASHED] }, await givenAdminCall(db))).toMatchObject({
      added: 1,
    })
  }))

test('upper and lower case, and the number of spaces, make two keys', () =>
  withDatabase(async (db) => {
    const keys = ['ABCD-e', 'ABCD-E', 'A B', 'A  B', 'AB', 'A-B', 'A--B']
    const { lines } = await checkKeys(servicesOf(db), { ...(await givenProduct(db)), keys })
    expect(lines.map(({ doubt }) => doubt)).toEqual(keys.map(() => undefined))
  }))

test('the lines of large pastes are compared in seconds', () =>
  withDatabase(async (db) => {
    const keys = Array.from({ length: 50_000 }, (_, n) => `ABCD-EFGH-${n} ${n % 7}`)
    const here = await givenProduct(db)
    const cpu = process.cpuUsage()
    const { lines } = await checkKeys(servicesOf(db), { ...here, keys })
    const { user } = process.cpuUsage(cpu)
    expect(lines.filter(({ doubt }) => doubt)).toEqual([])
    expect(user / 1_000).toBeLessThan(40_000)
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
