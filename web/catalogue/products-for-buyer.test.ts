import { expect, test } from 'vitest'
import type { Product } from '../../contract/catalogue.ts'
import { filterProducts } from './filter-products.ts'
import { asSeenBy, lowestPrice } from './products-for-buyer.ts'

function givenProduct(name: string, prices: Record<string, number>, rest: Partial<Product> = {}): Product {
  return {
    _id: name,
    name,
    description: '',
    hot: false,
    available: 5,
    sequence: 1,
    prices: Object.entries(prices).map(([duration, price]) => ({ _id: duration, duration, price, available: 5 })),
    ...rest,
  }
}

test('the price on a card is the given one, else the lowest that is for sale', () => {
  expect(lowestPrice(givenProduct('A', { '1 Day': 20, '1 Week': 90 }, { price: 15 }))).toBe(15)
  expect(lowestPrice(givenProduct('A', { '1 Day': 0, '1 Week': 90, '1 Month': 200 }))).toBe(90)
  expect(lowestPrice(givenProduct('A', { '1 Day': 0 }))).toBeUndefined()
})

test('a buyer sees their own prices, and not what is hidden from them', () => {
  const products = [givenProduct('A', { '1 Day': 20, '1 Week': 90 }, { price: 20 }), givenProduct('B', { '1 Day': 5 })]

  const seen = asSeenBy(
    { customPrices: [{ productId: 'A', duration: '1 Week', price: 10 }], hiddenProducts: ['B'] },
    products,
  )

  expect(seen.map(({ name }) => name)).toEqual(['A'])
  expect(seen[0]?.prices.map(({ price }) => price)).toEqual([20, 10])
  expect(seen[0]?.price).toBe(10)
})

test('steps stay, but not beside an own price, which decides alone', () => {
  const steps = [{ from: 5, price: 15 }]
  const product = givenProduct('A', {})
  const prices = [{ _id: '1', duration: '1 Day', price: 20, available: 5, steps }]
  const stepsFor = (customPrices: { productId: string; duration: string; price: number }[]) =>
    asSeenBy({ customPrices, hiddenProducts: [] }, [{ ...product, prices }])[0]?.prices[0]?.steps

  expect(stepsFor([])).toEqual(steps)
  expect(stepsFor([{ productId: 'A', duration: '1 Day', price: 18 }])).toBeUndefined()
})

test('what is not for sale to a buyer is out of stock, as for who is no admin', () => {
  const products = [givenProduct('A', { '1 Day': 0, '1 Week': 90, '1 Month': 0 }, { available: 15 })]
  const availableTo = (buyer: Parameters<typeof asSeenBy>[0]) =>
    asSeenBy(buyer, products).map(({ available, prices }) => [available, ...prices.map((price) => price.available)])

  expect(availableTo(null)).toEqual([[5, 0, 5, 0]])
  const customPrices = [
    { productId: 'A', duration: '1 Day', price: 10 },
    { productId: 'A', duration: '1 Week', price: 0 },
  ]
  expect(availableTo({ customPrices, hiddenProducts: [] })).toEqual([[5, 5, 0, 0]])
})

test('products are found by kind and by every word that was typed', () => {
  const products = [
    givenProduct('Orbit Arena', { '5 Days': 99 }, { hot: true, available: 0 }),
    givenProduct('Drift Zero', { '1 Month': 649 }, { description: 'All cars, one arena' }),
  ]
  const names = (filter: 'all' | 'hot' | 'in-stock', search: string) =>
    filterProducts(products, filter, search).map(({ name }) => name)

  expect(names('hot', '')).toEqual(['Orbit Arena'])
  expect(names('in-stock', '')).toEqual(['Drift Zero'])
  expect(names('all', 'ARENA')).toEqual(['Orbit Arena', 'Drift Zero'])
  expect(names('all', 'arena month')).toEqual(['Drift Zero'])
})
