import { describe, expect, test } from 'vitest'
import { bestPlan, extraOf } from './offers.ts'

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
