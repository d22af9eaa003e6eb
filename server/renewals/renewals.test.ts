/** A key renews at its end: one order, or one reason. */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { DURATION, HOURS, rowOf, withRenewals, type Holder, type Renewing } from '../../test/worlds/renewals.ts'
import { missing } from '../../test/contract/things.ts'
import { unique } from '../../test/worlds/constants.ts'
import { givenCredit } from '../../test/worlds/given.ts'
import { sql } from '../platform/database/database.ts'
import { remind } from '../reminders/remind.ts'

const mine = async (buyer: Holder) => (await buyer.api.renewals.mine()).find(({ _id }) => _id === buyer.orderId)
const keysOf = async (buyer: Holder) => (await buyer.api.keys.mine()).length
const balanceOf = async (buyer: Holder) => (await buyer.api.sessions.me()).balance
const pricesOf = async ({ shop, productId }: Renewing) =>
  ((await shop.owner.api.catalogue.list()).find(({ _id }) => _id === productId)?.prices ?? []).map(
    ({ _id, duration, price = 0 }) => ({ _id, duration, price }),
  )
const setPrice = async (given: Renewing, price: number) =>
  (await given.owner()).catalogue.update({
    id: given.productId,
    prices: (await pricesOf(given)).map((each) => ({ ...each, price })),
  })
const sellOut = async ({ shop, productId }: Renewing, quantity: number) =>
  (await shop.buyer({ balance: 100 * quantity })).api.orders.place({ productId, duration: DURATION, quantity })
const addKeys = async ({ owner, productId }: Renewing, count = 1) =>
  (await owner()).keys.add({
    productId,
    duration: DURATION,
    keys: Array.from({ length: count }, () => unique('K-')),
  })

test('it is bought at the end of the old key, not before, at the price of then, and the buyer is told', () =>
  withRenewals(async (given) => {
    const { store, holder, pass, runJob, told } = given
    const buyer = await holder({ quantity: 2, left: 250 })
    const made = await buyer.renew()
    const [key] = await buyer.api.keys.mine()
    expect(made).toMatchObject({
      _id: buyer.orderId,
      duration: DURATION,
      quantity: 2,
      max: 100,
      repeat: false,
      at: key?.expiresAt,
      state: 'waiting',
    })
    expect(made.keyIds).toHaveLength(2)
    const { demand } = await (await given.owner()).waiting.demand({})
    expect(demand).toMatchObject([{ duration: DURATION, people: 0, keys: 0, ready: 0, renewals: 2 }])
    await setPrice(given, 90)
    await pass(HOURS - 1)
    expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([2, 250])
    store.clock.advance(HOUR_MS)
    await runJob()
    const keys = await buyer.api.keys.mine()
    expect([keys.length, await balanceOf(buyer)]).toEqual([4, 70])
    const now = store.clock.now()
    expect(keys[0]).toMatchObject({
      assignedAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + HOURS * HOUR_MS).toISOString(),
    })
    expect(await mine(buyer)).toMatchObject({ state: 'bought', nextOrderId: keys[0]?.orderId })
    expect(await told(buyer)).toEqual(['waiting.bought'])
    await pass(HOURS + 1)
    expect(await keysOf(buyer)).toBe(4)
  }))

test('what is refused changes nothing', () =>
  withRenewals(async (given) => {
    const { store, shop, holder, productId } = given
    const [buyer, other] = [await holder(), await holder()]
    const ask = async (body: object) => {
      const { status, body: answer } = await buyer.post('/renewals', body)
      return [status, answer.code]
    }
    expect(await ask({ keyId: missing() })).toEqual([404, 'NOT_FOUND'])
    expect(await ask({ keyId: other.keyId })).toEqual([404, 'NOT_FOUND'])
    for (const max of [0, -1, 1e9, 0.001, 'x'])
      expect(await ask({ keyId: buyer.keyId, max })).toEqual([400, 'INVALID_INPUT'])
    expect(await ask({ keyId: buyer.keyId, repeat: 'perhaps' })).toEqual([400, 'INVALID_INPUT'])
    await store.db.run(sql`update users set email_proven_at = null where id = ${buyer.id}`)
    expect(await ask({ keyId: buyer.keyId, repeat: true })).toEqual([409, 'CANNOT_TELL'])
    await shop.owner.api.catalogue.update({ id: productId, isListed: false })
    expect(await ask({ keyId: buyer.keyId })).toEqual([404, 'PRODUCT_NOT_FOUND'])
    await shop.owner.api.catalogue.update({ id: productId, isListed: true })
    const short = await shop.product({ prices: { '2 Days': 100 }, stock: 1 })
    const brief = await holder({ of: { productId: short._id, duration: '2 Days' } })
    expect((await brief.post('/renewals', { keyId: brief.keyId, repeat: true })).body.code).toBe('TOO_SHORT')
    store.clock.advance(HOURS * HOUR_MS)
    expect(await ask({ keyId: buyer.keyId })).toEqual([409, 'KEY_EXPIRED'])
    expect(await store.db.count(sql`select count(*) from renewals`)).toBe(0)
    expect((await other.delete(`/renewals/${buyer.orderId}`)).status).toBe(404)
  }))

test('a renamed duration is another one, and is not renewed', () =>
  withRenewals(async (given) => {
    const buyer = await given.holder()
    const prices = (await pricesOf(given)).map((each) => ({ ...each, duration: '4 Days' }))
    await given.shop.owner.api.catalogue.update({ id: given.productId, prices: [...prices] })
    await given.shop.owner.api.catalogue.update({
      id: given.productId,
      prices: [...prices, { duration: DURATION, price: 100 }],
    })
    const answer = await buyer.post('/renewals', { keyId: buyer.keyId })
    expect(answer.body.code).toBe('PRODUCT_NOT_FOUND')
  }))

test('another call changes it, a stopped one can begin again, and each purchase renews for itself', () =>
  withRenewals(async (given) => {
    const buyer = await given.holder({ left: 1_000 })
    await buyer.api.orders.place({ productId: given.productId, duration: DURATION, quantity: 1 })
    given.store.clock.advance(MINUTE_MS)
    const [second] = await buyer.api.keys.mine()
    await buyer.api.renewals.make({ keyId: second?._id ?? '' })
    await buyer.renew()
    expect(await buyer.renew({ repeat: true, max: 120 })).toMatchObject({ repeat: true, max: 120 })
    expect(await buyer.api.renewals.mine()).toHaveLength(2)
    await buyer.api.renewals.stop({ id: buyer.orderId })
    expect(await mine(buyer)).toMatchObject({ state: 'ended', reason: 'stopped' })
    expect((await buyer.delete(`/renewals/${buyer.orderId}`)).status).toBe(404)
    expect(await buyer.renew()).toMatchObject({ state: 'waiting', repeat: false })
    await given.pass(HOURS)
    expect(await keysOf(buyer)).toBe(4)
  }))

describe('nothing is bought, the money stays, and it ends at once for one reason', () => {
  const CASES: Record<string, (given: Renewing, buyer: Holder) => unknown> = {
    'not-for-sale': ({ shop, productId }, buyer) =>
      shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [productId] }),
    stopped: (_, buyer) => buyer.api.renewals.stop({ id: buyer.orderId }),
    account: ({ store }, buyer) => store.db.run(sql`update users set closes_at = '2027-01-01' where id = ${buyer.id}`),
  }

  test.each(Object.keys(CASES))('%s', (reason) =>
    withRenewals(async (given) => {
      const buyer = await given.holder({ left: 100 })
      await buyer.renew()
      await CASES[reason]?.(given, buyer)
      // My Key says it before, but not the account's end: nothing answers then
      if (reason !== 'account') expect((await mine(buyer))?.reason).toBe(reason)
      given.store.clock.advance(HOURS * HOUR_MS)
      await given.runJob()
      expect(await rowOf(given, buyer.orderId)).toEqual({ reason, nextId: null })
      await given.store.db.run(sql`update users set closes_at = null where id = ${buyer.id}`)
      expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([1, 100])
      expect(await given.told(buyer)).toEqual([])
    }),
  )

  test('refunded, and of two keys of which one was refunded, one is renewed', () =>
    withRenewals(async (given) => {
      const { shop, store } = given
      const [none, one] = [await given.holder(), await given.holder({ quantity: 2, left: 300 })]
      for (const buyer of [none, one]) {
        await buyer.renew()
        const { _id: id } = await buyer.api.claims.open({ keyId: buyer.keyId, reason: 'never-worked' })
        await shop.owner.api.claims.refund({ id, rule: 'full', expected: 100 })
      }
      expect((await none.post('/renewals', { keyId: none.keyId })).body.code).toBe('NOT_FOUND')
      store.clock.advance(HOURS * HOUR_MS)
      await given.runJob()
      expect([await keysOf(none), (await mine(none))?.reason]).toEqual([1, 'refunded'])
      expect([await keysOf(one), await balanceOf(one)]).toEqual([3, 300])
    }))

  test('by-hand, when the buyer bought the same since, unless he then keeps it', () =>
    withRenewals(async (given) => {
      const [ends, keeps] = [await given.holder({ left: 200 }), await given.holder({ left: 200 })]
      for (const buyer of [ends, keeps]) {
        await buyer.renew()
        given.store.clock.advance(2 * HOUR_MS)
        await buyer.api.orders.place({ productId: given.productId, duration: DURATION, quantity: 1 })
        given.store.clock.advance(1_000)
      }
      expect(await mine(keeps)).toMatchObject({ state: 'waiting', reason: 'by-hand' })
      await keeps.renew()
      expect((await mine(keeps))?.reason).toBeUndefined()
      await given.pass(HOURS)
      expect([await keysOf(ends), (await mine(ends))?.reason]).toEqual([2, 'by-hand'])
      expect([await keysOf(keeps), (await mine(keeps))?.state]).toEqual([3, 'bought'])
    }))
})

describe('what may pass is tried for a day', () => {
  const CASES: Record<string, [(given: Renewing) => unknown, (given: Renewing, buyer: Holder) => unknown]> = {
    price: [(given) => setPrice(given, 101), (given) => setPrice(given, 100)],
    stock: [(given) => sellOut(given, 5), (given) => addKeys(given)],
    money: [
      () => undefined,
      ({ store }, buyer) => givenCredit(store.db, buyer.id, { rupees: 100, now: store.clock.now() }),
    ],
  }
  const start = async (given: Renewing, reason: string) => {
    const buyer = await given.holder({ left: reason === 'money' ? 0 : 100 })
    await buyer.renew()
    await CASES[reason]?.[0](given)
    given.store.clock.advance(HOURS * HOUR_MS)
    await given.runJob()
    return buyer
  }

  test.each(Object.keys(CASES))('%s: told once, bought when it has passed', (reason) =>
    withRenewals(async (given) => {
      const buyer = await start(given, reason)
      const triesUntil = new Date(given.store.clock.now().getTime() + DAY_MS).toISOString()
      expect(await mine(buyer)).toMatchObject({ state: 'held', reason, triesUntil })
      await given.pass(23)
      expect([await keysOf(buyer), await given.told(buyer)]).toEqual([1, ['renewal.held']])
      await CASES[reason]?.[1](given, buyer)
      await given.runJob()
      expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([2, 0])
      expect(await given.told(buyer)).toEqual(['renewal.held', 'waiting.bought'])
    }),
  )

  test.each(Object.keys(CASES))('%s: ended after 24 hours, and nothing is bought after that', (reason) =>
    withRenewals(async (given) => {
      const buyer = await start(given, reason)
      await given.pass(24)
      expect(await mine(buyer)).toMatchObject({ state: 'ended', reason })
      await CASES[reason]?.[1](given, buyer)
      await given.pass(2)
      expect([await keysOf(buyer), await balanceOf(buyer)]).toEqual([1, 100])
      expect((await mine(buyer))?.triesUntil).toBeUndefined()
    }),
  )

  test('for the duration, where that is shorter, and a higher limit lets it be bought', () =>
    withRenewals(async (given) => {
      const { shop, store, runJob } = given
      const hourly = await shop.product({ prices: { '6 Hours': 100 }, stock: 2 })
      const buyer = await given.holder({ left: 200, of: { productId: hourly._id, duration: '6 Hours' } })
      await buyer.renew({ max: 50 })
      store.clock.advance(6 * HOUR_MS)
      await runJob()
      const held = await mine(buyer)
      expect(held).toMatchObject({ state: 'held', reason: 'price', max: 50 })
      expect(held?.triesUntil).toBe(new Date(store.clock.now().getTime() + 6 * HOUR_MS).toISOString())
      // It can't begin to repeat now, because no message went out
      expect((await buyer.post('/renewals', { keyId: buyer.keyId, repeat: true })).body.code).toBe('KEY_EXPIRED')
      expect(await buyer.renew({ max: 100 })).toMatchObject({ state: 'held', triesUntil: held?.triesUntil })
      await runJob()
      expect(await mine(buyer)).toMatchObject({ state: 'bought' })
    }))
})

describe('what keeps renewing', () => {
  test('is told of from 36 hours before on, by day, once, and the next row has the same limit', () =>
    withRenewals(async (given) => {
      const { store, pass, runJob } = given
      const buyer = await given.holder({ left: 500 })
      await buyer.renew({ repeat: true, max: 110 })
      const toldAt = () =>
        store.db.texts(sql`select to_char(told_at at time zone 'Asia/Kolkata', 'DD HH24') from renewals
                            where order_id = ${buyer.orderId} and told_at is not null`)
      // Bought on the 20th at 21:14, so it ends on the 23rd. 36 hours before that it is not ten yet
      await pass(36)
      expect(await toldAt()).toEqual([])
      await pass(1)
      expect([await toldAt(), await given.told(buyer)]).toEqual([['22 10'], ['renewal.due']])
      await pass(35)
      await runJob()
      expect(await mine(buyer)).toMatchObject({ state: 'bought' })
      const [next] = (await buyer.api.renewals.mine()).filter(({ state }) => state === 'waiting')
      expect(next).toMatchObject({ max: 110, repeat: true, quantity: 1 })
      expect(await given.told(buyer)).toEqual(['renewal.due', 'waiting.bought'])
      // He opens the store, so it goes on
      store.clock.advance(MINUTE_MS)
      await buyer.api.sessions.me()
      await store.db.run(sql`update user_sessions set last_active_at = ${store.clock.now()}`)
      await pass(HOURS)
      expect(await keysOf(buyer)).toBe(3)
    }))

  test('is bought 20 hours after the word, however long the store was off', () =>
    withRenewals(async (given) => {
      const { store, pass, runJob } = given
      const buyer = await given.holder({ left: 500 })
      await buyer.renew({ repeat: true })
      store.clock.advance(HOURS * HOUR_MS + 30 * MINUTE_MS)
      await runJob()
      expect([await keysOf(buyer), await given.told(buyer)]).toEqual([1, ['renewal.due']])
      expect(await mine(buyer)).toMatchObject({
        state: 'waiting',
        at: new Date(store.clock.now().getTime() + 20 * HOUR_MS).toISOString(),
      })
      await pass(19)
      expect(await keysOf(buyer)).toBe(1)
      await pass(1)
      expect(await keysOf(buyer)).toBe(2)
    }))

  test('untold: ends when its buyer can no longer be reached', () =>
    withRenewals(async (given) => {
      const buyer = await given.holder({ left: 500 })
      await buyer.renew({ repeat: true })
      await given.store.db.run(sql`update channels set is_on = false`)
      await given.pass(HOURS)
      expect([await keysOf(buyer), await mine(buyer)]).toMatchObject([1, { state: 'ended', reason: 'untold' }])
    }))

  test('unused: ends when its buyer has not opened the store since the last one', () =>
    withRenewals(async (given) => {
      const buyer = await given.holder({ left: 500 })
      await buyer.renew({ repeat: true })
      await given.pass(2 * HOURS)
      const keys = await given.store.db.count(sql`select count(*) from license_keys where assigned_to = ${buyer.id}`)
      expect(keys).toBe(2)
      const [next] = (await buyer.api.renewals.mine()).filter(({ state }) => state === 'ended')
      expect(next?.reason).toBe('unused')
    }))
})

test('a replacement that ends later moves it, and a reminder is not sent of what renews', () =>
  withRenewals(async (given) => {
    const { store } = given
    const buyer = await given.holder({ left: 100 })
    await buyer.renew()
    for (let hour = 0; hour < 60; hour += 6)
      await remind(store.db, new Date(store.clock.now().getTime() + hour * HOUR_MS))
    expect(await store.db.count(sql`select count(*) from outbox_messages where kind = 'key.ending'`)).toBe(0)
    const { _id: id } = await buyer.api.claims.open({ keyId: buyer.keyId, reason: 'never-worked' })
    store.clock.advance(24 * HOUR_MS)
    await (await given.owner()).claims.replace({ id, time: 'same-end' })
    await store.db.run(sql`
      update license_keys set expires_at = expires_at + interval '5 hours' where replaces is not null`)
    store.clock.advance(48 * HOUR_MS)
    await given.runJob()
    expect(await mine(buyer)).toMatchObject({ state: 'waiting' })
    await given.pass(4)
    expect(await keysOf(buyer)).toBe(2)
    await given.pass(1)
    expect(await keysOf(buyer)).toBe(3)
  }))

test('an erased account keeps none but what became an order', () =>
  withRenewals(async (given) => {
    const buyer = await given.holder({ left: 100 })
    await buyer.renew({ repeat: true })
    await given.pass(HOURS)
    expect(await given.store.db.count(sql`select count(*) from renewals`)).toBe(2)
    await (await given.owner()).users.remove({ id: buyer.id })
    await given.pass(1)
    expect(await given.store.db.count(sql`select count(*) from renewals where next_id is not null`)).toBe(1)
    expect(await given.store.db.count(sql`select count(*) from renewals`)).toBe(1)
  }))
