/** What is lost on the way or dies in the middle: keys bought there are keys had here, text by text, and once. */
import { describe, expect, test } from 'vitest'
import { OWNER } from '../../test/worlds/shop.ts'
import { withSuppliers, type Supplied } from '../../test/worlds/suppliers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'
import type { ProvingBy } from '../audit/audit.ts'
import { ask } from './ask.ts'
import { orderWhatIsMissing } from './demand.ts'
import { settleOrder } from './orders.ts'
import { takeOrders, type TakenOrder } from './take-orders.ts'

const LEASE_MS = 31 * SECOND_MS

/** Writes the order and takes it, as a worker does that dies then. */
async function takeAndDie({ here: { store }, supplying }: Supplied): Promise<TakenOrder> {
  await orderWhatIsMissing(store.db, store.clock.now())
  const [taken] = await takeOrders(supplying, 8, store.clock.now())
  if (!taken) throw new Error('Nothing to take')
  return taken
}

async function expectEqualBooks(given: Supplied, count: number) {
  const { bought, had, paid, cost } = await given.books()
  expect(had).toEqual(bought)
  expect([had.length, cost]).toEqual([count, paid])
}

/** One purchase, however often it was tried. */
const numbersOf = ({ purchases }: Supplied) => new Set(purchases.map(({ number }) => number)).size

describe('one number, one purchase', () => {
  test('an order that was written and never sent is sent by any worker', () =>
    withSuppliers(async (given) => {
      await orderWhatIsMissing(given.here.store.db, given.here.store.clock.now())
      expect(await given.orders()).toMatchObject([{ state: 'waiting' }])
      await given.work()
      await expectEqualBooks(given, 3)
    }))

  test('one that was marked and not sent is sent when its lease has run out, and not before', () =>
    withSuppliers(async (given) => {
      await takeAndDie(given)
      await given.work()
      expect(given.purchases).toEqual([])
      await given.pass(LEASE_MS)
      await expectEqualBooks(given, 3)
      expect(numbersOf(given)).toBe(1)
    }))

  test.each(['lose request', 'lose answer', 'cut answer'] as const)('%s', (loss) =>
    withSuppliers(async (given) => {
      given.meddle(({ number }) => (number === undefined ? 'pass' : loss))
      await given.work()
      expect(await given.orders()).toMatchObject([{ state: 'asked', why: expect.stringMatching(/silent|unreadable/) }])
      for (const ms of [5, 15, 60, 300]) await given.pass(ms * SECOND_MS)
      expect(given.purchases).toHaveLength(5)
      given.meddle(() => 'pass')
      await given.pass(5 * MINUTE_MS)
      await expectEqualBooks(given, 3)
      expect(numbersOf(given)).toBe(1)
    }),
  )

  test('a request that the network sends twice', () =>
    withSuppliers(async (given) => {
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'send twice'))
      await given.work()
      await expectEqualBooks(given, 3)
    }))

  test('keys that were imported before their order was noted are imported no more', () =>
    withSuppliers(async (given) => {
      const { here } = given
      await given.work()
      await here.store.db.run(sql`delete from supply_keys`)
      await here.store.db.run(sql`
        update supply_orders
           set state = 'asked', came = null, unit_paise = null, ended_at = null, next_at = created_at`)
      // One of them is sold by then
      const buyer = await here.shop.buyer({ balance: 120 })
      await buyer.api.orders.place({ productId: here.productId, duration: '10 Days', quantity: 1 })
      await given.save({ keep: 2 })
      await given.work()
      await expectEqualBooks(given, 3)
      expect(await given.told()).toEqual([])
    }))

  test('two workers with the same order, one of them after its lease', () =>
    withSuppliers(async (given) => {
      const { store } = given.here
      const first = await takeAndDie(given)
      store.clock.advance(LEASE_MS)
      const [second] = await takeOrders(given.supplying, 8, store.clock.now())
      if (!second) throw new Error('Its lease has run out')
      await Promise.all([ask(given.supplying, first), ask(given.supplying, second)])
      await expectEqualBooks(given, 3)
      expect(numbersOf(given)).toBe(1)
      expect(await given.orders()).toMatchObject([{ state: 'came', came: 3 }])
      expect((await given.here.shop.owner.api.supply.links()).links[0]?.on).toBe(true)
    }))
})

describe('what was asked and is not needed any more', () => {
  const UNNEED: Record<string, (given: Supplied) => Promise<unknown>> = {
    'the supplier is turned off': ({ here, link }) =>
      here.shop.owner.api.supply.changeLink({ id: link._id, on: false }),
    'the supplier is removed': ({ here, link }) => here.shop.owner.api.supply.changeLink({ id: link._id, ended: true }),
    'the source is removed': ({ here }) => here.shop.owner.api.supply.removeSource({ priceId: here.priceId }),
    'nothing is kept': (given) => given.save({ keep: 0 }),
  }

  test.each(Object.keys(UNNEED))('%s: what was bought comes', (how) =>
    withSuppliers(async (given) => {
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
      await given.work()
      await UNNEED[how]?.(given)
      given.meddle(() => 'pass')
      await given.pass(6 * SECOND_MS)
      await expectEqualBooks(given, 3)
      expect(given.purchases.map(({ price }) => price)).toEqual([80, 0])
    }),
  )

  test.each(Object.keys(UNNEED))('%s: what was not bought is bought no more', (how) =>
    withSuppliers(async (given) => {
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose request'))
      await given.work()
      await UNNEED[how]?.(given)
      given.meddle(() => 'pass')
      await given.pass(6 * SECOND_MS)
      await expectEqualBooks(given, 0)
      const state = await given.here.store.db.texts(sql`select state || ' ' || why from supply_orders`)
      expect(state).toEqual(['refused unneeded'])
      expect(await given.told()).toEqual([])
    }),
  )

  test('an order that was never sent is dropped', () =>
    withSuppliers(async (given) => {
      await orderWhatIsMissing(given.here.store.db, given.here.store.clock.now())
      await given.here.shop.owner.api.supply.changeLink({ id: given.link._id, on: false })
      await given.work()
      expect([given.purchases, await given.orders()]).toMatchObject([[], [{ state: 'dropped', why: 'unneeded' }]])
    }))
})

describe('after 24 hours', () => {
  const open = async (given: Supplied) => {
    given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
    await given.work()
    for (let hours = 0; hours < 24; hours++) {
      given.there.store.clock.advance(HOUR_MS)
      given.here.store.clock.advance(HOUR_MS)
    }
    await given.work()
    await given.here.shop.owner.api.sessions.adminLogin(OWNER)
    await given.here.shop.owner.api.admins.stepUp({ password: OWNER.password })
    const { api } = given.here.shop.owner
    return { api, order: (await api.supply.orders({ state: 'by-hand' })).orders[0] }
  }

  test('a person says what came, and a late answer brings nothing twice', () =>
    withSuppliers(async (given) => {
      const { api, order } = await open(given)
      expect(order).toMatchObject({ state: 'asked', why: 'silent', number: 'S-1001' })
      expect(await given.told()).toContain('by-hand')
      const { bought } = await given.books()
      expect(bought).toHaveLength(3)
      expect(await api.supply.settle({ id: order?._id ?? '', keys: bought })).toMatchObject({ state: 'came', came: 3 })
      given.meddle(() => 'pass')
      await given.pass(DAY_MS / 24)
      await expectEqualBooks(given, 3)
    }))

  test('or that nothing came', () =>
    withSuppliers(async (given) => {
      const { api, order } = await open(given)
      const id = order?._id ?? ''
      expect(await api.supply.settle({ id })).toMatchObject({ state: 'refused', why: 'by-hand' })
      await expect(api.supply.settle({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }))

  /** The supplier's answer comes before the last transaction, which ends the order. */
  const settleBeside = async (given: Supplied, what: 'keys' | 'nothing') => {
    const { order } = await open(given)
    const { bought } = await given.books()
    given.meddle(() => 'pass')
    const { db, clock } = given.here.store
    let begun = 0
    const transaction: typeof db.transaction = async (work, options) => {
      if (++begun === (what === 'keys' ? 2 : 1)) await given.pass(HOUR_MS)
      return db.transaction(work, options)
    }
    const [adminId = ''] = await db.texts(sql`select id from admins`)
    const admin = { id: adminId, username: OWNER.username } as ProvingBy['admin']
    const by = { admin, address: '', userAgent: '', now: clock.now(), requireProof: () => {} }
    const said = { id: order?._id ?? '', ...(what === 'keys' && { keys: bought }) }
    return settleOrder({ ...given.supplying, db: { ...db, transaction } }, said, by)
  }

  test.each(['keys', 'nothing'] as const)('the answer that comes while a person settles with %s stands', (what) =>
    withSuppliers(async (given) => {
      expect(await settleBeside(given, what)).toMatchObject({ state: 'came', came: 3, unitPrice: 80 })
      await expectEqualBooks(given, 3)
      expect(await given.told()).not.toContain('known-key')
    }),
  )

  test('a paste with a key that is there already counts the others', () =>
    withSuppliers(async (given) => {
      const { api, order } = await open(given)
      const [one = '', two = '', three = ''] = (await given.books()).bought
      const { productId } = given.here
      await api.keys.add({ productId, duration: '10 Days', keys: [one] })
      const settled = await api.supply.settle({ id: order?._id ?? '', keys: [one, two, three] })
      expect(settled).toMatchObject({ state: 'came', came: 2 })
    }))
})
