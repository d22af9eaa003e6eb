/** A shelf that fills itself from another store, on two real ones. */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { TOKEN_FORM } from '../../test/worlds/resellers.ts'
import { DURATION, PRICE, whileWorking, withSuppliers, type Supplied } from '../../test/worlds/suppliers.ts'
import { sql } from '../platform/database/database.ts'

const onShelf = ({ here }: Supplied) =>
  here.store.db.count(sql`
    select coalesce(sum(available), 0)::bigint from stock_counters where price_id = ${here.priceId}`)

test('a shelf fills itself to what shall lie there, and what is sold is bought again, in one batch of the day', () =>
  withSuppliers(async (given) => {
    const { here, work } = given
    await work()
    expect(await onShelf(given)).toBe(3)
    const [batch] = (await here.shop.owner.api.keys.batches({})).batches
    expect(batch).toMatchObject({ supplier: 'Wholesale Keys', costPerKey: 80, added: 3 })
    const buyer = await here.shop.buyer({ balance: 2 * PRICE })
    await buyer.api.orders.place({ productId: here.productId, duration: DURATION, quantity: 2 })
    await work()
    expect(await onShelf(given)).toBe(3)
    expect((await here.shop.owner.api.keys.batches({})).batches).toMatchObject([{ added: 5 }])
    const { bought, had, paid, cost } = await given.books()
    expect([had, cost]).toEqual([bought, paid])
    expect(had).toHaveLength(5)
    expect(await given.orders()).toMatchObject([
      { state: 'came', quantity: 2, came: 2 },
      { state: 'came', quantity: 3, came: 3 },
    ])
    const { links } = await here.shop.owner.api.supply.links()
    expect(links).toMatchObject([{ on: true, spentToday: 400, balance: 9_600, dayMax: 5_000 }])
    // Nothing more is asked for while nothing is missing
    const asked = given.purchases.length
    await given.pass(5 * MINUTE_MS)
    expect(given.purchases).toHaveLength(asked)
    expect(await given.told()).toEqual([])
  }))

test('a supplier that was added or changed is asked at once, before the worker’s next look', () =>
  withSuppliers(
    (given) =>
      whileWorking(given, async () => {
        const { here, there, link } = given
        const { supply } = here.shop.owner.api
        const isRead = async (id: string) => (await supply.links()).links.find(({ _id }) => _id === id)?.balance
        const { token: secret } = await there.reseller.api.sessions.makeToken({ ...TOKEN_FORM, name: 'Second' })
        // Its balance is forgotten until it has answered
        expect(await supply.changeLink({ id: link._id, secret })).not.toHaveProperty('balance')
        await expect.poll(() => isRead(link._id), { timeout: 3 * SECOND_MS }).toBe(10_000)
        const { address } = link
        const added = await supply.addLink({ name: 'Twin', address, secret, dayMax: 100 })
        await expect.poll(() => isRead(added._id), { timeout: 3 * SECOND_MS }).toBe(10_000)
      }),
    { keep: 0 },
  ))

/** A place in the queue with leave to buy. */
async function waits({ here }: Supplied, wish: { quantity?: number; balance?: number; autoMax?: number } = {}) {
  const { quantity = 1 } = wish
  const { balance = quantity * PRICE, autoMax = quantity * PRICE } = wish
  await here.shop.owner.api.waiting.saveSettings({ autoBuy: true })
  const buyer = await here.shop.buyer({ balance })
  await buyer.api.waiting.wait({ productId: here.productId, duration: DURATION, quantity, autoMax })
  return buyer
}
const keysOf = async (buyer: Awaited<ReturnType<typeof waits>>) => (await buyer.api.keys.mine()).length

describe('buyers who wait', () => {
  test('a buyer with leave to buy gets the key that is bought for him, before anybody else', () =>
    withSuppliers(
      async (given) => {
        const buyer = await waits(given, { quantity: 2 })
        // These can’t pay, or not enough for what it costs
        const poor = await waits(given, { balance: PRICE - 1 })
        const stingy = await waits(given, { autoMax: PRICE - 1 })
        await given.work()
        expect([await keysOf(buyer), await keysOf(poor), await keysOf(stingy)]).toEqual([2, 0, 0])
        expect(await given.orders()).toMatchObject([{ state: 'came', quantity: 2, came: 2 }])
        expect(await onShelf(given)).toBe(0)
      },
      { keep: 0 },
    ))

  test('what comes in parts is sold from the shelf once it is enough, and who wants less is not held up', () =>
    withSuppliers(
      async (given) => {
        const { there, work, pass } = given
        const many = await waits(given, { quantity: 3 })
        const one = await waits(given)
        await work()
        // Two came. The first in the queue wants three
        expect([await keysOf(many), await keysOf(one)]).toEqual([0, 1])
        const keys = [1, 2].map((n) => `MORE-${n}`)
        await there.shop.owner.api.keys.add({ productId: there.productId, duration: DURATION, keys })
        await pass(MINUTE_MS)
        expect([await keysOf(many), await keysOf(one)]).toEqual([3, 1])
        expect(await onShelf(given)).toBe(0)
        expect((await given.books()).had).toHaveLength(4)
      },
      { keep: 0, stock: 2 },
    ))

  test('nothing is bought for a buyer who pays less than it costs', () =>
    withSuppliers(
      async (given) => {
        const { here } = given
        const buyer = await here.shop.buyer({ balance: 1_000 })
        const own = { productId: here.productId, duration: DURATION, price: 79 }
        await here.shop.owner.api.users.update({ id: buyer.id, customPrices: [own] })
        await here.shop.owner.api.waiting.saveSettings({ autoBuy: true })
        await buyer.api.waiting.wait({ productId: here.productId, duration: DURATION, quantity: 1, autoMax: 500 })
        await given.work()
        expect(await given.orders()).toEqual([])
      },
      { keep: 0 },
    ))
})

describe('nothing is ordered', () => {
  const setTheirPrice = async ({ there }: Supplied, price: number) => {
    const { api } = there.shop.owner
    const product = (await api.catalogue.list()).find(({ _id }) => _id === there.productId)
    const prices = (product?.prices ?? []).map(({ _id, duration }) => ({ _id, duration, price }))
    await api.catalogue.update({ id: there.productId, prices })
  }

  test('while they ask more than the limit, and the stock admin is told once a day', () =>
    withSuppliers(async (given) => {
      await setTheirPrice(given, 101)
      await given.work()
      // The order went out at the old price, and was refused
      expect(await given.orders()).toMatchObject([{ state: 'refused', why: 'price' }])
      await given.pass(MINUTE_MS)
      await given.pass(MINUTE_MS)
      expect(await given.orders()).toHaveLength(1)
      expect(await given.told()).toEqual(['dear'])
      const { sources } = await given.here.shop.owner.api.supply.sources()
      expect(sources).toMatchObject([{ theirPrice: 101, max: 100, rests: 'dear' }])
      await setTheirPrice(given, 100)
      await given.pass(MINUTE_MS)
      expect(await onShelf(given)).toBe(3)
    }))

  test('above the budget of the day, which is whole again on the next', () =>
    withSuppliers(
      async (given) => {
        await given.work()
        expect(await onShelf(given)).toBe(2)
        await given.pass(24 * 60 * MINUTE_MS)
        expect(await onShelf(given)).toBe(4)
      },
      { dayMax: 250, keep: 10 },
    ))

  test('for more than lies in the wallet there', () =>
    withSuppliers(
      async (given) => {
        await given.work()
        expect([await onShelf(given), (await given.there.reseller.api.sessions.me()).balance]).toEqual([2, 40])
        expect(await given.orders()).toHaveLength(1)
      },
      { balance: 200 },
    ))

  test.each<[string, (given: Supplied) => Promise<unknown>]>([
    [
      'at a supplier that is off',
      ({ here, link }) => here.shop.owner.api.supply.changeLink({ id: link._id, on: false }),
    ],
    [
      'of a duration that was renamed',
      ({ here }) =>
        here.shop.owner.api.catalogue.update({
          id: here.productId,
          prices: [{ _id: here.priceId, duration: '5 Days', price: 100 }],
        }),
    ],
    [
      'of a product that is not listed',
      ({ here }) => here.shop.owner.api.catalogue.update({ id: here.productId, isListed: false }),
    ],
    ['without a source', ({ here }) => here.shop.owner.api.supply.removeSource({ priceId: here.priceId })],
  ])('%s', (_, change) =>
    withSuppliers(async (given) => {
      await change(given)
      await given.work()
      expect([given.purchases, await given.orders()]).toEqual([[], []])
    }),
  )
})

test('nothing is kept where a key’s time starts when it is bought, but who waits gets his', () =>
  withSuppliers(async (given) => {
    await given.here.shop.owner.api.supply.changeLink({ id: given.link._id, runsFrom: 'sale' })
    await given.work()
    expect(await given.orders()).toEqual([])
    const buyer = await waits(given)
    await given.work()
    expect([await keysOf(buyer), await onShelf(given)]).toEqual([1, 0])
  }))

test('their list is read once a minute, and the balance every ten', () =>
  withSuppliers(async (given) => {
    const read: (string | number)[] = []
    given.meddle(({ path }) => {
      read.push(path)
      return 'pass'
    })
    await given.work()
    await given.pass(MINUTE_MS)
    await given.pass(10 * MINUTE_MS)
    expect(read.filter((path) => path === '/api/products').length).toBe(2)
    expect(read.filter((path) => path === '/api/tokens/own').length).toBe(1)
  }))
