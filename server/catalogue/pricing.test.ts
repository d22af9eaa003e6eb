import { describe, expect, test } from 'vitest'
import { lessPercent } from '../../contract/prices.ts'
import { lowestPrice, unitPrice, viewerOf, visiblePrices, type PriceTerms } from './pricing.ts'

const terms = (rest: Partial<PriceTerms> = {}): PriceTerms => ({
  list: 100_00,
  custom: null,
  group: null,
  steps: null,
  ...rest,
})
const steps = [
  { from: 5, price: 90_00 },
  { from: 10, price: 70_50 },
]
const user = { kind: 'user', userId: 'u' } as const

describe('what a user pays', () => {
  test('is the list price where they have none of their own', () => {
    expect(unitPrice(terms())).toBe(100_00)
  })

  test('is their own price where they have one, be it lower, higher or zero', () => {
    for (const custom of [80_50, 120_00, 0]) expect(unitPrice(terms({ custom, steps }), 10)).toBe(custom)
  })

  test('is less from a quantity on, unless nothing is for sale', () => {
    expect([1, 4, 5, 9, 10, 100].map((quantity) => unitPrice(terms({ steps }), quantity))).toEqual([
      100_00, 100_00, 90_00, 90_00, 70_50, 70_50,
    ])
    expect(unitPrice(terms({ list: 0, steps }), 10)).toBe(0)
  })

  test('is the lowest of list, step and group', () => {
    const of = (group: number, quantity: number, list = 100_00) => unitPrice(terms({ list, group, steps }), quantity)
    expect([of(80_00, 1), of(80_00, 10), of(60_00, 10), of(120_00, 1)]).toEqual([80_00, 70_50, 60_00, 100_00])
    expect([of(80_00, 1, 0), of(80_00, 10, 0)]).toEqual([80_00, 80_00])
    expect(unitPrice(terms({ custom: 90_00, group: 10_00 }))).toBe(90_00)
  })
})

test('a percentage off is rounded up to whole rupees, and never to nothing', () => {
  expect([lessPercent(120_00, 15), lessPercent(99_99, 10), lessPercent(1_00, 90), lessPercent(50, 0)]).toEqual([
    102_00, 90_00, 1_00, 1_00,
  ])
})

describe('what a viewer sees', () => {
  test('is nothing for a visitor', () => {
    expect(visiblePrices({ kind: 'visitor' }, terms({ steps }))).toEqual({})
  })

  test('is the own price beside the list price for a user, in rupees, and then no steps', () => {
    expect(visiblePrices(user, terms({ custom: 80_50, steps }))).toEqual({ price: 80.5, listPrice: 100 })
  })

  test('is the steps that are cheaper', () => {
    const seen = [
      { from: 5, price: 90 },
      { from: 10, price: 70.5 },
    ]
    expect(visiblePrices(user, terms({ steps }))).toEqual({ price: 100, listPrice: 100, steps: seen })
    expect(visiblePrices(user, terms({ list: 0, steps }))).toEqual({ price: 0, listPrice: 0 })
    expect(visiblePrices({ kind: 'admin' }, terms({ list: 0, steps }))).toMatchObject({ price: 0, steps: seen })
  })

  test('is the list price alone for an admin, also for one who is a user with own prices', () => {
    const viewer = viewerOf({ user: { id: 'u' }, admin: { id: 'a' } })

    expect(visiblePrices(viewer, terms({ custom: 80_50 }))).toEqual({ price: 100, listPrice: 100 })
  })
})

test('the price of a product is the lowest of its prices, and absent where none is seen', () => {
  expect(lowestPrice([{ price: 30 }, { price: 10.5 }, { price: 20 }])).toBe(10.5)
  expect(lowestPrice([{ price: 0 }, { price: 20 }])).toBe(20)
  expect(lowestPrice([{ price: 0 }])).toBe(0)
  expect(lowestPrice([{}, {}])).toBeUndefined()
  expect(lowestPrice([])).toBeUndefined()
})
