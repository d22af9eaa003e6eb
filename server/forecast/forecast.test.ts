import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { unique } from '../../test/worlds/constants.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { describe } from '../messages/words.ts'
import { sql } from '../platform/database/database.ts'
import { watchStock } from './watch-stock.ts'

const duration = '10 Days'

interface Given {
  shop: Shop
  store: TestStore
  productId: string
  arrive(count: number): Promise<unknown>
  sell(quantity: number): Promise<unknown>
  /** Lets time pass, while the job looks every ten minutes. */
  pass(ms: number): Promise<void>
  /** The texts of the morning's lists so far. */
  lists(): Promise<unknown[]>
}

const withStock = (work: (given: Given) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product()
    const buyer = await shop.buyer({ balance: 90_000 })
    await work({
      shop,
      store,
      productId,
      arrive: (count) =>
        shop.owner.api.keys.add({ productId, duration, keys: Array.from({ length: count }, () => unique('K-')) }),
      sell: (quantity) => buyer.api.orders.place({ productId, duration, quantity }),
      async pass(ms) {
        for (let passed = 0; passed < ms; passed += 10 * MINUTE_MS) {
          store.clock.advance(10 * MINUTE_MS)
          await watchStock(store.db, store.clock.now())
        }
      },
      async lists() {
        const rows = await store.db.rows(sql(z.object({ kind: z.string(), notBefore: z.date(), createdAt: z.date() }))`
          select kind, not_before as "notBefore", created_at as "createdAt" from outbox_messages
           where kind like 'stock.%' order by created_at, kind`)
        return Promise.all(
          rows.map(async ({ kind, notBefore, createdAt }) => {
            const message = { id: '', userId: null, subjectId: null, data: {}, goneAfter: null, wasPutOff: true }
            const words = await describe(store.app.services, { ...message, kind, createdAt }, store.clock.now())
            return [kind, notBefore.toISOString().slice(11, 16), 'title' in words ? words.body : words]
          }),
        )
      },
    })
  })

test('an alarm rings once when stock falls below its mark, and again only after a refill', () =>
  withStock(async ({ store, arrive, sell, pass, lists }) => {
    const alarms = () => watchStock(store.db, store.clock.now())
    expect(await alarms()).toEqual({ low: 0, out: 0 })
    await arrive(8)
    expect(await alarms()).toEqual({ low: 0, out: 0 })
    await sell(4)
    expect(await alarms()).toEqual({ low: 1, out: 0 })
    expect(await alarms()).toEqual({ low: 0, out: 0 })
    // 03:30 in the world is 09:00 in India
    expect(await lists()).toMatchObject([['stock.low', '03:30', expect.stringContaining(`(${duration}): 4.`)]])
    await arrive(2)
    await sell(2)
    expect(await alarms()).toEqual({ low: 0, out: 0 })
    await sell(4)
    expect(await alarms()).toEqual({ low: 0, out: 1 })
    await arrive(8)
    await alarms()
    await pass(DAY_MS)
    await sell(4)
    expect(await alarms()).toEqual({ low: 1, out: 0 })
    // The first list has nothing left to say by now
    expect(await lists()).toMatchObject([
      ['stock.low', '03:30', expect.anything()],
      ['stock.out', '03:30', { gone: 'Back in stock' }],
      ['stock.low', '03:30', expect.stringContaining(': 4.')],
    ])
  }))

test('what comes in and is sold out between two looks is told, for a new duration and for one that was out', () =>
  withStock(async ({ shop, store, arrive, sell, pass, lists }) => {
    const look = () => watchStock(store.db, store.clock.now())
    await look()
    const other = await shop.product({ prices: { '20 Days': 100 }, stock: 3 })
    const buyer = await shop.buyer({ balance: 500 })
    store.clock.advance(MINUTE_MS)
    await buyer.api.orders.place({ productId: other._id, duration: '20 Days', quantity: 3 })
    store.clock.advance(MINUTE_MS)
    // It never had as many as its mark
    expect(await look()).toEqual({ low: 0, out: 1 })
    expect(await look()).toEqual({ low: 0, out: 0 })
    expect(await lists()).toContainEqual(['stock.out', '03:30', expect.stringContaining(other.name)])

    await pass(HOUR_MS)
    store.clock.advance(MINUTE_MS)
    await arrive(8)
    await sell(8)
    store.clock.advance(MINUTE_MS)
    expect(await look()).toEqual({ low: 1, out: 1 })
    // Too few came in for another alarm
    store.clock.advance(MINUTE_MS)
    await arrive(2)
    await sell(2)
    store.clock.advance(MINUTE_MS)
    expect(await look()).toEqual({ low: 0, out: 0 })
  }))

test('the forecast counts the hours with stock, and says when to order', () =>
  withStock(async ({ shop, productId, arrive, sell, pass }) => {
    await arrive(20)
    await pass(12 * HOUR_MS)
    await sell(20)
    await pass(12 * HOUR_MS)
    await shop.owner.api.sessions.adminLogin({ username: 'owner', password: 'a long owner password' })
    await arrive(40)
    await shop.owner.api.waiting.saveSettings({ leadDays: 60 })
    const [own, ...others] = await shop.owner.api.forecast.read({})
    expect(others).toEqual([])
    // 20 keys in twelve hours with stock are 40 a day
    expect(own).toMatchObject({ productId, duration, left: 40, confidence: 'medium' })
    expect(own?.rate).toBeGreaterThan(38)
    expect(own?.rate).toBeLessThan(42)
    expect(own?.daysLeft?.mid).toBeCloseTo(1, 1)
    expect(own?.orderBy).toMatch(/^\d{4}-\d\d-\d\d$/)
  }))

test('a product that is not listed rings no alarm, and is in no forecast', () =>
  withStock(async ({ shop, productId, arrive, sell, pass, lists }) => {
    await arrive(8)
    await pass(10 * MINUTE_MS)
    await sell(8)
    await shop.owner.api.catalogue.update({ id: productId, isListed: false })
    await pass(20 * MINUTE_MS)
    expect(await lists()).toEqual([])
    expect(await shop.owner.api.forecast.read({})).toEqual([])
    await shop.owner.api.catalogue.update({ id: productId, isListed: true })
    await pass(10 * MINUTE_MS)
    expect((await lists()).map((list) => (list as string[])[0])).toEqual(['stock.low', 'stock.out'])
  }))
