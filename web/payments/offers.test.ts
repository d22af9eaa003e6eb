import { describe, expect, test } from 'vitest'
import { bestPlan, extraOf, offerAt, quickAmounts } from './offers.ts'

describe('what a plan gives beyond what is paid', () => {
  test('is the difference, in rupees and paise', () => {
    expect(extraOf({ amount: 100, bonus: 110 })).toBe(10)
    expect(extraOf({ amount: 99.9, bonus: 100.2 })).toBe(0.3)
  })

  test('is nothing where the credit is not above the amount', () => {
    expect(extraOf({ amount: 100, bonus: 100 })).toBe(0)
    expect(extraOf({ amount: 100, bonus: 90 })).toBe(0)
  })
})

describe('the best plan', () => {
  test('gives most for each rupee', () => {
    const plans = [
      { amount: 100, bonus: 100 },
      { amount: 500, bonus: 550 },
      { amount: 1_000, bonus: 1_150 },
      { amount: 2_000, bonus: 2_200 },
    ]

    expect(bestPlan(plans)).toBe(plans[2])
  })

  test('is the cheaper of two alike', () => {
    const plans = [
      { amount: 1_000, bonus: 1_100 },
      { amount: 500, bonus: 550 },
    ]

    expect(bestPlan(plans)).toBe(plans[1])
  })

  test('is none where no plan gives extra', () => {
    expect(bestPlan([{ amount: 100, bonus: 100 }])).toBeUndefined()
    expect(bestPlan([])).toBeUndefined()
  })
})

test('quick amounts are the plans’ own, filled up with round ones, and say what each gives', () => {
  const plan = (amount: number, bonus: number) => ({ _id: `${amount}-${bonus}`, amount, bonus, isActive: true })

  expect(quickAmounts([]).map(({ rupees }) => rupees)).toEqual([100, 200, 500, 1_000])
  expect(quickAmounts([plan(300, 300), plan(500, 520), plan(500, 550)])).toEqual([
    { rupees: 100, credit: 100 },
    { rupees: 200, credit: 200 },
    { rupees: 300, credit: 300 },
    { rupees: 500, credit: 550 },
  ])
})

test('an amount has an offer only if a plan gives more for exactly it', () => {
  const plans = [
    { amount: 200, bonus: 200 },
    { amount: 500, bonus: 550 },
  ]
  expect(offerAt(plans, 500)).toBe(plans[1])
  expect(offerAt(plans, 200)).toBeUndefined()
  expect(offerAt(plans, 499.99)).toBeUndefined()
})
