import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { withDatabase } from '../../test/database.ts'
import { readAll } from '../../test/read-all.ts'
import { givenProduct, type GivenProduct } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { listProducts } from '../catalogue/list-products.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { removeAllKeys } from './change-keys.ts'
import { importKeys } from './import-keys.ts'
import { listKeys } from './list-keys.ts'

const NOW = new Date(TEST_NOW)
const BIG = 50_000

/** Returns an import's answer: how many came in, and how many were there before. */
async function paste(
  db: Database,
  { productId, duration }: Pick<GivenProduct, 'productId' | 'duration'>,
  keys: readonly string[],
): Promise<{ added: number; duplicates: number }> {
  try {
    const { added } = await importKeys(servicesOf(db), { productId, duration, keys }, await givenAdminCall(db))
    return { added, duplicates: 0 }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'DUPLICATE_KEYS') throw error
    const { added, duplicates } = error.extras.details as { added: number; duplicates: number }
    return { added, duplicates }
  }
}

async function textsOf(db: Database, { productId, duration }: GivenProduct): Promise<string[]> {
  return (await readAll(listKeys(servicesOf(db), { productId, duration }, NOW))).map(({ key }) => key)
}

async function stockOf(db: Database, { productId, priceId }: GivenProduct): Promise<number | undefined> {
  const products = await listProducts(db, { kind: 'admin' })
  return products.find((each) => each._id === productId)?.prices.find((each) => each._id === priceId)?.available
}

async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}

/** Returns the longest time in ms in which nothing else could run next to `work`. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }, 1)
  await work()
  clearInterval(timer)
  return longestMs
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

// Seen to fail without the lock in stock.ts: some texts come in and others are duplicates.
test('an import beside the deletion of the same keys finds all of them there or none', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db)
    const keys = Array.from({ length: 3_000 }, (_, n) => `KEY-${n}`)
    const admin = await givenAdminCall(db)
    for (let round = 0; round < 6; round++) {
      await paste(db, product, keys)
      const [{ added }, { deletedCount }] = await Promise.all([
        // Starts with the last, which are still there when the first ones are deleted
        paste(db, product, keys.toReversed()),
        sleep(round * 12).then(() => removeAllKeys(servicesOf(db), product, admin)),
      ])
      expect(deletedCount).toBe(3_000)
      expect([0, 3_000]).toContain(added)
      await removeAllKeys(servicesOf(db), product, admin)
    }
    await expectSound(db)
  }))

test(
  '50,000 keys are stored, recognised when pasted again, listed and deleted, while others are served',
  () =>
    withDatabase(async (db) => {
      const product = await givenProduct(db)
      const keys = Array.from({ length: BIG }, (_, n) => `ABCD-${String(n).padStart(6, '0')}-WXYZ`)
      const figures: string[] = []
      const measured = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
        const startedMs = performance.now()
        let result: T | undefined
        const blockedMs = await longestBlock(async () => {
          result = await work()
        })
        figures.push(`${what} ${Math.round(performance.now() - startedMs)} ms (blocked ${Math.round(blockedMs)} ms)`)
        return result as T
      }

      expect(await measured('first', () => paste(db, product, keys))).toEqual({ added: BIG, duplicates: 0 })
      expect(await measured('again', () => paste(db, product, keys))).toEqual({ added: 0, duplicates: BIG })
      const listed = await measured('list', () => textsOf(db, product))
      // Compares one text, because the difference of two long lists takes minutes to print
      expect(listed.join('\n') === keys.join('\n')).toBe(true)
      const found = await measured('search', () =>
        readAll(listKeys(servicesOf(db), { productId: product.productId, search: '049999-wx' }, NOW)),
      )
      expect(found.map(({ key }) => key)).toEqual(['ABCD-049999-WXYZ'])
      await expectSound(db)
      const admin = await givenAdminCall(db)
      const { deletedCount } = await measured('delete', () => removeAllKeys(servicesOf(db), product, admin))
      expect(deletedCount).toBe(BIG)
      await expectSound(db)

      console.log(`${BIG} keys: ${figures.join(', ')}`)
    }),
  120_000,
)
