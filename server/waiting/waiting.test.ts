import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { paise } from '../../contract/money.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { unique } from '../../test/worlds/constants.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { listEndedPlaces, listOwnPlaces, takePlace } from './places.ts'
import { moveQueues } from './tell-queue.ts'

const duration = '10 Days'

interface Given {
  shop: Shop
  productId: string
  /** A buyer in the queue. */
  waits(options?: { balance?: number; autoMax?: number; quantity?: number }): Promise<Buyer>
  /** Adds keys. */
  arrive(count: number): Promise<unknown>
  /** Lets time pass, and the clock's work be done. */
  pass(ms: number): Promise<unknown>
  told(): Promise<{ kind: string; userId: string }[]>
  /** How each place ended, in the order of the queue. */
  ends(): Promise<(string | null)[]>
}

const withQueue = (work: (given: Given) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await shop.owner.api.waiting.saveSettings({ autoBuy: true })
    const { _id: productId } = await shop.product()
    const now = () => store.clock.now()
    await work({
      shop,
      productId,
      async waits({ balance = 0, ...wish } = {}) {
        const buyer = await shop.buyer({ balance })
        await buyer.api.waiting.wait({ productId, duration, ...wish })
        return buyer
      },
      arrive: (count) =>
        shop.owner.api.keys.add({ productId, duration, keys: Array.from({ length: count }, () => unique('K-')) }),
      pass(ms) {
        store.clock.advance(ms)
        return moveQueues(store.db, now())
      },
      told: () =>
        store.db.rows(sql(z.object({ kind: z.string(), userId: z.string() }))`
          select kind, user_id as "userId" from outbox_messages where kind in ('stock.back', 'waiting.bought')
           order by created_at, id`),
      ends: async () =>
        (
          await store.db.rows(sql(z.object({ reason: z.nullable(z.string()) }))`
            select end_reason as reason from waiting_places order by seq`)
        ).map(({ reason }) => reason),
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

const keysOf = async (buyer: Buyer) => (await buyer.api.keys.mine()).length

test('every end that the buyer did not choose is said for a week, unless they bought or wait again', () =>
  withQueue(async ({ shop, productId, waits, arrive, pass, ends }) => {
    const told = await waits()
    const short = await waits({ autoMax: 100 })
    const left = await waits()
    const [place] = await left.api.waiting.mine()
    await left.api.waiting.leave({ id: place?._id ?? '' })
    for (const _ of [1, 2, 3]) {
      await arrive(3)
      await pass(31 * MINUTE_MS)
    }
    await pass(31 * MINUTE_MS)
    expect(await ends()).toEqual(['told', 'short', 'left'])
    const said = ({ id }: Buyer) => listEndedPlaces(shop.store.db, id, shop.store.clock.now())
    expect(await told.api.waiting.ended({})).toEqual(await said(told))
    expect(await said(told)).toMatchObject([{ reason: 'told', duration, quantity: 1 }])
    expect(await said(short)).toMatchObject([{ reason: 'short' }])
    expect(await said(left)).toEqual([])

    await told.api.waiting.wait({ productId, duration, quantity: 10 })
    expect(await said(told)).toEqual([])
    await shop.owner.api.users.update({ id: told.id, hiddenProducts: [productId] })
    await pass(MINUTE_MS)
    expect(await said(told)).toMatchObject([{ reason: 'gone' }])
    await pass(7 * DAY_MS)
    expect([...(await said(told)), ...(await said(short))]).toEqual([])
  }))

test('a place says when the store’s leave to buy was over', () =>
  withQueue(async ({ shop, waits, pass }) => {
    const buyer = await waits({ autoMax: 100 })
    expect((await buyer.api.waiting.mine())[0]).not.toHaveProperty('autoEndedAt')
    await pass(31 * DAY_MS)
    expect(await listOwnPlaces(shop.store.db, buyer.id, shop.store.clock.now())).toMatchObject([
      { autoMax: null, autoUntil: null, autoEndedAt: expect.any(String) },
    ])
  }))

test('a place keeps the store’s spelling of a duration', () =>
  withQueue(async ({ shop, productId, arrive, pass, ends }) => {
    const buyer = await shop.buyer({ balance: 100 })
    await buyer.api.waiting.wait({ productId, duration: '10days', autoMax: 100 })
    await pass(MINUTE_MS)
    expect(await ends()).toEqual([null])
    await arrive(1)
    expect(await keysOf(buyer)).toBe(1)
  }))

test('the queue has an order, and who leaves makes room', () =>
  withQueue(async ({ shop, waits }) => {
    const [first, second] = [await waits({ quantity: 3 }), await waits()]
    expect(await second.api.waiting.mine()).toMatchObject([{ place: 2, ahead: 1, quantity: 1, autoMax: null }])
    const [own] = await first.api.waiting.mine()
    expect((await second.delete(`/waiting/${own?._id}`)).status).toBe(404)
    await first.api.waiting.leave({ id: own?._id ?? '' })
    expect(await second.api.waiting.mine()).toMatchObject([{ place: 1, ahead: 0 }])
    expect(await shop.owner.api.waiting.demand({})).toMatchObject({ demand: [{ people: 1, keys: 1, ready: 0 }] })
  }))

test('what is in stock, hidden, without a price or too much is refused', () =>
  withQueue(async ({ shop, productId }) => {
    const buyer = await shop.buyer()
    const free = await shop.product({ prices: { [duration]: 0 } })
    const hidden = await shop.product()
    await shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [hidden._id] })
    const asked = (wish: object) => buyer.post('/waiting', { productId, duration, ...wish })
    expect(await asked({ productId: free._id })).toMatchObject({ status: 404 })
    expect(await asked({ productId: hidden._id })).toMatchObject({ status: 404 })
    for (const quantity of [0, 11, 1.5]) expect(await asked({ quantity })).toMatchObject({ status: 400 })
    for (const autoMax of [0, -1, 'x']) expect(await asked({ autoMax })).toMatchObject({ status: 400 })
  }))

test('the queue of a product that is not listed pauses, and goes on when it is listed again', () =>
  withQueue(async ({ shop, productId, waits, arrive, pass, told, ends }) => {
    const [first, second] = [await waits({ balance: 500, autoMax: 200 }), await waits()]
    await shop.owner.api.catalogue.update({ id: productId, isListed: false })
    await arrive(3)
    await pass(MINUTE_MS)
    expect(await told()).toEqual([])
    expect(await ends()).toEqual([null, null])
    expect(await keysOf(first)).toBe(0)
    expect(await second.api.waiting.mine()).toMatchObject([{ place: 2, paused: true }])
    expect((await second.post('/waiting', { productId, duration })).status).toBe(404)

    await shop.owner.api.catalogue.update({ id: productId, isListed: true })
    await pass(MINUTE_MS)
    expect((await told()).map(({ userId }) => userId)).toEqual([first.id, second.id])
    expect((await second.api.waiting.mine())[0]).not.toHaveProperty('paused')
  }))

test('nobody is told of keys that are not for sale, and their places stay', () =>
  withQueue(async ({ shop, productId, waits, arrive, pass, told, ends }) => {
    const [first, second] = [await waits(), await waits()]
    const { db } = shop.store
    await db.run(sql`
      insert into custom_prices (user_id, price_id, paise)
      select ${first.id}, id, 0 from prices where product_id = ${productId}`)
    await arrive(1)
    expect((await told()).map(({ userId }) => userId)).toEqual([second.id])
    await db.run(sql`delete from custom_prices`)
    await db.run(sql`update prices set list_paise = 0`)
    await pass(31 * MINUTE_MS)
    expect(await told()).toHaveLength(1)
    await db.run(sql`update prices set list_paise = 100`)
    await pass(MINUTE_MS)
    expect((await told()).map(({ userId }) => userId)).toEqual([second.id, first.id])
    expect(await ends()).toEqual([null, null])
  }))

test('as many are told as keys came, and the next after half an hour, as many as are left', () =>
  withQueue(async ({ shop, productId, waits, arrive, pass, told }) => {
    const [first, second, third, fourth] = [await waits({ balance: 100 }), await waits(), await waits(), await waits()]
    await arrive(2)
    expect((await told()).map(({ userId }) => userId)).toEqual([first.id, second.id])
    await first.api.orders.place({ productId, duration, quantity: 1 })
    await pass(29 * MINUTE_MS)
    expect(await told()).toHaveLength(2)
    await pass(MINUTE_MS)
    expect((await told()).slice(2).map(({ userId }) => userId)).toEqual([third.id])
    expect(await first.api.waiting.mine()).toEqual([])
    const last = await shop.buyer({ balance: 100 })
    await last.api.orders.place({ productId, duration, quantity: 1 })
    await pass(30 * MINUTE_MS)
    // Out of stock, so nobody gets a message
    expect((await told()).some(({ userId }) => userId === fourth.id)).toBe(false)
  }))

test('who was told three times and bought nothing leaves the queue, and so does who waits for 90 days', () =>
  withQueue(async ({ shop, productId, waits, arrive, pass, ends }) => {
    await waits()
    const sellOut = async () => {
      const walkIn = await shop.buyer({ balance: 100 })
      await walkIn.api.orders.place({ productId, duration, quantity: 1 })
    }
    for (const count of [1, 2, 3]) {
      await arrive(1)
      await sellOut()
      await pass(31 * MINUTE_MS)
      expect(await ends()).toEqual([count === 3 ? 'told' : null])
    }
    await waits()
    await pass(90 * DAY_MS)
    expect(await ends()).toEqual(['told', 'expired'])
    await pass(91 * DAY_MS)
    expect(await ends()).toEqual([])
  }))

test('the store buys in the order of the queue, for who can pay and not above what was allowed', () =>
  withQueue(async ({ waits, arrive, told, ends }) => {
    const poor = await waits({ balance: 99, autoMax: 500 })
    const frugal = await waits({ balance: 500, autoMax: 99 })
    const plain = await waits({ balance: 500 })
    const rich = await waits({ balance: 500, autoMax: 200, quantity: 2 })
    const late = await waits({ balance: 500, autoMax: 100 })
    await arrive(2)
    expect(await Promise.all([poor, frugal, plain, rich, late].map(keysOf))).toEqual([0, 0, 0, 2, 0])
    expect(await ends()).toEqual([null, null, null, 'bought', null])
    expect(await told()).toEqual([
      { kind: 'waiting.bought', userId: rich.id },
      // The message says why nothing was bought
      { kind: 'stock.back', userId: poor.id },
    ])
    await arrive(4)
    expect(await ends()).toEqual(['short', null, null, 'bought', 'bought'])
    expect((await told()).slice(2)).toEqual([
      { kind: 'waiting.bought', userId: late.id },
      { kind: 'stock.back', userId: poor.id },
      { kind: 'stock.back', userId: frugal.id },
      { kind: 'stock.back', userId: plain.id },
    ])
  }))

test('strangers who fill the queue, without money or for ten keys each, keep nobody from being served or told', () =>
  withQueue(async ({ shop, productId, waits, arrive, told }) => {
    const { db, clock } = shop.store
    for (let count = 0; count < 55; count += 1) {
      const wish = { productId, duration, quantity: 10, ...(count < 54 && { autoMax: paise(1_000_000) }) }
      await takePlace(db, wish, { userId: await givenUser(db), now: clock.now() })
    }
    const honest = await waits({ balance: 100, autoMax: 100 })
    const patient = await waits({ balance: 100 })
    await arrive(3)
    expect(await Promise.all([honest, patient].map(keysOf))).toEqual([1, 0])
    // Two keys on sale are news for the stranger who waits for ten, and for the next in the queue
    expect((await told()).filter(({ userId }) => userId === patient.id)).toHaveLength(1)
  }))

test('who spent the money elsewhere gets nothing bought, and nobody pays a price that was raised since', () =>
  withQueue(async ({ shop, productId, waits, arrive, ends }) => {
    const spender = await waits({ balance: 100, autoMax: 100 })
    const other = await shop.product({ stock: 1 })
    await spender.api.orders.place({ productId: other._id, duration, quantity: 1 })
    const agreed = await waits({ balance: 500, autoMax: 100 })
    const [product] = (await shop.owner.api.catalogue.list()).filter(({ _id }) => _id === productId)
    const prices = product?.prices.map((each) => ({ ...each, price: 150 })) ?? []
    await shop.owner.api.catalogue.update({ id: productId, prices })
    await arrive(2)
    expect(await ends()).toEqual([null, null])
    expect((await agreed.api.sessions.me()).balance).toBe(500)
    expect((await spender.api.sessions.me()).balance).toBe(0)
  }))

test('a duration that was given another text is bought and told to nobody who waits for the old one', () =>
  withQueue(async ({ shop, productId, waits, arrive, pass, told, ends }) => {
    const buyer = await waits({ balance: 500, autoMax: 200 })
    const [product] = (await shop.owner.api.catalogue.list()).filter(({ _id }) => _id === productId)
    const renamed = (product?.prices ?? []).map(({ _id, price = 0 }) => ({ _id, price, duration: '1 Day' }))
    await shop.owner.api.catalogue.update({ id: productId, prices: renamed })
    await shop.owner.api.keys.add({ productId, duration: '1 Day', keys: [unique('K-')] })
    await pass(0)
    expect(await buyer.api.keys.mine()).toEqual([])
    expect([await told(), await ends()]).toEqual([[], ['gone']])
    await shop.owner.api.catalogue.update({ id: productId, prices: renamed.map((each) => ({ ...each, duration })) })
    await arrive(1)
    expect(await buyer.api.keys.mine()).toEqual([])
  }))

test('nobody is served before an earlier one who can pay and wants more than there is', () =>
  withQueue(async ({ waits, arrive, ends }) => {
    await waits({ balance: 300, autoMax: 300, quantity: 3 })
    await waits({ balance: 100, autoMax: 100 })
    await arrive(2)
    expect(await ends()).toEqual([null, null])
  }))

test('a queue longer than one transaction takes is served to its end, and a repeated import buys nothing twice', () =>
  withQueue(async ({ shop, productId, waits, ends }) => {
    // A busy machine refuses sixty passwords at once
    const buyers: Buyer[] = []
    for (let group = 0; group < 6; group++)
      buyers.push(...(await Promise.all(Array.from({ length: 10 }, () => waits({ balance: 100, autoMax: 100 })))))
    const batchId = crypto.randomUUID()
    const keys = Array.from({ length: 58 }, () => unique('K-'))
    const add = () => shop.owner.api.keys.add({ productId, duration, keys: ['SAME', ...keys, 'SAME2'], batchId })
    expect(await add()).toMatchObject({ added: 60, batchId })
    expect(await add()).toMatchObject({ added: 60, batchId })
    expect((await ends()).every((end) => end === 'bought')).toBe(true)
    expect(await Promise.all(buyers.map(keysOf))).toEqual(buyers.map(() => 1))
  }))

test('the leave to buy ends after 30 days, with the owner’s, and with the account', () =>
  withQueue(async ({ shop, waits, arrive, pass, ends }) => {
    await waits({ balance: 100, autoMax: 100 })
    await pass(31 * DAY_MS)
    await shop.owner.api.sessions.adminLogin({ username: 'owner', password: 'a long owner password' })
    const closing = await waits({ autoMax: 100 })
    await closing.api.privacy.closeAccount({ password: 'a long buyer password' })
    await waits({ balance: 100, autoMax: 100 })
    await shop.owner.api.waiting.saveSettings({ autoBuy: false })
    await arrive(1)
    expect(await ends()).toEqual([null, null, null])
    await shop.owner.api.waiting.saveSettings({ autoBuy: true })
    await arrive(1)
    expect(await ends()).toEqual([null, null, 'bought'])
    await pass(0)
    expect(await ends()).toEqual([null, 'gone', 'bought'])
  }))

test('two imports, a walk-in, a leave and the same buyer’s own purchase at one moment: each key goes to one', () =>
  withQueue(async ({ shop, productId, waits, arrive, ends }) => {
    const buyers: Buyer[] = []
    for (let count = 0; count < 6; count++) buyers.push(await waits({ balance: 200, autoMax: 100 }))
    const walkIns = await Promise.all(Array.from({ length: 4 }, () => shop.buyer({ balance: 100 })))
    const [leaving, impatient] = buyers as [Buyer, Buyer]
    const [own] = await leaving.api.waiting.mine()
    await Promise.all([
      arrive(4),
      arrive(4),
      leaving.delete(`/waiting/${own?._id}`),
      ...[...walkIns, impatient].map((buyer) => buyer.post('/keys/buy', { productId, duration, quantity: 1 })),
    ])
    const held = await Promise.all([...buyers, ...walkIns].map(keysOf))
    const { stock = 0 } = {
      stock: (await shop.owner.api.catalogue.list()).find((each) => each._id === productId)?.available,
    }
    expect(held.reduce((sum, count) => sum + count, 0) + stock).toBe(8)
    const [left, ...others] = await ends()
    expect(held[0]).toBe(left === 'left' ? 0 : 1)
    expect(others.slice(1).every((end) => end === 'bought')).toBe(true)
    expect(held.slice(2, 6)).toEqual([1, 1, 1, 1])
  }))
