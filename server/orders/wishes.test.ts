/** A buyer pays once, and gets the keys when the payment is approved: one order for each wish, or one reason. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { nextUtr, openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { untilBlocked } from '../../test/blocked.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { unique } from '../../test/worlds/constants.ts'
import { DAY_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { settleWish, wishJobs } from './settle-wishes.ts'

const duration = '10 Days'
const ROUNDS = 30

interface Given {
  store: TestStore
  shop: Shop
  productId: string
  /** Sends a payment with a wish for keys of ₹100. @returns the request's id */
  wishes(buyer: Buyer, wanted?: { amount?: number; quantity?: number; expectedPrice?: number }): Promise<string>
  runJob(): Promise<unknown>
}

const withWishes = (work: (given: Given) => Promise<void>, options: { stock?: number } = {}) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product({ stock: options.stock ?? 5 })
    await work({
      store,
      shop,
      productId,
      async wishes(buyer, { amount = 100, quantity = 1, expectedPrice = 100 } = {}) {
        const { payment } = await buyer.api.payments.addMoney({
          amount,
          utr: nextUtr(),
          payerName: '9876543210',
          then: { productId, duration, quantity, expectedPrice },
        })
        return payment._id
      },
      runJob: async () => wishJobs(store.app.services)[0]?.run(store.clock.now(), new AbortController().signal),
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

const wishOf = async (buyer: Buyer) => (await buyer.api.orders.wish()).wish
const keysOf = async (buyer: Buyer) => (await buyer.api.keys.mine()).length
const balanceOf = async (buyer: Buyer) => (await buyer.api.sessions.me()).balance
const setPrice = async ({ shop, productId }: Given, price: number) => {
  const [product] = (await shop.owner.api.catalogue.list()).filter(({ _id }) => _id === productId)
  await shop.owner.api.catalogue.update({
    id: productId,
    prices: (product?.prices ?? []).map((each) => ({ ...each, price })),
  })
}
const pricesOf = async ({ shop, productId }: Pick<Given, 'shop' | 'productId'>) => {
  const product = (await shop.owner.api.catalogue.list()).find(({ _id }) => _id === productId)
  return (product?.prices ?? []).map(({ _id, price = 0, ...each }) => ({ _id, price, duration: each.duration }))
}
/** The row keeps its stock and its price, under another text. */
const rename = async ({ shop, productId }: Given, from: string, to: string) => {
  const prices = (await pricesOf({ shop, productId })).map((each) =>
    each.duration === from ? { ...each, duration: to } : each,
  )
  await shop.owner.api.catalogue.update({ id: productId, prices })
}
const told = ({ store }: Given, buyer: Buyer) =>
  store.db.rows(sql(z.object({ kind: z.string() }))`
    select kind from outbox_messages
     where user_id = ${buyer.id} and kind in ('waiting.bought', 'wish.ended') order by created_at, id`)

test('the approval buys, the buyer is told, and the sale names the payment', () =>
  withWishes(async (given) => {
    const { shop, productId, wishes } = given
    const buyer = await shop.buyer()
    const id = await wishes(buyer, { amount: 250, quantity: 2 })
    const wish = { topUpId: id, productId, duration, quantity: 2, expectedPrice: 100 }
    expect(await wishOf(buyer)).toMatchObject({ ...wish, state: 'waiting' })
    const { payments } = await shop.owner.api.payments.list({ search: '', status: 'pending' })
    expect(payments).toMatchObject([{ then: wish }])

    await shop.owner.api.payments.approve({ id })

    expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([2, 50])
    const { purchases } = await shop.owner.api.orders.purchases({ search: buyer.username })
    expect(purchases).toMatchObject([{ amount: 200, topUpId: id }])
    expect(await buyer.api.payments.mine()).toMatchObject([
      { status: 'approved', then: { ...wish, state: 'bought', orderId: purchases[0]?._id } },
    ])
    expect(await told(given, buyer)).toEqual([{ kind: 'waiting.bought' }])
  }))

test('a wish keeps the store’s spelling of a duration', () =>
  withWishes(async ({ shop, productId }) => {
    const buyer = await shop.buyer()
    const wish = { productId, duration: '10days', quantity: 1, expectedPrice: 100 }
    const request = { amount: 100, utr: nextUtr(), payerName: '9876543210', then: wish }
    const { payment } = await buyer.api.payments.addMoney(request)
    expect(payment.then).toMatchObject({ duration, state: 'waiting' })
    await shop.owner.api.payments.approve({ id: payment._id })
    expect(await keysOf(buyer)).toBe(1)
  }))

test('a request without a wish is as it was', () =>
  withWishes(async ({ shop }) => {
    const buyer = await shop.buyer({ balance: 10 })
    expect((await buyer.api.payments.mine())[0]).not.toHaveProperty('then')
    expect(await wishOf(buyer)).toBeNull()
    expect((await buyer.delete('/orders/wish')).body).toMatchObject({ code: 'NOT_FOUND' })
  }))

test('a lower price is paid as it is then', () =>
  withWishes(async (given) => {
    const { shop, wishes } = given
    const buyer = await shop.buyer()
    const id = await wishes(buyer)
    await setPrice(given, 80)
    await shop.owner.api.payments.approve({ id })
    expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([1, 20])
  }))

describe('nothing is bought, the money stays, and one reason is told', () => {
  const CASES: Record<string, (given: Given, buyer: Buyer) => unknown> = {
    price: (given) => setPrice(given, 101),
    stock: async ({ shop, productId }) => {
      const other = await shop.buyer({ balance: 500 })
      await other.api.orders.place({ productId, duration, quantity: 5 })
    },
    'not-for-sale': ({ shop, productId }, buyer) =>
      shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [productId] }),
  }
  test('not-for-sale, when the duration is now another one, or of another row', () =>
    withWishes(async (given) => {
      const { shop, productId, wishes } = given
      const [first, second] = await Promise.all([shop.buyer(), shop.buyer()])
      const ids = [await wishes(first), await wishes(second)]
      await rename(given, duration, '1 Day')
      await shop.owner.api.payments.approve({ id: ids[0] ?? '' })
      const prices = [...(await pricesOf(given)), { duration, price: 50 }]
      await shop.owner.api.catalogue.update({ id: productId, prices })
      await shop.owner.api.keys.add({ productId, duration, keys: [unique('K-')] })
      await shop.owner.api.payments.approve({ id: ids[1] ?? '' })
      for (const buyer of [first, second]) {
        expect(await wishOf(buyer)).toMatchObject({ state: 'ended', reason: 'not-for-sale', duration })
        expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([0, 100])
      }
    }))

  test.each(Object.keys(CASES))('%s', (reason) =>
    withWishes(async (given) => {
      const { shop, wishes } = given
      const buyer = await shop.buyer()
      const id = await wishes(buyer)
      await CASES[reason]?.(given, buyer)
      await shop.owner.api.payments.approve({ id })
      expect(await wishOf(buyer)).toMatchObject({ state: 'ended', reason })
      expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([0, 100])
      expect(await told(given, buyer)).toEqual([{ kind: 'wish.ended' }])
    }),
  )

  test('money, when the payment is less than the price', () =>
    withWishes(async (given) => {
      const buyer = await given.shop.buyer()
      await given.shop.owner.api.payments.approve({ id: await given.wishes(buyer, { amount: 99.99 }) })
      expect(await wishOf(buyer)).toMatchObject({ reason: 'money' })
      expect(await told(given, buyer)).toEqual([{ kind: 'wish.ended' }])
    }))
})

test('who cancels, sends another wish, is rejected or loses the request gets nothing bought, and no message', () =>
  withWishes(async (given) => {
    const { shop, wishes } = given
    const buyers = await Promise.all([1, 2, 3, 4].map(() => shop.buyer()))
    const [cancels, repeats, rejected, removed] = buyers as [Buyer, Buyer, Buyer, Buyer]
    const id = await wishes(cancels)
    await cancels.api.orders.cancelWish()
    expect((await cancels.delete('/orders/wish')).status).toBe(404)
    await shop.owner.api.payments.approve({ id })
    const [first, second] = [await wishes(repeats), await wishes(repeats)]
    await shop.owner.api.payments.approve({ id: first })
    expect(await keysOf(repeats)).toBe(0)
    expect((await repeats.api.payments.mine()).map(({ then }) => then?.reason)).toEqual([undefined, 'replaced'])
    await shop.owner.api.payments.reject({ id: await wishes(rejected) })
    await shop.owner.api.payments.remove({ id: await wishes(removed) })
    expect((await Promise.all(buyers.map(wishOf))).map((wish) => wish?.reason)).toEqual([
      'cancelled',
      undefined,
      'rejected',
      'rejected',
    ])
    await shop.owner.api.payments.approve({ id: second })
    expect(await Promise.all(buyers.map(keysOf))).toEqual([0, 1, 0, 0])
    expect(await told(given, rejected)).toEqual([])
  }))

test('a wish that is not possible stops no payment, shows no hidden product, and replaces no other', () =>
  withWishes(async ({ shop, productId, wishes }) => {
    const buyer = await shop.buyer()
    await wishes(buyer)
    const hidden = await shop.product({ stock: 1, name: 'Secret' })
    await shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [hidden._id] })
    const ask = (then: object) =>
      buyer.post('/payments/add-money', { amount: 100, utr: nextUtr(), payerName: '9876543210', then })
    const wish = { productId, duration, quantity: 1, expectedPrice: 100 }
    const answers = [
      await ask({ ...wish, productId: crypto.randomUUID() }),
      await ask({ ...wish, productId: hidden._id }),
      await ask({ ...wish, expectedPrice: 99 }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers.map(({ body }) => (body as { payment: { then: object } }).payment.then)).toMatchObject([
      { state: 'ended', reason: 'not-for-sale', productName: '' },
      { state: 'ended', reason: 'not-for-sale', productName: '' },
      { state: 'ended', reason: 'price' },
    ])
    expect((await buyer.api.payments.mine()).map(({ then }) => then?.state)).toEqual([
      'ended',
      undefined,
      undefined,
      'waiting',
    ])
  }))

test('the job buys what a dying node left, ends a wish after seven days, and forgets it after ninety more', () =>
  withWishes(async (given) => {
    const { store, shop, wishes, runJob } = given
    const [left, late] = [await shop.buyer(), await shop.buyer()]
    const id = await wishes(left)
    await wishes(late)
    // A node that died between the two commits has credited the money and bought nothing
    await store.db.run(sql`update order_wishes set ended_at = now(), end_reason = 'cancelled' where topup_id = ${id}`)
    await shop.owner.api.payments.approve({ id })
    await store.db.run(sql`update order_wishes set ended_at = null, end_reason = null where topup_id = ${id}`)
    await runJob()
    expect([await keysOf(left), await balanceOf(left)]).toEqual([1, 0])
    expect(await wishOf(late)).toMatchObject({ state: 'waiting' })
    store.clock.advance(7 * DAY_MS)
    await runJob()
    expect(await told(given, late)).toEqual([{ kind: 'wish.ended' }])
    store.clock.advance(91 * DAY_MS)
    await runJob()
    const kept = await store.db.count(sql`select count(*) from order_wishes`)
    expect(kept).toBe(1)
  }))

test('a closing account gets nothing bought', () =>
  withWishes(async ({ store, shop, wishes, runJob }) => {
    const buyer = await shop.buyer()
    const id = await wishes(buyer)
    await shop.owner.api.users.remove({ id: buyer.id })
    await runJob()
    const wish = await store.db.one(
      sql(z.object({ reason: z.string() }))`select end_reason as reason from order_wishes where topup_id = ${id}`,
    )
    expect(wish.reason).toBe('account')
  }))

describe('each wish is one order or one reason', () => {
  // Seen to fail without `for update of wish` in settle-wishes.ts: it was bought, and the cancellation confirmed
  test('when the buyer cancels while it is bought', () =>
    withWishes(async ({ store, shop, wishes }) => {
      const buyer = await shop.buyer()
      const id = await wishes(buyer)
      const { approval, cancellation } = await store.db.transaction(async (tx) => {
        await tx.run(sql`select from license_keys where order_id is null for update`)
        const first = shop.owner.api.payments.approve({ id })
        await untilBlocked(store.db)
        const second = buyer.delete('/orders/wish')
        await Promise.race([untilBlocked(store.db, 2), second])
        return { approval: first, cancellation: second }
      })
      await approval
      expect((await cancellation).status).toBe(404)
      expect(await wishOf(buyer)).toMatchObject({ state: 'bought' })
      expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([1, 0])
    }))

  // Fails when neither the wallet nor the wish is locked
  test('when two nodes and the job settle it, while the buyer buys by hand', () =>
    withWishes(
      async ({ store, shop, productId, wishes, runJob }) => {
        const buyer = await shop.buyer()
        for (let round = 0; round < ROUNDS; round++) {
          const id = await wishes(buyer)
          const before = await keysOf(buyer)
          await Promise.all([
            shop.owner.api.payments.approve({ id }),
            ...[1, 2, 3].map(() => sleep(round % 7).then(() => settleWish(store.app.services, id))),
            sleep(round % 5).then(runJob),
            buyer.post('/keys/buy', { productId, duration, quantity: 1 }, { 'idempotency-key': unique('hand') }),
          ])
          expect([(await keysOf(buyer)) - before, await balanceOf(buyer)]).toEqual([1, 0])
          expect((await wishOf(buyer))?.state).not.toBe('waiting')
        }
      },
      { stock: ROUNDS },
    ))
})
