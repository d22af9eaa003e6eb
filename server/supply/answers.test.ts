/** What each answer of a supplier is taken for, and what one who lies can do. */
import { describe, expect, test } from 'vitest'
import { DURATION, withSuppliers, type Meddling, type Supplied } from '../../test/worlds/suppliers.ts'
import { aReseller, TOKEN_FORM } from '../../test/worlds/resellers.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'

const onlyPurchases = (given: Supplied, how: Meddling) =>
  given.meddle(({ number }) => (number === undefined ? 'pass' : how))
const stateOf = async (given: Supplied) => (await given.orders()).map(({ state, why }) => `${state} ${why}`)
const linkOf = async ({ here }: Supplied) => (await here.shop.owner.api.supply.links()).links[0]

describe('decided: nothing was bought', () => {
  const REFUSALS: [code: string, status: number, why: string][] = [
    ['OUT_OF_STOCK', 409, 'stock'],
    ['PRICE_CHANGED', 409, 'price'],
    ['INVALID_PRICE', 409, 'gone'],
    ['PRODUCT_NOT_FOUND', 404, 'gone'],
    ['INSUFFICIENT_BALANCE', 409, 'balance'],
    ['LIMIT_REACHED', 409, 'limit'],
    ['TRIAL_REFUSED', 409, 'limit'],
  ]
  test.each(REFUSALS)('%s', (code, status, why) =>
    withSuppliers(async (given) => {
      onlyPurchases(given, { status, body: { code, message: 'No' } })
      await given.work()
      expect(await stateOf(given)).toEqual([`refused ${why}`])
      // Who goes on refusing what the list says is asked at most once a minute, or not at all
      await given.pass(MINUTE_MS)
      await given.pass(MINUTE_MS)
      const asked = given.purchases.length
      expect(asked).toBe(why === 'stock' || why === 'balance' ? 3 : 1)
      expect(new Set(given.purchases.map(({ number }) => number)).size).toBe(asked)
      expect((await given.books()).had).toEqual([])
    }),
  )

  test('a real refusal: the last key was sold to somebody else', () =>
    withSuppliers(
      async (given) => {
        const { there } = given
        const other = await there.shop.buyer({ balance: 1_000 })
        await other.api.orders.place({ productId: there.productId, duration: DURATION, quantity: 2 })
        await given.work()
        expect(await stateOf(given)).toEqual(['refused stock'])
        await given.pass(MINUTE_MS)
        expect(await given.orders()).toMatchObject([{ state: 'came', quantity: 1 }, { state: 'refused' }])
      },
      { stock: 3 },
    ))
})

describe('not known: asked again under the same number', () => {
  const placed = (keys: unknown[], more: object = {}) => ({
    status: 200,
    body: { keys: keys.map((key) => ({ key })), order: { _id: 'x', unitPrice: 80, quantity: keys.length, ...more } },
  })
  const ANSWERS: Record<string, [Meddling, string]> = {
    'a token that is refused': [{ status: 401, body: { code: 'TOKEN_INVALID' } }, 'token'],
    'a token that may not': [{ status: 403, body: { code: 'TOKEN_REFUSED' } }, 'token'],
    'too many calls': [{ status: 429, body: { code: 'RATE_LIMITED' } }, 'busy'],
    'a busy store': [{ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } }, 'busy'],
    'a failure': [{ status: 500, body: { code: 'OUT_OF_STOCK' } }, 'silent'],
    'a page of a proxy': [{ status: 502, body: '<html>Bad gateway</html>' }, 'silent'],
    'a number used for another order': [{ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }, 'unreadable'],
    'another refusal': [{ status: 400, body: { code: 'INVALID_INPUT' } }, 'unreadable'],
    'a code of the prototype': [{ status: 409, body: { code: 'constructor' } }, 'unreadable'],
    'a redirect': [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, 'unreadable'],
    'a success without a body': [{ status: 200, body: '' }, 'unreadable'],
    'a page': [{ status: 200, body: '<html>OUT_OF_STOCK</html>' }, 'unreadable'],
    'a byte order mark': [{ status: 200, body: '\u{FEFF}{}' }, 'unreadable'],
    'another type': [{ status: 200, body: { keys: 'KEY-1', order: null } }, 'unreadable'],
    'a deep one': [{ status: 200, body: '['.repeat(200_000) }, 'unreadable'],
    'a huge one': [{ status: 200, body: `{"keys":"${'x'.repeat(3_000_000)}"}` }, 'unreadable'],
    'no price': [placed(['A', 'B', 'C'], { unitPrice: null }), 'unreadable'],
    'a price below nothing': [placed(['A', 'B', 'C'], { unitPrice: -1 }), 'unreadable'],
    'no keys': [placed([]), 'keys'],
    'fewer keys': [placed(['A', 'B']), 'keys'],
    'more keys': [placed(['A', 'B', 'C', 'D']), 'keys'],
    'another number of keys': [placed(['A', 'B', 'C'], { quantity: 4 }), 'keys'],
    'two lines in one key': [placed(['A', 'B', 'C\nD']), 'keys'],
    'a long key': [placed(['A', 'B', 'C'.repeat(257)]), 'keys'],
    'an empty key': [placed(['A', 'B', '']), 'keys'],
    'a control sign': [placed(['A', 'B', 'C\u{7}']), 'keys'],
  }
  test.each(Object.keys(ANSWERS))('%s', (name) =>
    withSuppliers(async (given) => {
      const [answer, why] = ANSWERS[name] ?? ['pass', '']
      onlyPurchases(given, answer)
      await given.work()
      expect(await stateOf(given)).toEqual([`asked ${why}`])
      expect(await given.here.store.db.count(sql`select count(*) from license_keys`)).toBe(0)
      await given.pass(6 * SECOND_MS)
      expect(given.purchases).toHaveLength(2)
      expect(new Set(given.purchases.map(({ number }) => number)).size).toBe(1)
      onlyPurchases(given, 'pass')
      await given.pass(15 * SECOND_MS)
      const { bought, had } = await given.books()
      expect([had.length, had]).toEqual([3, bought])
    }),
  )

  test('a pause that the supplier asks for is kept, up to five minutes', () =>
    withSuppliers(async (given) => {
      const pausing = (seconds: string) => ({ status: 429, headers: { 'retry-after': seconds }, body: {} })
      onlyPurchases(given, pausing('90'))
      await given.work()
      await given.pass(80 * SECOND_MS)
      expect(given.purchases).toHaveLength(1)
      onlyPurchases(given, pausing('999999999'))
      await given.pass(11 * SECOND_MS)
      await given.pass(5 * MINUTE_MS)
      expect(given.purchases).toHaveLength(3)
    }))

  test('a pause until a moment is kept by their clock, which is another one', () =>
    withSuppliers(async (given) => {
      const [date, after] = ['Sat, 01 Jan 2000 00:00:00 GMT', 'Sat, 01 Jan 2000 00:01:30 GMT']
      onlyPurchases(given, { status: 503, headers: { date, 'retry-after': after }, body: {} })
      await given.work()
      await given.pass(80 * SECOND_MS)
      expect(given.purchases).toHaveLength(1)
      await given.pass(11 * SECOND_MS)
      expect(given.purchases).toHaveLength(2)
    }))

  test.each(['soon', '-5', '0', 'Wed, 99 Nov 2026 00:00:00 GMT', 'Sat, 01 Jan 2000 00:00:00 GMT'])(
    'a pause until %j is none, and does not hurry',
    (after) =>
      withSuppliers(async (given) => {
        onlyPurchases(given, { status: 429, headers: { 'retry-after': after }, body: {} })
        await given.work()
        await given.pass(4 * SECOND_MS)
        expect(given.purchases).toHaveLength(1)
        await given.pass(2 * SECOND_MS)
        expect(given.purchases).toHaveLength(2)
      }),
  )
})

describe('a supplier who lies', () => {
  test('about the price: the keys are kept at what they cost, and it pauses', () =>
    withSuppliers(async (given) => {
      onlyPurchases(given, ({ status, body }) => ({
        status,
        body: { ...body, order: { ...body.order, unitPrice: 101 } },
      }))
      await given.work()
      expect(await given.orders()).toMatchObject([{ state: 'came', came: 3 }])
      expect(await linkOf(given)).toMatchObject({ on: false, pausedWhy: 'price', spentToday: 303 })
      expect(await given.told()).toEqual(['above-cap'])
    }))

  test('sends one key twice, in an answer or in the next: the others are kept, and it pauses', () =>
    withSuppliers(async (given) => {
      let seen: unknown[] = []
      onlyPurchases(given, ({ status, body }) => {
        if (seen.length === 0) seen = body.keys
        return { status, body: { ...body, keys: [seen[0], ...body.keys.slice(1)] } }
      })
      await given.work()
      expect(await given.orders()).toMatchObject([{ state: 'came', came: 3 }])
      await given.save({ keep: 5 })
      await given.work()
      expect((await given.orders())[0]).toMatchObject({ state: 'came', quantity: 2, came: 1 })
      expect(await linkOf(given)).toMatchObject({ on: false, pausedWhy: 'known-key' })
      expect(await given.told()).toEqual(['known-key'])
      await given.save({ keep: 50 })
      await given.pass(MINUTE_MS)
      expect(await given.orders()).toHaveLength(2)
      // The owner has looked at it, and it goes on
      onlyPurchases(given, 'pass')
      await given.here.shop.owner.api.supply.changeLink({ id: given.link._id, on: true })
      await given.save({ keep: 6 })
      await given.work()
      expect((await given.orders())[0]).toMatchObject({ state: 'came', quantity: 2, came: 2 })
    }))

  test('in a circle of two stores, the first key that comes home stops it', () =>
    withSuppliers(
      async (given) => {
        const { here, there } = given
        // The supplier keeps its shelf full from here
        const buyer = await aReseller(here.shop, { balance: 10_000 })
        await buyer.api.sessions.makeToken(TOKEN_FORM)
        const own = await here.shop.owner.api.keys.list({ productId: here.productId, duration: DURATION })
        const { keys } = await buyer.api.orders.place({ productId: here.productId, duration: DURATION, quantity: 2 })
        await there.shop.owner.api.keys.add({
          productId: there.productId,
          duration: DURATION,
          keys: keys.map(({ key }) => key),
        })
        await given.pass(MINUTE_MS)
        expect(own).toHaveLength(2)
        expect(await given.orders()).toMatchObject([{ state: 'came', quantity: 2, came: 0 }])
        expect(await linkOf(given)).toMatchObject({ on: false, pausedWhy: 'known-key' })
      },
      { stock: 0, own: 2, keep: 2 },
    ))

  test('an address that became a private one is not called, and it pauses', () =>
    withSuppliers(async (given) => {
      await given.here.store.db.run(sql`update supply_links set address = 'https://127.0.0.1'`)
      await given.work()
      expect(await linkOf(given)).toMatchObject({ on: false, pausedWhy: 'address' })
      expect([given.purchases, await given.told()]).toEqual([[], ['address']])
    }))

  test('one that is not there for three looks gets no order, and after half an hour it is told', () =>
    withSuppliers(
      async (given) => {
        given.meddle(() => 'lose request')
        for (let minute = 0; minute < 3; minute++) await given.pass(MINUTE_MS)
        await given.save({ keep: 3 })
        await given.pass(MINUTE_MS)
        expect([await given.orders(), await given.told()]).toEqual([[], []])
        expect(await linkOf(given)).toMatchObject({ on: true, failing: 'silent' })
        for (let minute = 0; minute < 31; minute++) await given.pass(MINUTE_MS)
        expect(await given.told()).toEqual(['silent'])
        given.meddle(() => 'pass')
        await given.pass(MINUTE_MS)
        expect(await given.orders()).toMatchObject([{ state: 'came' }])
      },
      { keep: 0 },
    ))

  test('a low balance is told once a day', () =>
    withSuppliers(
      async (given) => {
        await given.work()
        for (let n = 0; n < 3; n++) await given.pass(10 * MINUTE_MS)
        expect(await given.told()).toEqual(['low'])
      },
      { balance: 300, low: 100 },
    ))
})
