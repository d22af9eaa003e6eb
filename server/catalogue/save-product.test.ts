import { describe, expect, test } from 'vitest'
import type { Product } from '../../contract/catalogue.ts'
import { paise } from '../../contract/money.ts'
import { withDatabase } from '../../test/database.ts'
import { givenStock, givenUser } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { duplicateProduct } from './duplicate-product.ts'
import { listProducts } from './list-products.ts'
import { placePrices } from './prices.ts'
import { removeProduct, restoreProduct } from './remove-product.ts'
import { reorderProducts } from './reorder-products.ts'
import { createProduct, updateProduct, type ProductForm } from './save-product.ts'

type Row = [duration: string, price: number, id?: string]

function form(rows: readonly Row[], rest: Partial<ProductForm> = {}): ProductForm {
  return {
    name: 'Game',
    description: '',
    hot: false,
    instructions: '',
    downloadUrl: '',
    isListed: true,
    remindDays: null,
    ...rest,
    prices: rows.map(([duration, price, _id]) => ({ _id, duration, price: paise(price * 100) })),
  }
}

const create = async (db: Database, rows: readonly Row[], rest: Partial<ProductForm> = {}) =>
  createProduct(servicesOf(db), form(rows, rest), await givenAdminCall(db))

const update = async (db: Database, { _id, name }: Product, rows: readonly Row[], rest: Partial<ProductForm> = {}) =>
  updateProduct(servicesOf(db), { id: _id, ...form(rows, { name, ...rest }) }, await givenAdminCall(db))

function idOf({ prices }: Product, duration: string): string {
  const price = prices.find((each) => each.duration === duration)
  if (!price) throw new Error(`No ${duration}`)
  return price._id
}

/** Writes "10 Days ₹100 ×3", as a list shows a product. */
const shown = ({ prices }: Product) =>
  prices.map(({ duration, price, available }) => `${duration} ₹${price ?? '?'} ×${available}`)

async function givenCustomPrice(db: Database, priceId: string, rupees: number): Promise<string> {
  const userId = await givenUser(db)
  await db.run(
    sql`insert into custom_prices (user_id, price_id, paise) values (${userId}, ${priceId}, ${rupees * 100})`,
  )
  return userId
}

async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}

test('a product is created with its durations in their order, and counters of its stock', () =>
  withDatabase(async (db) => {
    const product = await create(db, [
      ['1 Month', 499.5],
      ['10 Days', 0],
    ])

    expect(product).toMatchObject({ name: 'Game', hot: false, available: 0, price: 499.5 })
    expect(shown(product)).toEqual(['1 Month ₹499.5 ×0', '10 Days ₹0 ×0'])
  }))

describe('a price row that keeps its _id', () => {
  test('carries its stock and its custom prices along when its duration is renamed', () =>
    withDatabase(async (db) => {
      const product = await create(db, [['10 Days', 100]])
      const priceId = idOf(product, '10 Days')
      await givenStock(db, priceId, 3)
      const userId = await givenCustomPrice(db, priceId, 80)

      const renamed = await update(db, product, [['2 Weeks', 120, priceId.toUpperCase()]])

      expect(shown(renamed)).toEqual(['2 Weeks ₹120 ×3'])
      const [seen] = await listProducts(db, { kind: 'user', userId })
      expect(seen?.prices).toEqual([{ _id: priceId, duration: '2 Weeks', price: 80, listPrice: 120, available: 3 }])
      expect(seen?.price).toBe(80)
      await expectSound(db)
    }))

  test('can swap its duration with another one', () =>
    withDatabase(async (db) => {
      const product = await create(db, [
        ['1 Day', 10],
        ['2 Days', 20],
      ])
      await givenStock(db, idOf(product, '1 Day'), 1)
      await givenStock(db, idOf(product, '2 Days'), 2)

      const swapped = await update(db, product, [
        ['2 Days', 10, idOf(product, '1 Day')],
        ['1 Day', 20, idOf(product, '2 Days')],
      ])

      expect(shown(swapped)).toEqual(['2 Days ₹10 ×1', '1 Day ₹20 ×2'])
      await expectSound(db)
    }))

  test('can take the duration of a row that is dropped at once', () =>
    withDatabase(async (db) => {
      const product = await create(db, [
        ['1 Day', 10],
        ['2 Days', 20],
      ])
      await givenStock(db, idOf(product, '1 Day'), 1)
      await givenStock(db, idOf(product, '2 Days'), 2)

      const saved = await update(db, product, [['2 Days', 15, idOf(product, '1 Day')]])

      expect(shown(saved)).toEqual(['2 Days ₹15 ×1'])
      await expectSound(db)
    }))
})

test('the days of reminders stay until they are sent, and null is as usual', () =>
  withDatabase(async (db) => {
    const product = await create(db, [['10 Days', 100]], { remindDays: 7 })
    const change = async (part: Partial<ProductForm>) =>
      updateProduct(servicesOf(db), { id: product._id, ...part }, await givenAdminCall(db))

    expect(product.remindDays).toBe(7)
    expect((await change({ hot: true })).remindDays).toBe(7)
    expect((await change({ remindDays: 0 })).remindDays).toBe(0)
    expect(await change({ remindDays: null })).not.toHaveProperty('remindDays')
    await change({ remindDays: 30 })
    const copy = await duplicateProduct(servicesOf(db), product._id, await givenAdminCall(db))
    expect(copy.remindDays).toBe(30)
    const [seen] = await listProducts(db, { kind: 'user', userId: await givenUser(db) })
    expect(seen).not.toHaveProperty('remindDays')
  }))

test('a row without an _id is the live one of its duration', () =>
  withDatabase(async (db) => {
    const product = await create(db, [['10 Days', 100]])
    await givenStock(db, idOf(product, '10 Days'), 3)

    const saved = await update(db, product, [
      ['10 Days', 90],
      ['1 Month', 200],
    ])

    expect(shown(saved)).toEqual(['10 Days ₹90 ×3', '1 Month ₹200 ×0'])
    expect(idOf(saved, '10 Days')).toBe(idOf(product, '10 Days'))
  }))

test('stock of a removed duration is not sold, and is back when the duration is added again', () =>
  withDatabase(async (db) => {
    const product = await create(db, [
      ['10 Days', 100],
      ['1 Month', 200],
    ])
    await givenStock(db, idOf(product, '10 Days'), 3)

    const without = await update(db, product, [['1 Month', 200]])
    expect(shown(without)).toEqual(['1 Month ₹200 ×0'])
    expect(without.available).toBe(0)

    const again = await update(db, product, [
      ['1 Month', 200],
      ['10 Days', 110],
    ])
    expect(shown(again)).toEqual(['1 Month ₹200 ×0', '10 Days ₹110 ×3'])
    await expectSound(db)
  }))

describe('finding the row of each wanted price', () => {
  const stored = [
    { id: 'a', duration: '1 Day', live: true, steps: null },
    { id: 'b', duration: '2 Days', live: true, steps: null },
    { id: 'c', duration: '3 Days', live: false, steps: null },
  ]
  const ids = (wanted: readonly Row[]) =>
    placePrices(stored, form(wanted).prices).map(({ id }) => (stored.some((row) => row.id === id) ? id : 'new'))

  test('an _id wins over a duration, and a renamed row leaves its duration to a new one', () => {
    expect(
      ids([
        ['2 Days', 1, 'a'],
        ['1 Day', 1],
      ]),
    ).toEqual(['a', 'new'])
  })

  test('no row is taken twice', () => {
    expect(
      ids([
        ['1 Day', 1],
        ['4 Days', 1, 'a'],
      ]),
    ).toEqual(['new', 'a'])
    expect(() =>
      ids([
        ['1 Day', 1, 'a'],
        ['2 Days', 1, 'a'],
      ]),
    ).toThrow(/same duration/)
  })

  test('a removed row is revived, and an _id of another product is no _id', () => {
    expect(
      ids([
        ['3 Days', 1],
        ['5 Days', 1, 'z'],
      ]),
    ).toEqual(['c', 'new'])
  })
})

test('a duration has a mark below which its stock is low: 5 at first, and as before where no mark is sent', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const by = await givenAdminCall(db)
    const product = await create(db, [
      ['10 Days', 100],
      ['1 Month', 300],
    ])
    const marks = async () =>
      (await listProducts(db, { kind: 'admin' }))[0]?.prices.map(({ duration, lowStockBelow }) => [
        duration,
        lowStockBelow,
      ])
    expect(await marks()).toEqual([
      ['10 Days', 5],
      ['1 Month', 5],
    ])

    const { prices, ...rest } = form([['2 Weeks', 100, idOf(product, '10 Days')]])
    await updateProduct(
      services,
      { id: product._id, ...rest, prices: prices.map((row) => ({ ...row, lowStockBelow: 40 })) },
      by,
    )
    expect(await marks()).toEqual([['2 Weeks', 40]])

    // Sends no marks, as an old client does. A duration that returns has its own mark again
    await update(db, product, [
      ['20 Days', 100, idOf(product, '10 Days')],
      ['1 Month', 300],
    ])
    expect(await marks()).toEqual([
      ['20 Days', 40],
      ['1 Month', 5],
    ])
    expect((await listProducts(db, { kind: 'visitor' }))[0]?.prices[0]).not.toHaveProperty('lowStockBelow')
  }))

test('a removed product comes back with its durations, stock and the prices of single users', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const by = await givenAdminCall(db)
    const product = await create(db, [['10 Days', 100]])
    await givenStock(db, idOf(product, '10 Days'), 3)
    const userId = await givenCustomPrice(db, idOf(product, '10 Days'), 80)
    const before = await listProducts(db, { kind: 'user', userId })
    await expect(restoreProduct(services, product._id, by)).rejects.toMatchObject({ code: 'NOT_FOUND' })

    await removeProduct(services, product._id, by)
    expect(await restoreProduct(services, product._id, by)).toMatchObject({ name: product.name, available: 3 })

    expect(await listProducts(db, { kind: 'user', userId })).toEqual(before)
    await expectSound(db)
  }))

test('a removed product cannot come back under a name that another one has taken', () =>
  withDatabase(async (db) => {
    const product = await create(db, [['10 Days', 100]], { name: 'Night Circuit' })
    const by = await givenAdminCall(db)
    await removeProduct(servicesOf(db), product._id, by)
    await create(db, [['10 Days', 100]], { name: 'night circuit' })

    await expect(restoreProduct(servicesOf(db), product._id, by)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  }))

test('no two products have one name, whatever the case of its letters; a removed one gives its name back', () =>
  withDatabase(async (db) => {
    const first = await create(db, [['1 Day', 1]], { name: 'Night Circuit' })
    const second = await create(db, [['1 Day', 1]], { name: 'Other' })

    await expect(create(db, [['1 Day', 1]], { name: 'NIGHT circuit' })).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await expect(update(db, second, [['1 Day', 1]], { name: 'night circuit' })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    })
    await update(db, first, [['1 Day', 1]], { name: 'NIGHT CIRCUIT' })

    await removeProduct(servicesOf(db), first._id, await givenAdminCall(db))
    await update(db, second, [['1 Day', 1]], { name: 'Night Circuit' })
  }))

test('a removed product is in no list and can be neither changed nor removed again', () =>
  withDatabase(async (db) => {
    const product = await create(db, [['1 Day', 1]])
    const by = await givenAdminCall(db)

    await removeProduct(servicesOf(db), product._id, by)

    for (const viewer of [{ kind: 'admin' }, { kind: 'visitor' }] as const)
      expect(await listProducts(db, viewer)).toEqual([])
    await expect(removeProduct(servicesOf(db), product._id, by)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(update(db, product, [['1 Day', 1]])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }))

test('products stand in the order in which the admin puts them, new ones at the end', () =>
  withDatabase(async (db) => {
    const [a, b, c] = [
      await create(db, [['1 Day', 1]], { name: 'A' }),
      await create(db, [['1 Day', 1]], { name: 'B' }),
      await create(db, [['1 Day', 1]], { name: 'C' }),
    ]
    const by = await givenAdminCall(db)
    const names = async () => (await listProducts(db, { kind: 'visitor' })).map(({ name }) => name)
    expect(await names()).toEqual(['A', 'B', 'C'])

    await reorderProducts(servicesOf(db), [c._id, a._id.toUpperCase(), '019a0000-0000-7000-8000-00000000dead'], by)
    await create(db, [['1 Day', 1]], { name: 'D' })

    expect(await names()).toEqual(['C', 'A', 'B', 'D'])
    expect(b.name).toBe('B')
  }))

test('a user does not see what is hidden from them; an admin who is that user sees everything at list prices', () =>
  withDatabase(async (db) => {
    const shownProduct = await create(db, [['1 Day', 10]], { name: 'Shown' })
    const hidden = await create(db, [['1 Day', 20]], { name: 'Hidden' })
    const userId = await givenCustomPrice(db, idOf(shownProduct, '1 Day'), 5)
    await db.run(sql`insert into hidden_products (user_id, product_id) values (${userId}, ${hidden._id})`)

    const asUser = await listProducts(db, { kind: 'user', userId })
    const asOther = await listProducts(db, { kind: 'user', userId: await givenUser(db) })
    const asAdmin = await listProducts(db, { kind: 'admin' })

    expect(asUser.map(({ name, price }) => [name, price])).toEqual([['Shown', 5]])
    expect(asOther.map(({ name, price }) => [name, price])).toEqual([
      ['Shown', 10],
      ['Hidden', 20],
    ])
    const marked = asOther.map((each) => ({
      ...each,
      prices: each.prices.map((price) => ({ ...price, lowStockBelow: 5 })),
    }))
    expect(asAdmin).toEqual(marked.map((each) => ({ ...each, instructions: '', downloadUrl: '', isListed: true })))
  }))
