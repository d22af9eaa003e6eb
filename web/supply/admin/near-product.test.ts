import { expect, test } from 'vitest'
import type { TheirPrice } from '../../../contract/supply.ts'
import { nameOf, nearestFirst } from './near-product.ts'

const theirs = (name: string, duration = '10 Days'): TheirPrice => {
  return { product: name, name, duration, price: 80, stock: 5 }
}
const own = { product: 'Night Circuit', duration: '10 Days' }

test('a name is the same without capitals and signs, for the same duration', () => {
  const ours = nameOf(theirs('Night Circuit'))
  expect(nameOf(theirs('NIGHT-Circuit'))).toBe(ours)
  expect(nameOf(theirs('Night Circuit (global)'))).not.toBe(ours)
  expect(nameOf(theirs('Night Circuit', '1 Month'))).not.toBe(ours)
  expect(nameOf(theirs('रात'))).not.toBe(nameOf(theirs('रत')))
})

test('what shares most words comes first, then the same duration, then their order', () => {
  const list = [
    theirs('Paper Kingdoms'),
    theirs('Circuit'),
    theirs('Night Circuit (global)', '1 Month'),
    theirs('Night Circuit (global)'),
    theirs('Arena'),
  ]
  expect(nearestFirst(own, list)).toEqual([list[3], list[2], list[1], list[0], list[4]])
  expect(nearestFirst(undefined, list)).toEqual(list)
})
