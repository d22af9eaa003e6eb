import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { coverOf } from '../../catalogue/cover-of.ts'
import type { Product } from '../../../contract/catalogue.ts'
import { ProductCover } from './product-cover.tsx'

const lettersOf = (name: string) =>
  /monogram">(.*?)</.exec(renderToString(createElement(ProductCover, { name, sequence: 1 })))?.[1]

test.each([
  ['Skyforge Season Pass', 'SS'],
  ['Hexfall', 'HE'],
  ['नाइट सर्किट VIP', 'नस'],
  ['हेक्सफ़ॉल', 'हे'],
])('the cover of %s has the first letters of its words, also where vowels are signs on them', (name, letters) => {
  expect(lettersOf(name)).toBe(letters)
})

test('a product has one cover, whatever language its name is read in', () => {
  const product = { _id: 'a', name: 'Night Circuit VIP', nameHi: 'नाइट सर्किट VIP', sequence: 3 } as unknown as Product
  expect(coverOf([product], 'a').name).toBe('Night Circuit VIP')
})
