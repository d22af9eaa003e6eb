import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startOfDay } from '../../contract/india.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { withStore } from '../../test/store.ts'
import { anAdmin } from '../../test/worlds/admins.ts'
import { unique } from '../../test/worlds/constants.ts'
import { logIn, openShop, OWNER, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { remind } from '../reminders/remind.ts'
import { tellDue } from './tell-due.ts'

const duration = '10 Days'

interface Given {
  shop: Shop
  productId: string
  /** A buyer of so many keys, who reports the first one. */
  reported(options?: { quantity?: number; reason?: Reason }): Promise<{ buyer: Buyer; id: string; keyIds: string[] }>
  /** Lets time pass, after which the owner and these buyers log in again. */
  pass(ms: number, ...back: Buyer[]): Promise<void>
}
type Reason = 'never-worked' | 'already-used' | 'stopped' | 'other'

const withDesk = (work: (given: Given) => Promise<void>, { stock = 6 } = {}) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await store.db.run(
      sql`insert into channels (name, is_on) values ('push', true) on conflict (name) do update set is_on = true`,
    )
    const { _id: productId } = await shop.product({ stock })
    await work({
      shop,
      productId,
      async pass(ms, ...back) {
        store.clock.advance(ms)
        await shop.owner.api.sessions.adminLogin(OWNER)
        for (const buyer of back) await logIn(buyer, buyer.username)
      },
      async reported({ quantity = 1, reason = 'never-worked' } = {}) {
        const buyer = await shop.buyer({ balance: 1_000 })
        const { keys } = await buyer.api.orders.place({ productId, duration, quantity })
        const keyIds = keys.map((key) => key._id)
        const { _id: id } = await buyer.api.claims.open({ keyId: keyIds[0] ?? '', reason, note: 'Code 0x80' })
        return { buyer, id, keyIds }
      },
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

const balance = async ({ api }: Buyer): Promise<number> => (await api.sessions.me()).balance

test('a bad key is replaced by the oldest in stock, for the whole time again', () =>
  withDesk(async ({ shop, productId, reported, pass }) => {
    const { buyer, id, keyIds } = await reported()
    await pass(DAY_MS)

    const claim = await shop.owner.api.claims.replace({ id, answer: 'Sorry. Here is a new one.' })

    expect(claim).toMatchObject({ status: 'replaced', decidedBy: 'owner', answer: 'Sorry. Here is a new one.' })
    const keys = await buyer.api.keys.mine()
    expect(keys).toMatchObject([
      { _id: claim.replacementId, replaces: keyIds[0] },
      { _id: keyIds[0], state: 'replaced' },
    ])
    const [fresh] = keys
    expect(Date.parse(fresh?.expiresAt ?? '') - Date.parse(fresh?.assignedAt ?? '')).toBe(10 * DAY_MS)
    expect(await buyer.api.claims.mine()).toMatchObject([{ number: 'C-1001', status: 'replaced', keyId: keyIds[0] }])
    const stock = await buyer.api.keys.stock()
    expect(stock[`${productId}_${duration}`]?.available).toBe(4)
    expect(await balance(buyer)).toBe(900)
  }))

test('a key that stopped is replaced to its own end, unless that has passed or the admin says otherwise', () =>
  withDesk(async ({ shop, reported, pass }) => {
    const [first, second, third] = [
      await reported({ reason: 'stopped' }),
      await reported({ reason: 'stopped' }),
      await reported({ reason: 'stopped' }),
    ]
    const [old] = await first.buyer.api.keys.mine()
    await pass(4 * DAY_MS)
    await shop.owner.api.claims.replace({ id: first.id })
    await shop.owner.api.claims.replace({ id: second.id, time: 'full' })
    const newest = async ({ buyer }: typeof first) => (await buyer.api.keys.mine())[0]?.expiresAt ?? ''
    expect(await newest(first)).toBe(old?.expiresAt)
    expect(Date.parse(await newest(second)) - Date.parse(old?.expiresAt ?? '')).toBeCloseTo(4 * DAY_MS, -4)

    await pass(7 * DAY_MS, third.buyer)
    expect((await shop.owner.put(`/claims/${third.id}/replace`, { time: 'same-end' })).status).toBe(400)
    await shop.owner.api.claims.replace({ id: third.id })
    expect(Date.parse(await newest(third))).toBeGreaterThan(Date.parse(old?.expiresAt ?? ''))
  }))

test('no new key is of another duration: of a renamed one the desk refuses, and a batch is refunded', () =>
  withDesk(async ({ shop, productId, reported }) => {
    const [one, two] = [await reported(), await reported()]
    const rename = async (from: string, to: string) => {
      const product = (await shop.owner.api.catalogue.list()).find(({ _id }) => _id === productId)
      const prices = (product?.prices ?? []).map(({ _id, price = 0, ...row }) => {
        return { _id, price, duration: row.duration === from ? to : row.duration }
      })
      await shop.owner.api.catalogue.update({ id: productId, prices })
    }
    await rename(duration, '1 Hour')

    expect((await shop.owner.put(`/claims/${one.id}/replace`, {})).body.code).toBe('OUT_OF_STOCK')
    const { batch } = await shop.owner.api.claims.one({ id: one.id })
    const all = await shop.owner.api.claims.answerAll({ id: batch?._id ?? '', do: 'replace', answer: '' })
    expect(all).toEqual({ replaced: 0, refunded: 2, left: 0 })
    expect(await Promise.all([one, two].map(({ buyer }) => balance(buyer)))).toEqual([1_000, 1_000])

    const third = await shop.buyer({ balance: 1_000 })
    await rename('1 Hour', duration)
    const { keys } = await third.api.orders.place({ productId, duration, quantity: 1 })
    const { _id: id } = await third.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'other' })
    expect(await shop.owner.api.claims.replace({ id })).toMatchObject({ status: 'replaced' })
  }))

test('a refund goes back to the credit that paid last, and the history says what for', () =>
  withDesk(async ({ shop, reported }) => {
    const { buyer, id, keyIds } = await reported({ quantity: 3 })
    const { offers, left } = await shop.owner.api.claims.one({ id })
    expect({ offers, left }).toEqual({ offers: { full: 100, unused: 100, terms: 80 }, left: 100 })

    const claim = await shop.owner.api.claims.refund({ id, rule: 'terms', expected: 80 })

    expect(claim).toMatchObject({ status: 'refunded', refunded: 80, rule: 'terms' })
    expect(await balance(buyer)).toBe(780)
    const [line] = await buyer.api.wallet.history({ limit: 1 })
    expect(line).toMatchObject({ kind: 'refund', type: 'topup', amount: 80, balanceAfter: 780 })
    expect(line?.description).toMatch(/^Refund: Game .*\(10 Days\), C-1001$/)
    const { purchases, totalRevenue } = await shop.owner.api.orders.purchases({})
    expect(purchases[0]).toMatchObject({ amount: 300, refunded: 80, claims: 1 })
    expect(totalRevenue).toBe(220)
    expect((await buyer.post('/claims', { keyId: keyIds[0], reason: 'other' })).body).toMatchObject({
      code: 'NOT_FOUND',
      message: 'This key was replaced or refunded already.',
    })
  }))

test('credit that has expired or soon will comes back as new credit for 30 days', () =>
  withDesk(async ({ shop, productId, pass }) => {
    const buyer = await shop.buyer()
    const add = (rupees: number, expiresInDays: number) =>
      shop.owner.api.users.update({ id: buyer.id, balance: rupees, expiresInDays })
    await add(60, 2)
    await add(60, 40)
    const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
    const { _id: id } = await buyer.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'stopped' })
    await pass(3 * DAY_MS)

    await shop.owner.api.claims.refund({ id, rule: 'full', expected: 100 })

    const { wallet: lots } = await buyer.api.sessions.me()
    const days = lots.map(({ amount, expiresAt }) => [
      amount,
      expiresAt && Math.round((Date.parse(expiresAt) - shop.store.clock.now().getTime()) / DAY_MS),
    ])
    expect(days).toEqual([
      [60, 30],
      [60, 37],
    ])
    await pass(31 * DAY_MS, buyer)
    expect(await balance(buyer)).toBe(60)
    await pass(7 * DAY_MS, buyer)
    expect(await balance(buyer)).toBe(0)
  }))

test('the unused part is that of the report, however long the store takes', () =>
  withDesk(async ({ shop, productId, pass }) => {
    const buyer = await shop.buyer({ balance: 100 })
    const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
    await pass(5 * DAY_MS)
    const { _id: id } = await buyer.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'stopped' })
    await pass(2 * DAY_MS)
    expect((await shop.owner.api.claims.one({ id })).offers).toEqual({ full: 100, unused: 50, terms: null })
    expect((await shop.owner.put(`/claims/${id}/refund`, { rule: 'unused', expected: 30 })).body).toMatchObject({
      code: 'AMOUNT_CHANGED',
      amount: 50,
    })
    await shop.owner.api.claims.refund({ id, rule: 'unused', expected: 50 })
    expect(await balance(buyer)).toBe(50)
  }))

test('another sum is from one paisa to the price of the key', () =>
  withDesk(async ({ shop, reported }) => {
    const { id, buyer } = await reported()
    const refund = (amount: number | undefined) =>
      shop.owner.put(`/claims/${id}/refund`, { rule: 'other', amount, expected: amount ?? 1 })
    for (const amount of [undefined, 0, -1, 100.01, 0.001, 1e12]) expect((await refund(amount)).status).toBe(400)
    expect((await refund(99.99)).status).toBe(200)
    expect(await balance(buyer)).toBe(999.99)
  }))

test('a claim is refused for a key of somebody else, a second time, too late, and above five', () =>
  withDesk(
    async ({ shop, productId, pass }) => {
      const [buyer, other] = [await shop.buyer({ balance: 1_000 }), await shop.buyer()]
      const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 7 })
      const open = (nth: number, by: Buyer = buyer) => by.post('/claims', { keyId: keys[nth]?._id, reason: 'other' })
      expect((await open(0, other)).body.code).toBe('NOT_FOUND')
      for (const nth of [0, 1, 2, 3, 4]) expect((await open(nth)).status).toBe(201)
      expect((await open(0)).body.code).toBe('CLAIM_OPEN')
      expect((await open(5)).body.code).toBe('TOO_MANY_CLAIMS')
      const [newest] = await buyer.api.claims.mine()
      await buyer.api.claims.withdraw({ id: newest?._id ?? '' })
      await pass(17 * DAY_MS, buyer)
      expect((await open(5)).status).toBe(201)
      await pass(1)
      expect((await open(6)).body.code).toBe('CLAIM_TOO_LATE')
      expect((await buyer.post('/claims', { keyId: keys[6]?._id, reason: 'recalled' })).status).toBe(400)
    },
    { stock: 7 },
  ))

test('a repeated purchase gets its own keys again, and not those that were given for bad ones', () =>
  withDesk(async ({ shop, productId }) => {
    const buyer = await shop.buyer({ balance: 500 })
    const key = { 'idempotency-key': unique('key') }
    const buy = () => buyer.post('/keys/buy', { productId, duration, quantity: 2 }, key)
    const first = await buy()
    const { _id: id } = await buyer.api.claims.open({ keyId: first.body.keys[0]._id, reason: 'other' })
    await shop.owner.api.claims.replace({ id })
    expect((await buy()).body).toEqual(first.body)
  }))

test('the desk says which credit of a purchase was taken back', () =>
  withDesk(async ({ shop, reported }) => {
    const { buyer, id } = await reported()
    const paidFrom = async () => (await shop.owner.api.claims.one({ id })).evidence.paidFrom
    expect(await paidFrom()).toMatchObject([{ source: 'topup', amount: 100, isTakenBack: false }])
    const [topUp] = await buyer.api.payments.mine({})
    await shop.owner.api.bank.takeBack({ id: topUp?._id ?? '', reason: 'It never came' })
    expect(await paidFrom()).toMatchObject([{ isTakenBack: true }])
  }))

test('a key that was replaced or refunded is not said to end', () =>
  withDesk(async ({ shop, reported }) => {
    const [running, replaced, refunded] = [await reported(), await reported(), await reported()]
    await shop.owner.api.claims.replace({ id: replaced.id })
    await shop.owner.api.claims.refund({ id: refunded.id, rule: 'full', expected: 100 })
    const [key] = await running.buyer.api.keys.mine()
    const noonBefore = new Date(startOfDay(new Date(key?.expiresAt ?? '')).getTime() - DAY_MS / 2)
    expect((await remind(shop.store.db, noonBefore)).keys).toBe(1)
  }))

test('who closes the account takes the claims back, and a closed account gets nothing', () =>
  withDesk(async ({ shop, reported }) => {
    const { buyer, id } = await reported()
    await shop.owner.api.users.remove({ id: buyer.id })
    expect(await shop.owner.api.claims.one({ id })).toMatchObject({ status: 'withdrawn', note: '' })
    expect((await shop.owner.put(`/claims/${id}/replace`, {})).body.code).toBe('CLAIM_DECIDED')
  }))

test('buyers are told of answers, and admins of claims, once', () =>
  withDesk(async ({ shop, reported, pass }) => {
    const { db, clock } = shop.store
    const [first] = [await reported(), await reported()]
    const told = async () =>
      (await db.rows(sql(z.object({ kind: z.string() }))`select kind from outbox_messages order by id`)).map(
        ({ kind }) => kind,
      )
    expect((await told()).filter((kind) => kind.startsWith('claim'))).toEqual(['claim.opened'])
    await shop.owner.api.claims.reject({ id: first.id, answer: 'It works here.' })
    await pass(35 * HOUR_MS)
    expect(await tellDue(db, clock.now())).toEqual({ told: 0 })
    await pass(HOUR_MS)
    expect(await tellDue(db, clock.now())).toEqual({ told: 1 })
    expect(await tellDue(db, clock.now())).toEqual({ told: 0 })
    expect((await told()).filter((kind) => kind.startsWith('claim'))).toEqual([
      'claim.opened',
      'claim.answered',
      'claim.due',
    ])
  }))

test('the desk shows open claims oldest first, and finds them by number, buyer, batch and key', () =>
  withDesk(async ({ shop, reported, pass }) => {
    const first = await reported()
    await pass(60_000)
    const second = await reported({ reason: 'already-used' })
    const found = async (search: object) => (await shop.owner.api.claims.list(search)).claims.map(({ _id }) => _id)
    expect(await found({ status: 'open' })).toEqual([first.id, second.id])
    expect(await found({})).toEqual([second.id, first.id])
    expect(await found({ search: 'C-1002' })).toEqual([second.id])
    expect(await found({ search: first.buyer.username.slice(2) })).toEqual([first.id])
    expect(await found({ keyId: second.keyIds[0] })).toEqual([second.id])
    expect(await found({ userId: first.buyer.id, reason: 'already-used' })).toEqual([])
    const { batch } = await shop.owner.api.claims.one({ id: first.id })
    expect(await found({ batchId: batch?._id })).toEqual([second.id, first.id])
  }))

test('an admin who may only read sees the end of a claimed key, and those who work with keys see it whole', () =>
  withDesk(async ({ shop, reported }) => {
    const { buyer, id } = await reported()
    const [bought] = await buyer.api.keys.mine({})
    for (const role of ['support', 'payments', 'stock', 'read-only'] as const) {
      const { browser } = await anAdmin(shop, role)
      expect(await browser.api.claims.one({ id }), 'before a proof').toMatchObject({ isWhole: false })
      await browser.api.admins.stepUp({ password: OWNER.password })
      const { key, isWhole } = await browser.api.claims.one({ id })
      expect([isWhole, key === bought?.key], role).toEqual(role === 'read-only' ? [false, false] : [true, true])
    }
  }))
