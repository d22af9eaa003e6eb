import { expect, test } from 'vitest'
import { DAY_MS } from '../../contract/time.ts'
import { withStore } from '../../test/store.ts'
import { unique } from '../../test/worlds/constants.ts'
import { logIn, nextUtr, openShop, OWNER, type Shop } from '../../test/worlds/shop.ts'
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
      // The sale of Key Bazaar, whose keys cost something that nobody knows
      unknownCostSales: 83.33,
      lost: 0,
      profit: -33.34,
    })
    expect(rows).toMatchObject([
      { id: 'Key Bazaar', sold: 100, refunded: 0, cost: 0, unknownCostKeys: 1, unknownCostSales: 83.33, profit: 0 },
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

test('what was bought with a top-up that was taken back is lost, on that day and in every total', () =>
  withShop(async (shop) => {
    const { api } = shop.owner
    const { buyer, keys, name } = await sellSome(shop)
    const [topUp] = await buyer.api.payments.mine()
    shop.store.clock.advance(DAY_MS)
    await api.sessions.adminLogin(OWNER)
    await logIn(buyer, buyer.username)
    await closeDays(shop.store.db, shop.store.clock.now())
    const NEXT = '2026-11-21'
    const read = (by: 'day' | 'product' | 'supplier') => api.books.read({ from: TODAY, to: NEXT, by })
    const sold = { keys: 4, revenue: 400, bonus: 66.68, cost: 200 }
    expect((await read('day')).total).toMatchObject({ ...sold, lost: 0, unknownCostSales: 83.33, profit: 49.99 })
    const month = async () => {
      const { lines } = await api.books.month({ month: '2026-11' })
      return Object.fromEntries(lines.flatMap(({ line, amount }) => (amount === 0 ? [] : [[line, amount]])))
    }

    expect(await api.bank.takeBack({ id: topUp?._id ?? '', reason: 'It never came' })).toMatchObject({ loss: 400 })

    // Of the ₹400, ₹66.67 were bonus
    const lost = { lost: 333.33, unknownCostSales: 0, profit: -200.01 }
    for (const by of ['day', 'product', 'supplier'] as const)
      expect((await read(by)).total, by).toMatchObject({ ...sold, ...lost })
    expect((await read('day')).rows).toMatchObject([
      { id: NEXT, keys: 0, revenue: 0, lost: 333.33, unknownCostSales: -83.33, profit: -250 },
      { id: TODAY, ...sold, lost: 0, unknownCostSales: 83.33, profit: 49.99 },
    ])
    expect((await read('product')).rows).toMatchObject([{ name, lost: 0, profit: 49.99 }])
    expect((await read('supplier')).rows.map(({ id, lost }) => [id, lost])).toEqual([
      ['North', 0],
      ['Key Bazaar', 0],
      ['South', 0],
    ])
    expect(await month()).toEqual({ 'top-ups': 500, bonus: 100, sales: -400, 'taken-back': -200 })
    expect((await api.reports.overview({})).today).toMatchObject({ sales: 0, topUps: 0 })
    expect((await api.reports.overview({})).yesterday).toMatchObject({ sales: 400, topUps: 0 })

    const claim = await buyer.api.claims.open({ keyId: keys[0] ?? '', reason: 'never-worked' })
    await api.claims.refund({ id: claim._id, rule: 'full', expected: 100 })
    const afterRefund = { revenue: 300, bonus: 50.01, lost: 250, profit: -200.01 }
    expect((await read('day')).total).toMatchObject(afterRefund)
    expect(await month()).toMatchObject({ sales: -400, refunds: 100, 'taken-back': -300 })
    await closeDays(shop.store.db, new Date(shop.store.clock.now().getTime() + DAY_MS))
    expect((await read('product')).total).toMatchObject(afterRefund)
  }))

test('of a top-up that was taken back only what bought keys is lost, not what expired or was deducted', () =>
  withShop(async (shop) => {
    const { api } = shop.owner
    await api.settings.saveStore({ topupValidityDays: 3 })
    const { _id: productId } = await shop.product({ stock: 1 })
    const buyer = await shop.buyer()
    const { payment } = await buyer.api.payments.addMoney({ amount: 500, utr: nextUtr(), payerName: '9876543210' })
    await api.payments.approve({ id: payment._id })
    await buyer.api.orders.place({ productId, duration, quantity: 1 })
    await api.users.update({ id: buyer.id, balance: -50, expiresInDays: null })
    shop.store.clock.advance(4 * DAY_MS)
    await api.sessions.adminLogin(OWNER)

    expect(await api.bank.takeBack({ id: payment._id, reason: 'It never came' })).toMatchObject({ taken: 0, loss: 500 })

    const { total } = await api.books.read({ from: TODAY, to: '2026-11-24', by: 'product' })
    expect(total).toMatchObject({ revenue: 100, lost: 100, profit: 0 })
  }))

/** A buyer with two top-ups that soon expire. ₹30 of the first are spent, and refunds renew the other ₹60 with ₹40. */
async function renewing(shop: Shop) {
  const { api } = shop.owner
  await api.settings.saveStore({ topupValidityDays: 3 })
  const { _id: productId } = await shop.product({ stock: 2 })
  const buyer = await shop.buyer()
  const topUp = async (amount: number) => {
    const { payment } = await buyer.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })
    await api.payments.approve({ id: payment._id })
    return () => api.bank.takeBack({ id: payment._id, reason: 'It never came' })
  }
  const takeBacks = [await topUp(90), await topUp(40)] as const
  const { _id: cheapId } = await shop.product({ stock: 1, prices: { [duration]: 30 } })
  await buyer.api.orders.place({ productId: cheapId, duration, quantity: 1 })
  const renew = async () => {
    const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
    const { _id: id } = await buyer.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'never-worked' })
    await api.claims.refund({ id, rule: 'full', expected: 100 })
  }
  const pass = async (days: number) => {
    shop.store.clock.advance(days * DAY_MS)
    await api.sessions.adminLogin(OWNER)
    await logIn(buyer, buyer.username)
  }
  const lost = async () => (await api.books.read({ from: TODAY, to: '2027-02-28', by: 'day' })).total.lost
  return { takeBacks, renew, pass, lost }
}

test('nor what refunds have renewed together with another’s, and nobody spent', () =>
  withShop(async (shop) => {
    const { takeBacks, renew, pass, lost } = await renewing(shop)
    await renew()
    await pass(25)
    await renew()
    await pass(31)

    for (const [nth, loss] of [90, 40].entries()) {
      expect(await takeBacks[nth]?.()).toMatchObject({ taken: 0, loss })
      expect(await lost()).toBe(30)
    }
  }))

test('what expires after a take-back of the same renewed credit is another’s', () =>
  withShop(async (shop) => {
    const { takeBacks, renew, pass, lost } = await renewing(shop)
    await renew()
    expect(await takeBacks[0]()).toMatchObject({ taken: 60, loss: 30 })
    await pass(31)
    expect(await lost()).toBe(30)
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
    expect(total).toMatchObject({ cost: 255.5, warranty: 55.5, unknownCostKeys: 0, unknownCostSales: 0 })
    const { profit, unknownCostSales } = before.total
    expect(total.profit).toBe(Number((profit + unknownCostSales - 111).toFixed(2)))
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
    expect(products).toContain(`"'=HYPERLINK(""https://evil.example"")",4,400,0,400,66.68,200,0,0,1,83.33,0,49.99`)
    expect(products).toContain('Total,4,400,0,400,66.68,200,0,0,1,83.33,0,49.99')
    expect(await text('/reports/month/export?month=2026-11')).toContain('Month 2026-11 (India),Amount (INR)')
    expect(await text('/reports/month/export?month=2026-11')).toContain('Sales,-400')
    expect(await text('/reports/batches/export')).toContain('Added (India)')
    expect(await text('/reports/liability/export')).toContain('Total,now,200')
  }))
