import { describe, expect, test } from 'vitest'
import { choosePrice, keepChoice, orderTerms, otherDurations, type PriceRow } from './order-terms.ts'

const row = (duration: string, price: number, available: number): PriceRow => ({
  _id: duration,
  duration,
  price,
  available,
})

describe('the terms of an order', () => {
  test('are exact to the paisa', () => {
    expect(orderTerms(row('1 Day', 19.99, 50), 3, 100)).toMatchObject({
      total: 59.97,
      left: 40.03,
      obstacle: undefined,
    })
    expect(orderTerms(row('1 Day', 0.1, 50), 3, 0.3)).toMatchObject({ total: 0.3, left: 0, obstacle: undefined })
  })

  test('cost less from a quantity on, and say how much', () => {
    const steps = [
      { from: 3, price: 90 },
      { from: 5, price: 80.5 },
    ]
    const saved = [2, 3, 5].map((quantity) => orderTerms({ ...row('1 Day', 100, 50), steps }, quantity, 0))
    expect(saved.map((each) => [each.unitPrice, each.total, each.saved])).toEqual([
      [100, 200, 0],
      [90, 270, 30],
      [80.5, 402.5, 97.5],
    ])
  })

  test('name the shortfall itself, and a top-up that is never below what can be added', () => {
    const low = { obstacle: 'low-balance' }
    expect(orderTerms(row('1 Month', 649, 7), 2, 340)).toMatchObject({ shortfall: 958, topUp: 958, ...low })
    expect(orderTerms(row('1 Day', 0.5, 7), 1, 0.01)).toMatchObject({ shortfall: 0.49, topUp: 1, ...low })
    expect(orderTerms(row('1 Month', 649, 7), 1, 649)).toMatchObject({ shortfall: 0, topUp: 0, obstacle: undefined })
  })

  test('name what stands in the way, stock before balance', () => {
    expect(orderTerms(undefined, 1, 100).obstacle).toBe('not-chosen')
    expect(orderTerms(row('1 Day', 0, 5), 1, 100).obstacle).toBe('not-for-sale')
    expect(orderTerms(row('1 Day', 10, 0), 1, 0).obstacle).toBe('out-of-stock')
    expect(orderTerms(row('1 Day', 10, 2), 3, 0).obstacle).toBe('not-enough-stock')
  })
})

describe('a duration', () => {
  const prices = [row('10 Days', 199, 0), row('1 Month', 449, 0), row('5 Months', 1999, 3), row('1 Year', 0, 9)]

  test('is found in another spelling', () => {
    expect(choosePrice(prices, '1month')?.duration).toBe('1 Month')
    expect(choosePrice(prices, '10 DAY')?.duration).toBe('10 Days')
  })

  test('that is not named or not there gives the first that can be bought', () => {
    expect(choosePrice(prices, undefined)?.duration).toBe('5 Months')
    expect(choosePrice(prices, '7 Weeks')?.duration).toBe('5 Months')
    expect(choosePrice([row('1 Day', 5, 0)], undefined)?.duration).toBe('1 Day')
    expect(choosePrice([], undefined)).toBeUndefined()
  })

  test('that is sold out can be waited for, so it comes before one without a price', () => {
    expect(choosePrice([row('10 Days', 0, 0), row('1 Month', 90, 0)], undefined)?.duration).toBe('1 Month')
  })

  test('stays when stock comes and goes, until product or address changes', () => {
    const product = (...rows: PriceRow[]) => ({ _id: 'p1', prices: rows })
    const first = product(row('10 Days', 199, 0), row('1 Month', 449, 1), row('1 Year', 999, 4))
    const soldOut = product(row('10 Days', 199, 5), row('1 Month', 449, 0), row('1 Year', 999, 4))
    const without = product(row('10 Days', 199, 5), row('1 Year', 999, 4))

    const choice = keepChoice(undefined, first, undefined)
    expect(choice.duration).toBe('1 Month')
    for (const later of [soldOut, without, first]) expect(keepChoice(choice, later, undefined)).toBe(choice)
    expect(keepChoice(choice, soldOut, '1year').duration).toBe('1 Year')
    expect(keepChoice(choice, { ...soldOut, _id: 'p2' }, undefined).duration).toBe('10 Days')
  })

  test('that is sold out has others that can be bought instead', () => {
    expect(otherDurations(prices, prices[0]!).map((price) => price.duration)).toEqual(['5 Months'])
  })
})
