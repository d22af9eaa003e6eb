import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

const MESSAGE = 'Enter a date like 2026-11-20'

/** Opens a shop with one sale, made at 15:44 UTC on 20 November 2026. */
async function openSoldShop(store: Parameters<typeof openShop>[0]) {
  const shop = await openShop(store)
  const { _id: productId } = await shop.product({ stock: 1 })
  const buyer = await shop.buyer({ balance: 100 })
  await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
  return shop
}

test('sales are found from and to a day as it is in India, or a moment; empty is no bound', () =>
  withStore(async (store) => {
    const { owner } = await openSoldShop(store)
    const sales = async (bounds: Record<string, string>) =>
      (await owner.get(`/payments/purchases?${new URLSearchParams(bounds).toString()}`)).body.total

    expect(await sales({ from: '', to: '' })).toBe(1)
    expect(await sales({ from: '2026-11-20', to: '2026-11-20' })).toBe(1)
    expect(await sales({ from: '2026-11-21' })).toBe(0)
    expect(await sales({ to: '2026-11-19' })).toBe(0)
    expect(await sales({ from: '2026-11-20T15:44:00.000Z', to: '2026-11-20T21:15+05:30' })).toBe(1)
    expect(await sales({ from: '2026-11-20T15:44:01Z' })).toBe(0)
    expect(await sales({ from: '0001-01-01', to: '9999-12-31' })).toBe(1)
    expect(await sales({ from: '0001-01-01T00:00:00+23:59', to: '9999-12-31T23:59:59-23:59' })).toBe(1)
  }))

test('a sale is found by the name that its product had then, and by no later one', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { owner } = shop
    const product = await shop.product({ name: 'Orbit', stock: 2 })
    const buyer = await shop.buyer({ balance: 500 })
    const found = async (search: string) => (await owner.api.orders.purchases({ search })).total
    const buy = () => buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
    await buy()

    await owner.api.catalogue.update({ id: product._id, name: 'Comet' })
    expect([await found('orbit'), await found('comet')]).toEqual([1, 0])
    await buy()
    await owner.api.catalogue.update({ id: product._id, name: 'Nova' })

    expect([await found('orbit'), await found('comet'), await found('nova'), await found('o')]).toEqual([1, 1, 0, 2])
  }))

test('a sale of an earlier version, whose id is of another second, is in its day and in the overview', () =>
  withStore(async (store) => {
    const { owner } = await openSoldShop(store)
    for (const seconds of [-50, 50]) {
      const at = new Date(Date.parse('2026-11-19T18:30:00Z'))
      await store.db.run(sql`
        insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                            unit_paise, amount_paise, created_at)
        select ${newId(new Date(at.getTime() + seconds * 1_000))}, user_id, product_id, price_id, product_name,
               product_description, duration, quantity, unit_paise, amount_paise, ${at}
          from orders limit 1`)
    }
    const sales = async (bounds: Record<string, string>) =>
      (await owner.get(`/payments/purchases?${new URLSearchParams(bounds).toString()}`)).body.total

    expect(await sales({ from: '2026-11-20', to: '2026-11-20' })).toBe(3)
    expect(await sales({ from: '2026-11-20T00:00:00+05:30', to: '2026-11-20T00:00:00.001+05:30' })).toBe(2)
    expect((await owner.api.reports.overview({ days: 1 })).today.orders).toBe(3)
  }))

test('what is no date that there is, is refused by the list and by the file', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    for (const text of [
      '-005000-01-01',
      '+010000-01-01',
      '0000-01-01',
      'hello 12',
      'soon',
      '12',
      '2026-02-31',
      '2026-13-01',
      '2026-02-30T10:00:00Z',
      '2026-11-20T10:00:00',
      '2026-11-20T25:00:00Z',
      '0000-05-01T00:00:00Z',
    ])
      for (const path of ['/payments/purchases', '/payments/purchases/export'])
        for (const field of ['from', 'to'])
          expect(await owner.get(`${path}?${new URLSearchParams({ [field]: text }).toString()}`), text).toMatchObject({
            status: 400,
            body: { code: 'INVALID_INPUT', message: MESSAGE, fields: { [field]: MESSAGE } },
          })
  }))

test('a day that does not exist is refused where only days are taken', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    for (const day of ['2026-02-31', '2027-02-29', '0000-01-01'])
      expect(await owner.get(`/payments?decidedOn=${day}`)).toMatchObject({
        status: 400,
        body: { fields: { decidedOn: MESSAGE } },
      })
    expect((await owner.get('/payments?decidedOn=2028-02-29')).status).toBe(200)
    expect((await owner.get('/payments?decidedOn=0001-01-01')).status).toBe(200)
  }))

test('a sale is found by the name of its product in Hindi, with and without the dot that phones leave out', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const product = await shop.product({ name: 'Free Pass', stock: 1 })
    await shop.owner.api.catalogue.update({ id: product._id, nameHi: 'फ़्री हिन्दी पास' })
    const buyer = await shop.buyer({ balance: 500 })
    await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
    const found = async (search: string) => (await shop.owner.api.orders.purchases({ search })).total

    expect(await Promise.all(['फ्री', 'फ़्री', 'हिंदी', 'free', 'पास', 'ज़'].map(found))).toEqual([1, 1, 1, 1, 1, 0])
  }))
