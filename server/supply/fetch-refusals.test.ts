/** Whom the store orders nothing for. */
import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { unique } from '../../test/worlds/constants.ts'
import { ask, keysOf, wishOf, withFetches } from '../../test/worlds/fetches.ts'
import { CAP, DURATION, PRICE, THEIR_PRICE } from '../../test/worlds/suppliers.ts'

test('each says why, and nothing is ordered', () =>
  withFetches(async (given) => {
    const { here } = given
    const buyer = await here.shop.buyer({ balance: PRICE })
    const code = async (wish: object) => {
      const { status, body } = await buyer.post('/waiting', { ...wishOf(given), ...wish })
      return body.code ?? status
    }
    expect(await code({ quantity: 6, autoMax: 9_999 })).toBe('NOT_FETCHABLE')
    expect(await code({ quantity: 11 })).toBe('INVALID_INPUT')
    expect(await code({ autoMax: undefined })).toBe('INVALID_INPUT')
    expect(await code({ autoMax: PRICE - 1 })).toBe('PRICE_CHANGED')
    expect(await buyer.post('/waiting', wishOf(given, 2))).toMatchObject({
      body: { code: 'INSUFFICIENT_BALANCE', shortfall: PRICE },
    })
    await here.shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [here.productId] })
    expect(await code({})).toBe('PRODUCT_NOT_FOUND')
    await here.shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [] })
    await here.shop.owner.api.keys.add({ productId: here.productId, duration: DURATION, keys: [unique('K-')] })
    expect(await code({})).toBe('IN_STOCK')
    await given.work()
    expect(await given.orders()).toEqual([])
  }))

test('who gave up three of a day orders no more until the next', () =>
  withFetches(async (given) => {
    const buyer = await given.here.shop.buyer({ balance: PRICE })
    for (const _ of [1, 2, 3]) await buyer.api.waiting.leave({ id: (await ask(given, buyer)).body._id })
    expect((await ask(given, buyer)).body.code).toBe('TOO_MANY_FETCHES')
    await given.pass(DAY_MS)
    expect((await ask(given, buyer)).status).toBe(201)
  }))

test('one repeated call is one, and another under its key is refused', () =>
  withFetches(async (given) => {
    const buyer = await given.here.shop.buyer({ balance: 5 * PRICE })
    const first = await ask(given, buyer, 1, 'once')
    expect((await ask(given, buyer, 1, 'once')).body).toEqual(first.body)
    expect((await ask(given, buyer, 2, 'once')).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    await given.work()
    expect((await ask(given, buyer, 1, 'once')).body._id).toBe(first.body._id)
    await given.work()
    expect([await keysOf(buyer), (await given.orders()).length]).toEqual([1, 1])
  }))

test('a second order is refused while the first is open, whatever it is for', () =>
  withFetches(async (given) => {
    const { here, there, link } = given
    const theirs = await there.shop.product({ prices: { [DURATION]: THEIR_PRICE }, stock: 5, name: unique('Theirs ') })
    const ours = await here.shop.product({ prices: { [DURATION]: PRICE }, name: unique('Ours ') })
    // Reads their list again
    await given.pass(MINUTE_MS)
    await here.shop.owner.api.supply.saveSource({
      priceId: ours.prices[0]?._id ?? '',
      linkId: link._id,
      theirProduct: theirs._id,
      theirDuration: DURATION,
      max: CAP,
      keep: 0,
      forBuyers: 5,
    })
    await given.work()
    const buyer = await here.shop.buyer({ balance: 5 * PRICE })
    const second = () => buyer.post('/waiting', { ...wishOf(given), productId: ours._id })
    expect((await ask(given, buyer)).status).toBe(201)
    expect((await second()).body.code).toBe('FETCH_OPEN')
    await given.work()
    expect(await keysOf(buyer)).toBe(1)
    expect((await second()).status).toBe(201)
  }))
