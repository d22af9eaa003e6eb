import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'

const duration = '10 Days'
const withShop = (work: (shop: Shop) => Promise<void>) => withStore(async (store) => work(await openShop(store)))

const namesOf = (products: readonly { name: string }[]) => products.map(({ name }) => name)

test('buyers and visitors neither see nor buy what is not listed, and keep what they bought', () =>
  withShop(async (shop) => {
    const { _id: productId, name } = await shop.product({ stock: 3 })
    const buyer = await shop.buyer({ balance: 500 })
    await shop.owner.api.users.update({ id: buyer.id, customPrices: [{ productId, duration, price: 80 }] })
    await buyer.api.orders.place({ productId, duration, quantity: 1 })
    await shop.owner.api.catalogue.update({ id: productId, instructions: 'Paste it.', isListed: false })

    expect(await buyer.api.catalogue.list({})).toEqual([])
    expect(await shop.visitor().api.catalogue.list({})).toEqual([])
    expect(await buyer.post('/keys/buy', { productId, duration, quantity: 1 })).toMatchObject({
      status: 404,
      body: { code: 'PRODUCT_NOT_FOUND' },
    })
    expect(await buyer.api.keys.mine()).toMatchObject([{ instructions: 'Paste it.' }])
    expect(await shop.owner.api.catalogue.list({})).toMatchObject([{ name, isListed: false, available: 2 }])

    await shop.owner.api.catalogue.update({ id: productId, isListed: true })
    const [back] = await buyer.api.catalogue.list({})
    expect(back).toMatchObject({ name, available: 2, price: 80 })
    expect(back).not.toHaveProperty('isListed')
    await buyer.api.orders.place({ productId, duration, quantity: 1 })
  }))

test('a copy has the texts and prices, no stock and a name of its own, also under eight presses at once', () =>
  withShop(async (shop) => {
    const { _id: id, name } = await shop.product({ prices: { [duration]: 100, '1 Month': 250.5 }, stock: 2 })
    const texts = { description: 'Two lines', hot: true, instructions: 'Paste it.', downloadUrl: 'https://a.example/b' }
    await shop.owner.api.catalogue.update({ id, ...texts })

    const copies = await Promise.all(Array.from({ length: 8 }, () => shop.owner.api.catalogue.duplicate({ id })))

    expect(namesOf(copies).toSorted()).toEqual(
      [`${name} copy`, ...[2, 3, 4, 5, 6, 7, 8].map((number) => `${name} copy ${number}`)].toSorted(),
    )
    const [copy] = copies
    expect(copy).toMatchObject({ ...texts, isListed: false, available: 0 })
    expect(copy?.prices.map(({ listPrice }) => listPrice)).toEqual([100, 250.5])
    const again = await shop.owner.api.catalogue.duplicate({ id: copy?._id ?? '' })
    expect(again.name).toBe(`${name} copy 9`)
    expect(namesOf(await shop.visitor().api.catalogue.list({}))).toEqual([name])
  }))

test('a long name is cut for its copy, between two characters', () =>
  withShop(async (shop) => {
    const { _id: id } = await shop.product({ name: `${'x'.repeat(69)}😀yyyy` })
    expect((await shop.owner.api.catalogue.duplicate({ id })).name).toBe(`${'x'.repeat(69)} copy`)
  }))
