import { describe, expect, test } from 'vitest'
import { paise } from '../../contract/money.ts'
import { lowestPrice, unitPrice, viewerOf, visiblePrices } from './pricing.ts'

describe('what a user pays', () => {
  test('is the list price where they have none of their own', () => {
    expect(unitPrice(paise(100_00), null)).toBe(100_00)
  })

  test('is their own price where they have one, be it lower, higher or zero', () => {
    expect(unitPrice(paise(100_00), paise(80_50))).toBe(80_50)
    expect(unitPrice(paise(100_00), paise(120_00))).toBe(120_00)
    expect(unitPrice(paise(100_00), paise(0))).toBe(0)
  })
})

describe('what a viewer sees', () => {
  test('is nothing for a visitor', () => {
    expect(visiblePrices({ kind: 'visitor' }, paise(100_00), null)).toEqual({})
  })

  test('is the own price beside the list price for a user, in rupees', () => {
    expect(visiblePrices({ kind: 'user', userId: 'u' }, paise(100_00), paise(80_50))).toEqual({
      price: 80.5,
      listPrice: 100,
    })
  })

  test('is the list price alone for an admin, also for one who is a user with own prices', () => {
    const viewer = viewerOf({ user: { id: 'u' }, admin: { id: 'a' } })

    expect(visiblePrices(viewer, paise(100_00), paise(80_50))).toEqual({ price: 100, listPrice: 100 })
  })
})

test('the price of a product is the lowest of its prices, and absent where none is seen', () => {
  expect(lowestPrice([{ price: 30 }, { price: 10.5 }, { price: 20 }])).toBe(10.5)
  expect(lowestPrice([{ price: 0 }, { price: 20 }])).toBe(20)
  expect(lowestPrice([{ price: 0 }])).toBe(0)
  expect(lowestPrice([{}, {}])).toBeUndefined()
  expect(lowestPrice([])).toBeUndefined()
})
