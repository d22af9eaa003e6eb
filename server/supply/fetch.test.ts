/** What a buyer orders while it is not in stock: bought at the supplier for him, and paid when it is here. */
import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { unique } from '../../test/worlds/constants.ts'
import {
  ask,
  balanceOf,
  fetchOf,
  inStock,
  keysOf,
  priceOf,
  toldOf,
  vainOf,
  withFetches,
} from '../../test/worlds/fetches.ts'
import { aReseller, programWith, TOKEN_FORM } from '../../test/worlds/resellers.ts'
import { DURATION, PRICE, THEIR_PRICE, whileWorking, type withSuppliers } from '../../test/worlds/suppliers.ts'

describe('what can be ordered', () => {
  test('stands with the price, for people, while the supplier has it', () =>
    withFetches(
      async (given) => {
        const { here, link } = given
        const buyer = await here.shop.buyer()
        const fetch = { upTo: 4, seconds: 5 }
        expect(await priceOf(given, buyer)).toMatchObject({ available: 0, fetch })
        expect(await priceOf(given, here.shop.visitor())).toMatchObject({ fetch })
        const reseller = await aReseller(here.shop)
        const { token } = await reseller.api.sessions.makeToken(TOKEN_FORM)
        const { body } = await programWith(here.shop, token).get('/products')
        expect(body[0].prices[0]).not.toHaveProperty('fetch')
        expect(await priceOf(given, reseller)).toMatchObject({ fetch })

        await given.save({ forBuyers: 2 })
        await given.work()
        expect(await priceOf(given, buyer)).toMatchObject({ fetch: { upTo: 2 } })
        const { sources } = await here.shop.owner.api.supply.sources()
        expect(sources).toMatchObject([{ forBuyers: 2 }])
        // It stays where a form does not name it
        const [source] = sources
        if (!source) throw new Error('No source')
        const { linkId, theirProduct, theirDuration, max } = source
        const form = { priceId: here.priceId, linkId, theirProduct, theirDuration, max, keep: 0 }
        expect(await here.shop.owner.api.supply.saveSource(form)).toMatchObject({ forBuyers: 2 })
        await here.shop.owner.api.supply.changeLink({ id: link._id, on: false })
        await given.work()
        expect(await priceOf(given, buyer)).not.toHaveProperty('fetch')
      },
      { stock: 4 },
    ))

  test.each<[string, Parameters<typeof withSuppliers>[1], number]>([
    ['what the day’s budget has left', { dayMax: 250 }, 2],
    ['what lies in the wallet there', { balance: 170 }, 2],
    ['nothing where the owner has not said so', { forBuyers: 0 }, 0],
  ])('is at most %s', (_, options, upTo) =>
    withFetches(async (given) => {
      const price = await priceOf(given, await given.here.shop.buyer())
      expect(price?.fetch?.upTo ?? 0).toBe(upTo)
    }, options),
  )

  test('is nothing for who pays less than it costs there', () =>
    withFetches(async (given) => {
      const { here } = given
      const buyer = await here.shop.buyer({ balance: 500 })
      const own = { productId: here.productId, duration: DURATION, price: THEIR_PRICE - 1 }
      await here.shop.owner.api.users.update({ id: buyer.id, customPrices: [own] })
      expect(await priceOf(given, buyer)).not.toHaveProperty('fetch')
      expect((await ask(given, buyer)).body.code).toBe('NOT_FETCHABLE')
    }))
})

test('the keys come, and only then the buyer pays, though the store buys for nobody else who waits', () =>
  withFetches(async (given) => {
    const buyer = await given.here.shop.buyer({ balance: 1_000 })
    expect(await vainOf(given)).toBeUndefined()
    expect((await ask(given, buyer, 2)).status).toBe(201)
    expect(await fetchOf(buyer)).toMatchObject({ state: 'coming', quantity: 2, amount: 240, seconds: 5 })
    expect(await buyer.api.waiting.mine()).toMatchObject([{ fetch: 'coming', autoMax: 240 }])
    expect(await balanceOf(buyer)).toBe(1_000)
    await given.work()
    const fetch = await fetchOf(buyer)
    const [order] = (await buyer.api.orders.mine({})).orders
    expect(fetch).toMatchObject({ state: 'bought', amount: 240, orderId: order?._id })
    expect([await balanceOf(buyer), await keysOf(buyer), await inStock(given)]).toEqual([760, 2, 0])
    expect(await buyer.api.waiting.mine()).toEqual([])
    expect(await vainOf(given)).toEqual({ count: 0, of: 1 })
    expect(await toldOf(given, buyer)).toEqual(['waiting.bought'])
    await given.pass(HOUR_MS)
    expect(await fetchOf(buyer)).toBeNull()
  }))

test('it is ordered at once, before the worker’s next look', () =>
  withFetches((given) =>
    whileWorking(given, async () => {
      const buyer = await given.here.shop.buyer({ balance: PRICE })
      await ask(given, buyer)
      await expect.poll(() => keysOf(buyer), { timeout: 3 * SECOND_MS }).toBe(1)
    }),
  ))

test('what a walk-in takes in between is ordered again, and what comes in parts is sold from stock', () =>
  withFetches(
    async (given) => {
      const { here, there } = given
      const buyer = await here.shop.buyer({ balance: 1_000 })
      expect((await ask(given, buyer, 2)).status).toBe(201)
      // One of two is missing
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
      await given.work()
      const walkIn = await here.shop.buyer({ balance: PRICE })
      await walkIn.api.orders.place({ productId: here.productId, duration: DURATION, quantity: 1 })
      given.meddle(() => 'pass')
      await given.pass(5 * SECOND_MS)
      await given.work()
      expect([await keysOf(buyer), await inStock(given)]).toEqual([2, 0])
      expect(await there.reseller.api.keys.mine()).toHaveLength(2)
    },
    { own: 1 },
  ))

test('a place that waits for a message becomes it and keeps its turn; one that may buy stays', () =>
  withFetches(async (given) => {
    const { here } = given
    const buyer = await here.shop.buyer({ balance: 1_000 })
    const { productId } = here
    const { _id } = await buyer.api.waiting.wait({ productId, duration: DURATION, quantity: 3 })
    const other = await here.shop.buyer()
    await other.api.waiting.wait({ productId, duration: DURATION })
    expect((await ask(given, buyer)).body).toEqual({ _id, place: 1, ahead: 0 })
    expect(await buyer.api.waiting.mine()).toMatchObject([{ _id, quantity: 1, fetch: 'coming' }])
    await here.shop.owner.api.waiting.saveSettings({ autoBuy: true })
    const auto = await here.shop.buyer({ balance: 1_000 })
    await auto.api.waiting.wait({ productId, duration: DURATION, autoMax: 500 })
    expect((await ask(given, auto)).body.code).toBe('ALREADY_WAITING')
  }))

describe('it ends without a purchase', () => {
  test('after ten minutes; what comes then is stock, and its buyer gets a message', () =>
    withFetches(async (given) => {
      const buyer = await given.here.shop.buyer({ balance: PRICE })
      await ask(given, buyer)
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
      await given.work()
      await given.pass(10 * MINUTE_MS - 1)
      expect(await fetchOf(buyer)).toMatchObject({ state: 'coming' })
      await given.pass(1)
      expect(await fetchOf(buyer)).toMatchObject({ state: 'ended', reason: 'late' })
      expect(await buyer.api.waiting.mine()).toMatchObject([{ autoMax: null, fetch: 'late' }])
      given.meddle(() => 'pass')
      await given.pass(5 * MINUTE_MS)
      expect([await keysOf(buyer), await balanceOf(buyer), await inStock(given)]).toEqual([0, PRICE, 1])
      expect(await vainOf(given)).toEqual({ count: 1, of: 1 })
      expect(await toldOf(given, buyer)).toEqual(['fetch.ended', 'stock.back'])
      // It bought nothing, so it does not count against him
      const [own] = await buyer.api.waiting.mine()
      await buyer.api.waiting.leave({ id: own?._id ?? '' })
      expect(await fetchOf(buyer)).toBeNull()
    }))

  test('when the supplier has just run out', () =>
    withFetches(
      async (given) => {
        const { there } = given
        const buyer = await given.here.shop.buyer({ balance: PRICE })
        await ask(given, buyer)
        const rival = await there.shop.buyer({ balance: THEIR_PRICE })
        await rival.api.orders.place({ productId: there.productId, duration: DURATION, quantity: 1 })
        await given.work()
        expect(await given.orders()).toMatchObject([{ state: 'refused', why: 'stock' }])
        expect(await fetchOf(buyer)).toMatchObject({ state: 'ended', reason: 'supplier' })
        expect(await toldOf(given, buyer)).toEqual(['fetch.ended'])
        expect((await ask(given, buyer)).body.code).toBe('NOT_FETCHABLE')
        // Nothing came, so nothing came in vain
        expect(await vainOf(given)).toEqual({ count: 0, of: 1 })
      },
      { stock: 1 },
    ))

  test('when the money is gone as the keys come, and they are stock', () =>
    withFetches(async (given) => {
      const { here } = given
      const buyer = await here.shop.buyer({ balance: PRICE })
      await ask(given, buyer)
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
      await given.work()
      const other = await here.shop.product({ prices: { [DURATION]: 100 }, stock: 1 })
      await buyer.api.orders.place({ productId: other._id, duration: DURATION, quantity: 1 })
      given.meddle(() => 'pass')
      await given.pass(5 * SECOND_MS)
      expect(await fetchOf(buyer)).toMatchObject({ state: 'ended', reason: 'short' })
      expect(await toldOf(given, buyer)).toEqual(['fetch.ended', 'stock.back'])
      expect([await balanceOf(buyer), await inStock(given)]).toEqual([20, 1])
    }))

  test('when its buyer leaves, or has bought the duration himself', () =>
    withFetches(async (given) => {
      const { here } = given
      const [leaving, hasty] = [
        await here.shop.buyer({ balance: PRICE }),
        await here.shop.buyer({ balance: 2 * PRICE }),
      ]
      const { _id } = (await ask(given, leaving)).body
      await ask(given, hasty)
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
      await given.work()
      await leaving.api.waiting.leave({ id: _id })
      expect(await fetchOf(leaving)).toBeNull()
      await here.shop.owner.api.keys.add({ productId: here.productId, duration: DURATION, keys: [unique('K-')] })
      // That import was his
      expect([await keysOf(hasty), await balanceOf(hasty)]).toEqual([1, PRICE])
      given.meddle(() => 'pass')
      await given.pass(5 * SECOND_MS)
      expect([await keysOf(leaving), await keysOf(hasty), await inStock(given)]).toEqual([0, 1, 2])
      expect(await vainOf(given)).toEqual({ count: 1, of: 2 })
    }))

  test('when it costs more by then than its buyer saw, and what comes is stock', () =>
    withFetches(async (given) => {
      const { here } = given
      const buyer = await here.shop.buyer({ balance: 1_000 })
      await ask(given, buyer)
      given.meddle(({ number }) => (number === undefined ? 'pass' : 'lose answer'))
      await given.work()
      const prices = [{ _id: here.priceId, duration: DURATION, price: PRICE + 1 }]
      await here.shop.owner.api.catalogue.update({ id: here.productId, prices })
      given.meddle(() => 'pass')
      await given.pass(5 * SECOND_MS)
      expect([await keysOf(buyer), await balanceOf(buyer), await inStock(given)]).toEqual([0, 1_000, 1])
      await given.pass(10 * MINUTE_MS)
      expect(await fetchOf(buyer)).toMatchObject({ state: 'ended', reason: 'late' })
    }))

  test('when its buyer has bought the duration himself, and what comes is stock', () =>
    withFetches(
      async (given) => {
        const { here } = given
        const buyer = await here.shop.buyer({ balance: 5 * PRICE })
        const wanted = { productId: here.productId, duration: DURATION }
        await ask(given, buyer, 2)
        await buyer.api.orders.place({ ...wanted, quantity: 1 })
        await here.shop.owner.api.keys.add({ ...wanted, keys: [unique('K-'), unique('K-')] })
        await given.work()
        expect([await keysOf(buyer), await balanceOf(buyer), await inStock(given)]).toEqual([1, 4 * PRICE, 2])
      },
      { own: 1 },
    ))

  test('when its buyer has bought the duration himself, without a word that it does not come', () =>
    withFetches(
      async (given) => {
        const { here, there } = given
        const buyer = await here.shop.buyer({ balance: 3 * PRICE })
        await ask(given, buyer, 2)
        await buyer.api.orders.place({ productId: here.productId, duration: DURATION, quantity: 1 })
        const rival = await there.shop.buyer({ balance: 2 * THEIR_PRICE })
        await rival.api.orders.place({ productId: there.productId, duration: DURATION, quantity: 2 })
        // Their list is read again
        await given.pass(MINUTE_MS)
        expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([1, 2 * PRICE])
        expect(await toldOf(given, buyer)).toEqual([])
      },
      { own: 1, stock: 2 },
    ))

  test('a price there that rose is asked for again within the limit, and the buyer waits for it', () =>
    withFetches(async (given) => {
      const { there } = given
      const buyer = await given.here.shop.buyer({ balance: PRICE })
      await ask(given, buyer)
      const { api } = there.shop.owner
      const product = (await api.catalogue.list()).find(({ _id }) => _id === there.productId)
      const prices = (product?.prices ?? []).map(({ _id, duration }) => ({ _id, duration, price: 95 }))
      await api.catalogue.update({ id: there.productId, prices })
      await given.work()
      expect(await given.orders()).toMatchObject([{ state: 'refused', why: 'price' }])
      expect(await fetchOf(buyer)).toMatchObject({ state: 'coming' })
      await given.pass(MINUTE_MS)
      expect(await fetchOf(buyer)).toMatchObject({ state: 'bought' })
    }))
})
