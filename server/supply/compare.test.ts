/** The supplier's books beside the store's: what was bought there is had here, also after a restored backup. */
import { describe, expect, test } from 'vitest'
import { OWNER } from '../../test/worlds/shop.ts'
import { withSuppliers, type Supplied } from '../../test/worlds/suppliers.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'
import { pauseEveryLink } from './links.ts'

/** A day is longer than an admin's session. */
async function logIn({ shop }: Pick<Supplied['here'], 'shop'>) {
  await shop.owner.api.sessions.adminLogin(OWNER)
  await shop.owner.api.admins.stepUp({ password: OWNER.password })
  return shop.owner.api
}
const linkOf = async ({ here }: Supplied) => (await (await logIn(here)).supply.links()).links[0]
const turnOn = async ({ here, link }: Supplied) => (await logIn(here)).supply.changeLink({ id: link._id, on: true })

async function expectEqualBooks(given: Supplied, count: number) {
  const { bought, had, paid, cost } = await given.books()
  expect([had, cost]).toEqual([bought, paid])
  expect(had).toHaveLength(count)
}

/** Bought there, and here as it was before: the order was never written, or not yet sent. */
async function restoreBefore(given: Supplied, what: 'gone' | 'waiting' | 'refused' | 'dropped') {
  const { db, clock } = given.here.store
  given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
  await given.work()
  given.meddle(() => 'pass')
  expect(await given.orders()).toMatchObject([{ state: 'asked' }])
  if (what === 'gone') await db.run(sql`delete from supply_orders`)
  else {
    const endedAt = what === 'waiting' ? null : clock.now()
    await db.run(sql`update supply_orders set state = ${what}, tries = 0, why = null, ended_at = ${endedAt}`)
  }
  await db.transaction((tx) => pauseEveryLink(tx))
}

describe('after a restored backup', () => {
  test.each(['gone', 'waiting', 'refused', 'dropped'] as const)(
    'an order that is %s here and was bought there comes, before anything is ordered',
    (what) =>
      withSuppliers(async (given) => {
        await restoreBefore(given, what)
        await given.pass(MINUTE_MS)
        await turnOn(given)
        expect(await linkOf(given)).toMatchObject({ on: true, comparesFirst: true })
        await given.work()
        await given.pass(6 * SECOND_MS)
        await expectEqualBooks(given, 3)
        expect(await given.orders()).toMatchObject([{ state: 'came', came: 3 }])
        expect(await given.told()).toEqual(['back'])
        expect(await linkOf(given)).toMatchObject({ compared: { orders: 1, sum: 240, back: 1, strange: 0 } })
        // By one press
        const { batches } = await given.here.shop.owner.api.keys.batches({})
        expect(batches).toMatchObject([{ added: 3, supplier: 'Wholesale Keys', costPerKey: 80 }])
      }),
  )

  test('nothing is ordered while the comparison fails, and it is tried again', () =>
    withSuppliers(async (given) => {
      await restoreBefore(given, 'gone')
      const asked = given.purchases.length
      given.meddle(({ path }) => (path.startsWith('/api/orders') ? { status: 500 } : 'pass'))
      await turnOn(given)
      for (let minute = 0; minute < 4; minute++) await given.pass(MINUTE_MS)
      expect([given.purchases.length, await given.orders()]).toEqual([asked, []])
      given.meddle(() => 'pass')
      await given.pass(2 * MINUTE_MS)
      await given.pass(6 * SECOND_MS)
      await expectEqualBooks(given, 3)
    }))

  test('what has no source any more is told, and comes when it has one again', () =>
    withSuppliers(async (given) => {
      await restoreBefore(given, 'gone')
      await given.here.shop.owner.api.supply.removeSource({ priceId: given.here.priceId })
      await turnOn(given)
      await given.work()
      expect(await linkOf(given)).toMatchObject({ compared: { orders: 1, strange: 1, back: 0 } })
      expect(await given.told()).toEqual(['differs'])
      await given.save({})
      await turnOn(given)
      await given.work()
      await given.pass(6 * SECOND_MS)
      await expectEqualBooks(given, 3)
    }))
})

test('at night both books are read again, and equal ones are told to nobody', () =>
  withSuppliers(async (given) => {
    await given.work()
    await given.pass(DAY_MS)
    expect(await linkOf(given)).toMatchObject({
      compared: { orders: 1, sum: 240, refunded: 0, back: 0, cost: [], gone: [], strange: 0 },
    })
    expect(await given.told()).toEqual([])
  }))

test('a purchase of theirs that is gone, and one of another cost, are told once', () =>
  withSuppliers(async (given) => {
    const { here } = given
    await given.work()
    const [ours = ''] = await here.store.db.texts(sql`select id from supply_orders`)
    await here.shop.owner.api.supply.order({ priceId: here.priceId, quantity: 1 })
    await given.work()
    given.meddle(({ path }) =>
      path.startsWith('/api/orders')
        ? ({ status, body }) => ({
            status,
            body: {
              orders: body.orders
                .filter((each: { idempotencyKey: string }) => each.idempotencyKey.endsWith(ours))
                .map((each: object) => ({ ...each, amount: 250, refunded: 10 })),
            },
          })
        : 'pass',
    )
    for (const _ of [1, 2]) await given.pass(DAY_MS)
    await turnOn(given)
    expect(await linkOf(given)).toMatchObject({
      compared: { orders: 1, sum: 250, refunded: 10, cost: ['S-1001'], gone: ['S-1002'] },
    })
    expect(await given.told()).toEqual(['differs'])
  }))

test('purchases of other programs and of people in the same account are nobody’s business here', () =>
  withSuppliers(async (given) => {
    const { there } = given
    await given.work()
    for (const key of [undefined, 'their own number'])
      await there.reseller.post(
        '/keys/buy',
        { productId: there.productId, duration: '10 Days', quantity: 1 },
        key === undefined ? {} : { 'idempotency-key': key },
      )
    await given.pass(DAY_MS)
    expect(await linkOf(given)).toMatchObject({ compared: { orders: 1, sum: 240, back: 0, strange: 0 } })
  }))

test.each<[string, object]>([
  ['no list', { orders: 'x' }],
  ['an order without an amount', { orders: [{ idempotencyKey: null }] }],
  ['the same full page for ever', {}],
])('an answer that cannot be read ends nothing: %s', (_, odd) =>
  withSuppliers(async (given) => {
    await given.work()
    given.meddle(({ path }) =>
      path.startsWith('/api/orders')
        ? ({ status, body }) => ({
            status,
            body: 'orders' in odd ? odd : { orders: Array(500).fill(body.orders[0]) },
          })
        : 'pass',
    )
    await turnOn(given)
    await given.pass(6 * MINUTE_MS)
    expect(await linkOf(given)).toMatchObject({ comparesFirst: true })
    await expectEqualBooks(given, 3)
  }),
)

/** Purchases of others in the same account, of one moment. */
const strangers = (count: number, createdAt: string) =>
  Array.from({ length: count }, () => ({
    _id: crypto.randomUUID(),
    idempotencyKey: null,
    productId: crypto.randomUUID(),
    duration: '10 Days',
    quantity: 1,
    amount: 1,
    refunded: 0,
    createdAt,
  }))

describe('what readers of lists by time got wrong elsewhere', () => {
  // btcmap #1164, xmtp #4151: rows of one moment on both sides of a page's end were lost, or read for ever
  test('purchases of one moment, at the end of a page and at the beginning of the next, are read once', () =>
    withSuppliers(async (given) => {
      await given.work()
      await given.here.shop.owner.api.supply.order({ priceId: given.here.priceId, quantity: 1 })
      await given.work()
      given.meddle(({ path }) => {
        if (!path.startsWith('/api/orders')) return 'pass'
        return ({ status, body }) => {
          const at = body.orders[0].createdAt as string
          const [first, second] = body.orders.map((each: object) => ({ ...each, createdAt: at }))
          const since = /since=(.+)$/.exec(path)?.[1]
          const early = strangers(499, new Date(Date.parse(at) - MINUTE_MS).toISOString())
          return { status, body: { orders: since === at ? [first, second] : [...early, first] } }
        }
      })
      await given.pass(DAY_MS)
      expect(await linkOf(given)).toMatchObject({ compared: { orders: 2, sum: 320, gone: [], strange: 0 } })
    }))

  // RocketChat.ReactNative #7506: the mark moved on before the last page had come
  test('a later page that fails leaves all to be read again', () =>
    withSuppliers(async (given) => {
      await restoreBefore(given, 'gone')
      const early = strangers(500, '2020-01-01T00:00:00.000Z')
      given.meddle(({ path }) => {
        if (!path.startsWith('/api/orders')) return 'pass'
        return path.includes('since=') ? { status: 503 } : ({ status }) => ({ status, body: { orders: early } })
      })
      await turnOn(given)
      await given.work()
      expect(await linkOf(given)).toMatchObject({ comparesFirst: true })
      given.meddle(() => 'pass')
      await given.pass(6 * MINUTE_MS)
      await given.pass(6 * SECOND_MS)
      await expectEqualBooks(given, 3)
    }))

  test.each([2 * DAY_MS, -400 * DAY_MS])('their clock may differ by %d ms', (aheadMs) =>
    withSuppliers(async (given) => {
      const shifted = () =>
        given.meddle(({ path }) =>
          path.startsWith('/api/orders')
            ? ({ status, body }) => ({
                status,
                body: {
                  orders: body.orders.map((each: { createdAt: string }) => {
                    return { ...each, createdAt: new Date(Date.parse(each.createdAt) + aheadMs).toISOString() }
                  }),
                },
              })
            : 'pass',
        )
      shifted()
      await given.work()
      await given.pass(DAY_MS)
      await restoreAfter(given)
      shifted()
      await turnOn(given)
      await given.work()
      await given.pass(6 * SECOND_MS)
      await expectEqualBooks(given, 4)
    }),
  )

  /** One more is bought there, and is gone here. */
  async function restoreAfter(given: Supplied) {
    const { db } = given.here.store
    given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
    await (await logIn(given.here)).supply.order({ priceId: given.here.priceId, quantity: 1 })
    await given.work()
    await db.run(sql`delete from supply_orders where state = 'asked'`)
    await db.transaction((tx) => pauseEveryLink(tx))
  }

  // dujiao-next #129: what the supplier gave back stood in no book of the shop that had bought
  test('a refund that comes days later is shown', () =>
    withSuppliers(async (given) => {
      const { reseller, shop } = given.there
      await given.work()
      await given.pass(5 * DAY_MS)
      await logIn(given.there)
      const [key] = await reseller.api.keys.mine()
      const claim = await reseller.api.claims.open({ keyId: key?._id ?? '', reason: 'never-worked' })
      await shop.owner.api.claims.refund({ id: claim._id, rule: 'full', expected: 80 })
      await given.pass(DAY_MS)
      await turnOn(given)
      expect(await linkOf(given)).toMatchObject({ compared: { orders: 1, sum: 240, refunded: 80, cost: [] } })
      expect(await given.told()).toEqual([])
    }))
})
