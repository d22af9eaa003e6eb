/** One buyer never gets more of a duration than its limit, in whatever way the keys are bought. */
import { describe, expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW, unique } from '../../test/worlds/constants.ts'
import { givenProduct, givenUser } from '../../test/worlds/given.ts'
import { duration, withLimit, type Limited } from '../../test/worlds/limits.ts'
import { unproven } from '../../test/worlds/admins.ts'
import { nextUtr, type Buyer } from '../../test/worlds/shop.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { renewalJobs } from '../renewals/routes.ts'
import { moveQueues } from '../waiting/tell-queue.ts'
import { placeAll } from './place-all.ts'
import { openOrderBatcher } from './place-order.ts'
import { placeOrders } from './place-orders.ts'

const reached = (limit: number, bought: number) => ({ code: 'LIMIT_REACHED', limit, bought })
const rest = { floors: new Map<string, number>(), wait: true, shard: 0 }

test('all that an account ever bought counts, and what was refunded as well', () =>
  withLimit({ perBuyer: 2 }, async ({ shop, person, buy, keysOf }) => {
    const buyer = await person()
    expect(await buy(buyer, 3)).toEqual(reached(2, 0))
    expect(await buy(buyer)).toBe('bought')
    expect(await buy(buyer, 2)).toEqual(reached(2, 1))
    const [key] = await buyer.api.keys.mine()
    const { _id: id } = await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'never-worked' })
    await shop.owner.api.claims.refund({ id, rule: 'full', expected: 100 })
    expect(await buy(buyer, 2)).toEqual(reached(2, 1))
    expect(await buy(buyer)).toBe('bought')
    expect(await buy(buyer)).toEqual(reached(2, 2))
    expect(await buy(await person(), 2)).toBe('bought')
    expect(await keysOf(buyer)).toBe(2)
  }))

test('a replaced key is no purchase, and the same number of a purchase gets its first answer again', () =>
  withLimit({ perBuyer: 1 }, async ({ shop, productId, person, keysOf }) => {
    const buyer = await person()
    const body = { productId, duration, quantity: 1 }
    const send = () => buyer.post('/keys/buy', body, { 'idempotency-key': 'one' })
    const first = await send()
    expect(await send()).toMatchObject({ status: 200, body: first.body })
    const [key] = await buyer.api.keys.mine()
    const { _id: id } = await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'never-worked' })
    await shop.owner.api.claims.replace({ id })
    expect(await keysOf(buyer)).toBe(2)
  }))

test('a price that changed is said first, and the limit before stock and money', () =>
  withLimit({ perBuyer: 1 }, async ({ shop, productId, person, buy }) => {
    const buyer = await person()
    await buy(buyer)
    const ask = async (more: object) =>
      (await buyer.post('/keys/buy', { productId, duration, quantity: 1, ...more })).body.code
    expect(await ask({ expectedPrice: 1 })).toBe('PRICE_CHANGED')
    const other = await shop.buyer()
    expect(await ask({ quantity: 100 })).toBe('LIMIT_REACHED')
    expect(await buy(other, 2)).toEqual(reached(1, 0))
    expect(await buy(other)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  }))

test('two orders of one transaction are counted together', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db, { price: 1, stock: 9 })
    await db.run(sql`update prices set per_buyer = 2, limit_since = ${TEST_NOW}`)
    const buyerId = await givenUser(db, { balance: 100 })
    const wanted = [1, 1, 1, 2].map((quantity) => ({ buyerId, ...product, quantity, idempotency: undefined }))
    const outcomes = await db.transaction((tx) => placeOrders(tx, wanted, { now: new Date(TEST_NOW), ...rest }))
    expect(outcomes.map((each) => (typeof each === 'object' && 'code' in each ? each.code : 'placed'))).toEqual([
      'placed',
      'placed',
      'LIMIT_REACHED',
      'LIMIT_REACHED',
    ])
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))

// Seen to fail when the count is read before the lock on the wallet (place-orders.ts)
test('a purchase that waits for the wallet counts what was bought meanwhile', () =>
  withDatabase(async (db) => {
    const product = await givenProduct(db, { price: 1, stock: 9 })
    await db.run(sql`update prices set per_buyer = 2, limit_since = ${TEST_NOW}`)
    const buyerId = await givenUser(db, { balance: 100 })
    const buy = (tx: Transaction, quantity: number) =>
      placeAll(tx, [{ buyerId, ...product, quantity, idempotency: undefined }], new Date(TEST_NOW))
    const { second } = await db.transaction(async (tx) => {
      await buy(tx, 1)
      const running = db.transaction((beside) => buy(beside, 2))
      await untilBlocked(db)
      return { second: running }
    })
    expect(await second).toMatchObject([{ code: 'LIMIT_REACHED' }])
  }))

// Seen to fail without the lock on the wallets (wallet/ledger.ts)
test('in 10,000 tries at once, by way of two nodes, nobody gets more', () =>
  withDatabase(async (db) => {
    const nodes = [1, 2].map(() => openOrderBatcher({ db }, { answerMsMax: 120_000 }))
    const product = await givenProduct(db, { price: 1, stock: 900 })
    await db.run(sql`update prices set per_buyer = 7, limit_since = ${TEST_NOW}`)
    const buyers: string[] = []
    for (let n = 0; n < 50; n++) buyers.push(await givenUser(db, { balance: 1_000 }))
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 1_000 }, async (_, n) =>
          nodes[Math.floor(n / 50) % 2]?.place(
            { buyerId: buyers[n % 50] ?? '', ...product, quantity: 1 + (n % 3), idempotency: undefined },
            new Date(TEST_NOW),
          ),
        ),
      )
    const counts = await db.texts(sql`select sum(quantity)::text from orders group by user_id`)
    expect(counts).toEqual(Array(50).fill('7'))
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))

describe('what the store buys for a buyer', () => {
  test('a renewal: refused where nothing is left, and ended where the limit came later', () =>
    withLimit({ perBuyer: 2 }, async ({ store, setTerms, person, buy, keysOf }) => {
      const buyer = await person()
      await buy(buyer)
      const [key] = await buyer.api.keys.mine()
      const renew = () => buyer.post('/renewals', { keyId: key?._id })
      expect((await renew()).status).toBe(201)
      await setTerms({ perBuyer: 1 })
      expect((await renew()).body).toMatchObject({ code: 'LIMIT_REACHED', limit: 1, bought: 1 })
      store.clock.advance(10 * DAY_MS)
      await renewalJobs(store.app.services)[0]?.run(store.clock.now(), new AbortController().signal)
      expect(await store.db.texts(sql`select end_reason from renewals`)).toEqual(['limit'])
      expect(await keysOf(buyer)).toBe(1)
    }))

  const wish = async ({ productId }: Limited, buyer: Buyer, quantity: number) => {
    const then = { productId, duration, quantity, expectedPrice: 100 }
    const request = { amount: 300, utr: nextUtr(), payerName: '9876543210', then }
    return (await buyer.api.payments.addMoney(request)).payment
  }

  test('a wish: ended at once, or at the approval, and the money stays', () =>
    withLimit({ perBuyer: 2 }, async (given) => {
      const { shop, person, buy, keysOf } = given
      const buyer = await person()
      expect((await wish(given, buyer, 3)).then).toMatchObject({ state: 'ended', reason: 'limit' })
      const { _id: id, then } = await wish(given, buyer, 2)
      expect(then).toMatchObject({ state: 'waiting' })
      await buy(buyer)
      await shop.owner.api.payments.approve({ id })
      expect((await buyer.api.orders.wish()).wish).toMatchObject({ state: 'ended', reason: 'limit' })
      expect([await keysOf(buyer), (await buyer.api.sessions.me()).balance]).toEqual([1, 1_200])
    }))

  test('what was bought for a buyer counts as what he bought', () =>
    withLimit({ perBuyer: 1 }, async (given) => {
      const { shop, person, buy } = given
      const buyer = await person()
      // Two payments at a time: the second wish takes the place of the first
      const [first, second] = [await wish(given, buyer, 1), await wish(given, buyer, 1)]
      for (const { _id: id } of [first, second]) await shop.owner.api.payments.approve({ id })
      expect(await given.keysOf(buyer)).toBe(1)
      expect(await buy(buyer)).toEqual(reached(1, 1))
      expect((await wish(given, buyer, 1)).then).toMatchObject({ state: 'ended', reason: 'limit' })
    }))

  test('a place: refused where nothing is left, passed by where the limit came later, and its keys are on sale', () =>
    withLimit({ perBuyer: 3 }, async ({ store, shop, setTerms, person, buy, keysOf }) => {
      await shop.owner.api.waiting.saveSettings({ autoBuy: true })
      const [first, second] = [await person(), await person()]
      const { _id: productId, prices } = await shop.product()
      const at = (perBuyer: number) =>
        shop.owner.api.catalogue.update({
          id: productId,
          prices: [{ _id: prices[0]?._id, duration, price: 100, perBuyer }],
        })
      await at(3)
      for (const [buyer, quantity] of [
        [first, 3],
        [second, 2],
      ] as const)
        await buyer.api.waiting.wait({ productId, duration, quantity, autoMax: 300 })
      expect((await first.post('/waiting', { productId, duration, quantity: 4 })).body).toMatchObject({
        code: 'LIMIT_REACHED',
      })
      await at(2)
      await shop.owner.api.keys.add({ productId, duration, keys: [1, 2, 3, 4].map(() => unique('K-')) })
      expect([await keysOf(first), await keysOf(second)]).toEqual([0, 2])
      expect((await shop.owner.api.catalogue.list()).find(({ _id }) => _id === productId)?.available).toBe(2)
      await moveQueues(store.db, store.clock.now())
      expect(await store.db.texts(sql`select end_reason from waiting_places order by seq`)).toEqual(['gone', 'bought'])
      expect(await first.api.waiting.ended({})).toMatchObject([{ reason: 'gone' }])
      await setTerms({ perBuyer: 3 })
      expect(await buy(first)).toBe('bought')
    }))

  // Seen to fail when serve-queue.ts counts each place that could pay as sold: nobody got a message about the keys
  test('a place whose limit is lowered while keys arrive gets nothing, and the keys are on sale', () =>
    withLimit({}, async ({ store, shop, person, keysOf }) => {
      await shop.owner.api.waiting.saveSettings({ autoBuy: true })
      const buyer = await person()
      const { _id: productId, prices } = await shop.product()
      await buyer.api.waiting.wait({ productId, duration, quantity: 2, autoMax: 300 })
      const next = await person()
      await next.api.waiting.wait({ productId, duration })
      const adding = await store.db.transaction(async (tx) => {
        // Between the look at the offers and the purchase comes the import of the keys
        await tx.run(sql`lock table key_batches in exclusive mode`)
        const running = shop.owner.api.keys.add({ productId, duration, keys: [1, 2].map(() => unique('K-')) })
        await untilBlocked(store.db)
        await tx.run(sql`
          update prices set per_buyer = 1, limit_since = ${new Date(store.clock.now().getTime() + MINUTE_MS)}
           where id = ${prices[0]?._id ?? ''}`)
        return { running }
      })
      await adding.running
      expect(await keysOf(buyer)).toBe(0)
      expect(await store.db.texts(sql`select user_id from outbox_messages where kind = 'stock.back'`)).toEqual([
        next.id,
      ])
      expect((await shop.owner.api.catalogue.list()).find(({ _id }) => _id === productId)?.available).toBe(2)
    }))
})

describe('an owner who sets it', () => {
  const termsOf = async ({ shop, productId }: Limited) => {
    const { prices } = (await shop.owner.api.catalogue.list()).find(({ _id }) => _id === productId) ?? { prices: [] }
    return prices.map(({ perBuyer, trial }) => [perBuyer, trial])
  }

  test('keeps what is not sent, ends it with null, and a trial is one', () =>
    withLimit({ perBuyer: 3 }, async (given) => {
      const { shop, productId, setTerms, person } = given
      await setTerms({})
      expect(await termsOf(given)).toEqual([[3, undefined]])
      await setTerms({ trial: true })
      expect(await termsOf(given)).toEqual([[1, true]])
      await setTerms({})
      expect(await termsOf(given)).toEqual([[1, true]])
      const copy = await shop.owner.api.catalogue.duplicate({ id: productId })
      expect(copy.prices).toMatchObject([{ perBuyer: 1, trial: true }])
      await setTerms({ perBuyer: 5 })
      expect(await termsOf(given)).toEqual([[5, undefined]])
      await setTerms({ perBuyer: null })
      expect(await termsOf(given)).toEqual([[undefined, undefined]])
      const buyer = await person()
      await setTerms({ trial: true })
      const [, seen] = [await shop.visitor().api.catalogue.list(), await buyer.api.catalogue.list()]
      expect(seen.find(({ _id }) => _id === productId)?.prices).toMatchObject([{ perBuyer: 1, trial: true }])
    }))

  test.each([
    [{ perBuyer: 0 }, 'prices.0.perBuyer'],
    [{ perBuyer: 101 }, 'prices.0.perBuyer'],
    [{ perBuyer: -1 }, 'prices.0.perBuyer'],
    [{ perBuyer: 1.5 }, 'prices.0.perBuyer'],
    [{ perBuyer: 'many' }, 'prices.0.perBuyer'],
    [{ trial: 'perhaps' }, 'prices.0.trial'],
    [{ trial: true, perBuyer: 2 }, 'prices.0.perBuyer'],
    [{ trial: true, price: 0.5 }, 'prices.0.price'],
  ])('%j is refused in one sentence, and nothing is changed', (terms, field) =>
    withLimit({ perBuyer: 3 }, async (given) => {
      const { shop, productId, priceId } = given
      const prices = [{ _id: priceId, duration, price: 100, ...terms }]
      const { status, body } = await shop.owner.put(`/products/${productId}`, { prices })
      expect([status, Object.keys(body['fields'] as object)]).toEqual([400, [field]])
      expect(await termsOf(given)).toEqual([[3, undefined]])
    }),
  )

  test('a stored trial costs ₹1 or more, also where a change does not say that it is one', () =>
    withLimit({ trial: true }, async (given) => {
      const { shop, productId, priceId } = given
      const send = (price: number) =>
        shop.owner.put(`/products/${productId}`, { prices: [{ _id: priceId, duration, price }] })
      for (const price of [0.5, 0.99])
        expect(await send(price)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_INPUT', fields: { 'prices.0.price': 'A trial costs at least ₹1' } },
        })
      expect(await termsOf(given)).toEqual([[1, true]])
      for (const price of [1, 0]) expect((await send(price)).status).toBe(200)
    }))

  test('confirms who he is to raise or remove it, and not to lower it', () =>
    withLimit({ perBuyer: 3 }, async (given) => {
      const { shop, productId, priceId, setTerms } = given
      const thief = await unproven(shop)
      const send = async (terms: object) => {
        const prices = [{ _id: priceId, duration, price: 100, ...terms }]
        const { status, body } = await thief.put(`/products/${productId}`, { prices })
        return status === 200 ? 'saved' : body.code
      }
      expect(await send({ perBuyer: 4 })).toBe('STEP_UP_REQUIRED')
      expect(await send({ perBuyer: null })).toBe('STEP_UP_REQUIRED')
      expect(await termsOf(given)).toEqual([[3, undefined]])
      expect(await send({ perBuyer: 2 })).toBe('saved')
      expect(await send({ trial: true })).toBe('saved')
      expect(await send({ trial: false })).toBe('STEP_UP_REQUIRED')
      // Another row of the same duration would bring the stock of the first back, without its limit
      expect(await send({ _id: undefined, duration: '11 Days' })).toBe('saved')
      expect(await send({ _id: undefined, perBuyer: null, trial: false })).toBe('STEP_UP_REQUIRED')
      await setTerms({ perBuyer: null })
    }))

  test('who had more before it was lowered keeps it, and gets no more', () =>
    withLimit({ perBuyer: 5 }, async ({ store, setTerms, person, buy }) => {
      const buyer = await person()
      await buy(buyer, 4)
      await setTerms({ perBuyer: 2 })
      expect(await buy(buyer)).toEqual(reached(2, 4))
      store.clock.advance(2 * MINUTE_MS)
      expect(await buy(buyer)).toEqual(reached(2, 4))
      await setTerms({ perBuyer: 5 })
      expect(await buy(buyer)).toBe('bought')
    }))
})
