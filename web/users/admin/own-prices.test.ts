import { expect, test } from 'vitest'
import type { Product } from '../../../contract/catalogue.ts'
import { changedIn, draftOf, isPriceWrong, pricesOf } from './own-prices.ts'

const product: Product = {
  _id: 'p1',
  name: 'Orbit',
  description: '',
  hot: false,
  available: 0,
  sequence: 1,
  prices: ['5 Days', '1 Month'].map((duration) => ({ _id: duration, duration, price: 399, available: 0 })),
}
const stored = [
  { productId: 'p1', duration: '5 Days', price: 79 },
  { productId: 'gone', duration: '5 Days', price: 1 },
]

test('an emptied price goes, a typed one comes, and what is not sold any more falls out', () => {
  const draft = { ...draftOf(stored), 'p1_5 Days': '', 'p1_1 Month': '349.50' }

  expect(changedIn(draft, stored)).toEqual({ 'p1_5 Days': '', 'p1_1 Month': '349.50' })
  expect(pricesOf(draft, [product])).toEqual([{ productId: 'p1', duration: '1 Month', price: 349.5 }])
})

test('another spelling of the same amount is no change', () => {
  expect(changedIn({ ...draftOf(stored), 'p1_5 Days': '79.00' }, stored)).toEqual({})
})

test('a price is an amount from zero, or nothing', () => {
  expect(['', '0', '99.5', '1,299'].map(isPriceWrong)).toEqual([false, false, false, false])
  expect(['-1', 'free', '1.234'].map(isPriceWrong)).toEqual([true, true, true])
})
