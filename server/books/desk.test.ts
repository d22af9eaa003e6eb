import { expect, test } from 'vitest'
import { DAY_MS } from '../../contract/time.ts'
import { withStore } from '../../test/store.ts'
import { unique } from '../../test/worlds/constants.ts'
import { openShop, OWNER, type Shop } from '../../test/worlds/shop.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { closeDays } from './close-days.ts'

const duration = '10 Days'
const TODAY = '2026-11-20'

const texts = (count: number) => Array.from({ length: count }, () => unique('B-'))

const withShop = (work: (shop: Shop) => Promise<void>) =>
  withStore(async (store) => {
    await work(await openShop(store))
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

/** Sold for ₹100 each: two of a cheap batch, one of a dear one, and one without a cost. */
async function sellSome(shop: Shop) {
  const { _id: productId, name } = await shop.product()
  const add = async (count: number, delivery: { supplier?: string; costPerKey?: number }) => {
    const { batchId = '' } = await shop.owner.api.keys.add({ productId, duration, keys: texts(count), ...delivery })
    return batchId
  }
  const cheap = await add(2, { supplier: 'North', costPerKey: 30 })
  const dear = await add(1, { supplier: 'South', costPerKey: 140 })
  const unknown = await add(3, { supplier: 'Key Bazaar' })
  const plan = await shop.owner.api.payments.createPlan({ amount: 500, bonus: 600 })
  const buyer = await shop.buyer()
  const meta = { offer: true, planId: plan._id }
  const { payment } = await buyer.api.payments.addMoney({
    amount: 500,
    utr: '402611870001',
    payerName: '9876543210',
    meta,
  })
  await shop.owner.api.payments.approve({ id: payment._id })
  const keys = []
  for (let n = 0; n < 4; n++)
    keys.push(...(await buyer.api.orders.place({ productId, duration, quantity: 1 })).keys.map(({ _id }) => _id))
  return { productId, name, cheap, dear, unknown, buyer, keys }
}

test('a day has its revenue, bonus and cost, and the bad key is charged what its replacement cost', () =>
  withShop(async (shop) => {
    const { api } = shop.owner
    const { productId, name, buyer, keys } = await sellSome(shop)
    const report = async (nth: number) =>
      (await buyer.api.claims.open({ keyId: keys[nth] ?? '', reason: 'never-worked' }))._id
    await api.claims.refund({ id: await report(0), rule: 'full', expected: 100 })
    await api.claims.replace({ id: await report(2) })

    const { total, rows } = await api.books.read({ from: TODAY, to: TODAY, by: 'supplier' })

    // A sixth of each lot was bonus; ₹16.67 of each sale, and of the refund
    expect(total).toEqual({
      keys: 4,
      sold: 400,
      refunded: 100,
      revenue: 300,
      bonus: 50.01,
      cost: 200,
      warrantyKeys: 1,
      warranty: 0,
      unknownCostKeys: 2,
      profit: 49.99,
    })
    expect(rows).toMatchObject([
      { id: 'Key Bazaar', sold: 100, refunded: 0, cost: 0, unknownCostKeys: 1 },
      { id: 'North', sold: 200, refunded: 100, revenue: 100, bonus: 16.67, cost: 60, profit: 23.33 },
      { id: 'South', sold: 100, cost: 140, warrantyKeys: 1, unknownCostKeys: 1, profit: -56.67 },
    ])
    const byProduct = await api.books.read({ from: TODAY, to: TODAY, by: 'product' })
    expect(byProduct.rows).toMatchObject([{ id: productId, name, ...total }])
    expect((await api.books.read({ from: '2026-11-19', to: '2026-11-19', by: 'day' })).rows).toEqual([])
  }))

test('the sales that bonus paid for are listed, and of more than 31 days none', () =>
  withShop(async (shop) => {
    const { api } = shop.owner
    const { productId } = await sellSome(shop)
    const { _id: other } = await shop.product()
    const of = 'bonus'

    const { rows, total, amount } = await api.books.rows({ of, from: TODAY, to: TODAY, productId, limit: 1 })
    expect(rows).toMatchObject([{ order: { duration, isRefund: false } }])
    expect(total).toBe(4)
    expect(amount).toBe((await api.books.read({ from: TODAY, to: TODAY, by: 'product' })).total.bonus)
    expect(await api.books.rows({ of, from: TODAY, to: TODAY, productId: other })).toEqual({
      rows: [],
      total: 0,
      amount: 0,
    })
    await expect(api.books.rows({ of, from: '2026-10-20', to: TODAY })).rejects.toMatchObject({ code: 'BAD_PERIOD' })
  }))

test('a top-up that was taken back stays among what came in, and what was taken back of it has a row, too', () =>
  withShop(async (shop) => {
    const { buyer } = await sellSome(shop)
    const [topUp] = await buyer.api.payments.mine()
    await shop.owner.api.bank.takeBack({ id: topUp?._id ?? '', reason: 'It never came' })
    const rows = async (of: 'top-ups' | 'taken-back') =>
      (await shop.owner.api.books.rows({ of, from: TODAY, to: TODAY })).rows.map(({ amount, topUpId }) => [
        amount,
        topUpId,
      ])
    expect(await rows('top-ups')).toEqual([[500, topUp?._id]])
    expect(await rows('taken-back')).toEqual([[-200, topUp?._id]])
  }))

test('a cost that is entered later is in the books of days that are closed', () =>
  withShop(async (shop) => {
    const { unknown, buyer, keys } = await sellSome(shop)
    const { api } = shop.owner
    const id = (await buyer.api.claims.open({ keyId: keys[2] ?? '', reason: 'never-worked' }))._id
    await api.claims.replace({ id })
    const today = { from: TODAY, to: TODAY, by: 'day' } as const
    const before = await api.books.read(today)
    shop.store.clock.advance(DAY_MS)
    await api.sessions.adminLogin(OWNER)
    expect(await closeDays(shop.store.db, shop.store.clock.now())).toEqual({ closed: 1 })
    expect(await api.books.read(today)).toEqual(before)

    await api.keys.editBatch({ id: unknown, costPerKey: 55.5 })

    const { total } = await api.books.read(today)
    expect(total).toMatchObject({ cost: 255.5, warranty: 55.5, unknownCostKeys: 0 })
    expect(total.profit).toBe(Number((before.total.profit - 111).toFixed(2)))
  }))

test('batches with a loss stand out, and unsold keys tie up what they cost', () =>
  withShop(async (shop) => {
    const { cheap, dear, unknown } = await sellSome(shop)
    const { api } = shop.owner

    const all = await api.books.batches({})

    expect(all.batches.map(({ _id }) => _id)).toEqual([unknown, dear, cheap])
    expect(all.batches).toMatchObject([
      { keys: 1, added: 3, left: 2, tiedUp: null, costPerKey: null, daysToEmpty: null, unknownCostKeys: 1 },
      { keys: 1, left: 0, tiedUp: 0, profit: -56.67, daysToEmpty: 1, soldWithin: { 7: null, 30: null, 90: null } },
      { keys: 2, left: 0, revenue: 200, cost: 60, bonus: 33.34, profit: 106.66 },
    ])
    expect(all).toMatchObject({
      total: 3,
      losing: 1,
      ageing: [{ days: '0-30', keys: 2, tiedUp: 0, unknownCostKeys: 2 }, {}, {}, {}],
    })
    expect((await api.books.batches({ show: 'losing' })).batches.map(({ _id }) => _id)).toEqual([dear])
    expect((await api.books.batches({ show: 'unknown-cost', search: 'bazaar' })).batches).toHaveLength(1)
    expect((await api.books.batches({ search: 'nobody' })).batches).toEqual([])

    shop.store.clock.advance(45 * DAY_MS)
    await api.sessions.adminLogin(OWNER)
    expect((await api.books.batches({ show: '0-30' })).batches).toEqual([])
    expect((await api.books.batches({ show: '31-60' })).batches.map(({ _id }) => _id)).toEqual([unknown])
    const later = await api.books.batches({ search: 'bazaar' })
    expect(later.batches[0]?.soldWithin).toEqual({ 7: 33, 30: 33, 90: null })
    expect(later.ageing.map(({ keys }) => keys)).toEqual([0, 2, 0, 0])
  }))

test('unspent credit is known by source, and adds up', () =>
  withShop(async (shop) => {
    await sellSome(shop)
    await shop.buyer({ balance: 40 })

    const owed = await shop.owner.api.books.liability()

    // ₹200 of ₹600 are left, of which a sixth was bonus
    expect(owed.total).toBe(240)
    expect(owed.bySource).toEqual([
      { source: 'paid', amount: 206.67 },
      { source: 'bonus', amount: 33.33 },
      { source: 'referral', amount: 0 },
      { source: 'admin', amount: 0 },
    ])
    expect(owed.byAge[0]).toEqual({ days: '0-30', amount: 240 })
    expect(owed.byExpiry).toEqual([{ month: null, amount: 240 }])
    const rows = async (which: object) => {
      const { rows, total, amount } = await shop.owner.api.books.rows({ of: 'unspent', ...today, ...which })
      expect(rows).toHaveLength(total)
      return amount
    }
    const today = { from: TODAY, to: TODAY }
    expect(await rows({})).toBe(240)
    for (const { source, amount } of owed.bySource) expect(await rows({ source })).toBe(amount)
    expect(await rows({ source: 'paid', expires: 'never' })).toBe(206.67)
    expect(await rows({ expires: '2026-12' })).toBe(0)
    expect(await rows({ from: '2026-11-01', to: '2026-11-19' })).toBe(0)
    expect(owed.monthEnds).toHaveLength(12)
    expect(owed.monthEnds[0]).toEqual({ month: '2026-10', amount: 0 })
  }))

test('files have India’s days, rupees and no formula', () =>
  withShop(async (shop) => {
    const { productId } = await sellSome(shop)
    const name = '=HYPERLINK("https://evil.example")'
    await shop.owner.api.catalogue.update({ id: productId, name })
    const text = async (path: string) => String((await shop.owner.get(path)).body)

    const products = await text(`/reports/books/export?from=${TODAY}&to=${TODAY}&by=product`)
    expect(products).toContain(`"'=HYPERLINK(""https://evil.example"")",4,400,0,400,66.68,200,0,0,1,133.32`)
    expect(products).toContain('Total,4,400,0,400,66.68,200,0,0,1,133.32')
    expect(await text('/reports/month/export?month=2026-11')).toContain('Month 2026-11 (India),Amount (INR)')
    expect(await text('/reports/month/export?month=2026-11')).toContain('Sales,-400')
    expect(await text('/reports/batches/export')).toContain('Added (India)')
    expect(await text('/reports/liability/export')).toContain('Total,now,200')
  }))
