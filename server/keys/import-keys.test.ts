import { describe, expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenProduct, type GivenProduct } from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { expectSound, paste, textsOf } from '../../test/worlds/pastes.ts'
import { listProducts } from '../catalogue/list-products.ts'
import { sql, type Database } from '../platform/database/database.ts'

const NOW = new Date(TEST_NOW)

async function stockOf(db: Database, { productId, priceId }: GivenProduct): Promise<number | undefined> {
  const products = await listProducts(db, { kind: 'admin' })
  return products.find((each) => each._id === productId)?.prices.find((each) => each._id === priceId)?.available
}

test('lines are trimmed, blank ones dropped, and stored in their order', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)

    const pasted = await paste(db, product, ['  C-3 ', '', 'A-1\r', '   ', '\tB-2'])

    expect(pasted).toEqual({ added: 3, duplicates: 0 })
    expect(await textsOf(db, product)).toEqual(['C-3', 'A-1', 'B-2'])
    expect(await stockOf(db, product)).toBe(3)
    await expectSound(db)
  }))

test('what is there already, or twice in the paste, is counted as a duplicate and the rest is stored', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)
    const other = await givenProduct(db)
    await paste(db, product, ['A', 'B'])

    const pasted = await paste(db, other, ['B', 'C', 'C', 'D'])

    expect(pasted).toEqual({ added: 2, duplicates: 2 })
    expect(await textsOf(db, other)).toEqual(['C', 'D'])
    expect(await stockOf(db, product)).toBe(2)
    await expectSound(db)
  }))

test('a line that cannot be a key refuses the paste, names the line, and stores nothing', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)

    for (const fault of ['K'.repeat(257), 'A\u0000B', 'two\nlines', 'hidden\u202etext']) {
      const pasting = paste(db, product, ['GOOD', '', fault])
      await expect(pasting).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        extras: { fields: { 'keys.2': expect.stringMatching(/^Line 3: Key /) } },
      })
    }
    await expect(paste(db, product, ['', '  '])).rejects.toMatchObject({ code: 'INVALID_INPUT' })

    expect(await stockOf(db, product)).toBe(0)
  }))

test('nothing can be pasted for a product or duration that is not in the shop', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)

    const elsewhere = paste(db, { ...product, duration: '3 Years' }, ['A'])

    await expect(elsewhere).rejects.toMatchObject({ code: 'PRODUCT_NOT_FOUND' })
  }))

describe('unsold keys that have left the shop', () => {
  test('come over when they are pasted again, with a removed duration or a deleted product', () =>
    withDatabase(async (db) => {
      const removed = await givenProduct(db, { duration: '1 Day' })
      const deleted = await givenProduct(db)
      const product = await givenProduct(db)
      await paste(db, removed, ['A', 'B'])
      await paste(db, deleted, ['C'])
      await db.run(sql`update prices set removed_at = ${NOW} where id = ${removed.priceId}`)
      await db.run(sql`update products set deleted_at = ${NOW} where id = ${deleted.productId}`)

      const pasted = await paste(db, product, ['C', 'NEW', 'B'])

      expect(pasted).toEqual({ added: 3, duplicates: 0 })
      expect(await textsOf(db, product)).toEqual(['C', 'NEW', 'B'])
      expect(await textsOf(db, removed)).toEqual(['A'])
      await expectSound(db)
    }))

  test('stay where they are for as long as they can be sold there', () =>
    withDatabase(async (db) => {
      const here = await givenProduct(db)
      const there = await givenProduct(db)
      await paste(db, here, ['A'])

      const pasted = await paste(db, there, ['A'])

      expect(pasted).toEqual({ added: 0, duplicates: 1 })
      expect(await textsOf(db, here)).toEqual(['A'])
    }))
})

test('the database never holds the text of a key', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)

    await paste(db, product, ['CANARY-7F3A'])

    const holds = await db.count(sql`
      select (select count(*) from license_keys key
              where position('CANARY' in encode(sealed, 'escape') || encode(fingerprint, 'escape')) > 0)
           + (select count(*) from audit_entries entry where position('CANARY' in entry::text) > 0)`)
    expect(holds).toBe(0)
  }))

test('the same keys pasted by two admins at once, in opposite orders, come in once', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)
    const keys = Array.from({ length: 300 }, (_, n) => `KEY-${n}`)

    const [one, other] = await Promise.all([paste(db, product, keys), paste(db, product, keys.toReversed())])

    expect(one.added + other.added).toBe(300)
    expect(one.duplicates + other.duplicates).toBe(300)
    expect(await stockOf(db, product)).toBe(300)
    await expectSound(db)
  }))
