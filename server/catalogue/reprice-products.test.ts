import { expect, test } from 'vitest'
import type { Product } from '../../contract/catalogue.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'

const duration = '10 Days'
const withShop = (work: (shop: Shop) => Promise<void>) => withStore(async (store) => work(await openShop(store)))

const idsOf = (...products: readonly Product[]) => products.flatMap(({ prices }) => prices.map(({ _id }) => _id))

const listed = async ({ owner }: Shop) =>
  (await owner.api.catalogue.list({})).map(({ prices }) => prices.map(({ listPrice }) => listPrice))

test('prices of several products change together, rounded to whole rupees, and what is not for sale stays so', () =>
  withShop(async (shop) => {
    const one = await shop.product({ prices: { [duration]: 199, '1 Month': 449.5 } })
    const other = await shop.product({ prices: { [duration]: 79, '1 Year': 0 } })
    const change = { priceIds: idsOf(one, other), percent: -10 }

    const preview = await shop.owner.api.catalogue.reprice({ ...change, preview: true })
    expect(preview.map(({ from, to }) => [from, to])).toEqual([
      [199, 179],
      [449.5, 405],
      [79, 71],
      [0, 0],
    ])
    expect(await listed(shop)).toEqual([
      [199, 449.5],
      [79, 0],
    ])

    const expected = preview.map(({ priceId, from }) => ({ priceId, price: from }))
    expect(await shop.owner.api.catalogue.reprice({ ...change, expected })).toEqual(preview)
    await shop.owner.api.catalogue.reprice({ priceIds: idsOf(one), rupees: 20 })
    expect(await listed(shop)).toEqual([
      [199, 425],
      [71, 0],
    ])
    const { entries } = await shop.owner.api.reports.audit({ action: 'product.reprice' })
    expect(entries.map(({ subject }) => subject)).toEqual(['2 prices', '4 prices'])
  }))

test('a change that one price cannot take changes none, and says which', () =>
  withShop(async (shop) => {
    const dear = await shop.product({ prices: { [duration]: 400 } })
    const cheap = await shop.product({ prices: { [duration]: 30 } })
    const priceIds = idsOf(dear, cheap)
    const refused = async (change: object) => (await shop.owner.post('/products/reprice', { priceIds, ...change })).body

    expect(await refused({ rupees: -30 })).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { rupees: `${cheap.name} (${duration}) would cost ₹0. Choose a smaller change.` },
    })
    expect(await refused({ percent: -99 })).toMatchObject({
      fields: { percent: expect.stringContaining('₹0') as string },
    })
    for (const change of [{}, { percent: 1, rupees: 1 }, { percent: 1.5 }, { percent: -100 }, { rupees: 'x' }])
      expect(await refused(change), JSON.stringify(change)).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await refused({ rupees: 999_999_999 })).toMatchObject({ code: 'INVALID_INPUT' })
    await shop.owner.api.catalogue.remove({ id: cheap._id })
    expect(await refused({ percent: 10 })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await listed(shop)).toEqual([[400]])
  }))

// The lock on the products stands between the two
test('two admins who change the same prices at once: one does, and the other is asked to look again', () =>
  withShop(async (shop) => {
    const product = await shop.product({ prices: { [duration]: 100 } })
    const [priceId = ''] = idsOf(product)
    for (let price = 100; price < 105; price++) {
      const change = { priceIds: [priceId], rupees: 1, expected: [{ priceId, price }] }
      const answers = await Promise.all([1, 2, 3].map(() => shop.owner.post('/products/reprice', change)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.code === 'AMOUNT_CHANGED')).toHaveLength(2)
    }
    expect(await listed(shop)).toEqual([[105]])
  }))

test('a buyer whose page shows the old price is asked again', () =>
  withShop(async (shop) => {
    const product = await shop.product({ prices: { [duration]: 100 }, stock: 1 })
    const buyer = await shop.buyer({ balance: 200 })
    await shop.owner.api.catalogue.reprice({ priceIds: idsOf(product), rupees: 5 })
    const order = { productId: product._id, duration, quantity: 1 }
    expect(await buyer.post('/keys/buy', { ...order, expectedPrice: 100 })).toMatchObject({
      body: { code: 'PRICE_CHANGED' },
    })
    await buyer.api.orders.place({ ...order, expectedPrice: 105 })
  }))
