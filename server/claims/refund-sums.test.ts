import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paise } from '../../contract/money.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { sumsOf, type Reported } from './refund-sums.ts'

const BOUGHT = new Date('2026-11-20T10:00:00.000Z')
const after = (ms: number) => new Date(BOUGHT.getTime() + ms)

interface Given {
  unit?: number
  ofOrder?: number
  duration?: string
  ends?: number
}

function reported(ms: number, given: Given = {}): Reported {
  const { unit = 100_00, ofOrder = unit, duration = '10 Days', ends = 10 * DAY_MS } = given
  return {
    unit: paise(unit),
    ofOrder: paise(ofOrder),
    duration,
    assignedAt: BOUGHT,
    expiresAt: after(ends),
    reportedAt: after(ms),
  }
}

test('the unused part is of the moment of the report, to the paisa below', () => {
  expect(sumsOf(reported(0), paise(20_00))).toEqual({ full: 100_00, unused: 100_00, terms: 80_00 })
  expect(sumsOf(reported(5 * DAY_MS), paise(20_00))).toEqual({ full: 100_00, unused: 50_00, terms: null })
  expect(sumsOf(reported(DAY_MS / 3), paise(20_00)).unused).toBe(96_66)
  expect(sumsOf(reported(11 * DAY_MS), paise(20_00))).toEqual({ full: 100_00, unused: null, terms: null })
})

test('the rule of the terms needs a report within two hours and more than three quarters unused', () => {
  expect(sumsOf(reported(2 * HOUR_MS), paise(0)).terms).toBe(100_00)
  expect(sumsOf(reported(2 * HOUR_MS + 1), paise(0)).terms).toBeNull()
  const hour = (part: number) => reported(part * HOUR_MS, { duration: '1 Hour', ends: HOUR_MS })
  expect(sumsOf(hour(0.24), paise(20_00)).terms).toBe(80_00)
  expect(sumsOf(hour(0.25), paise(20_00)).terms).toBeNull()
  expect(sumsOf(reported(0, { unit: 20_00 }), paise(20_00)).terms).toBeNull()
})

test('no rule gives more than is not refunded yet', () => {
  expect(sumsOf(reported(0, { ofOrder: 30_00 }), paise(20_00))).toEqual({ full: 30_00, unused: 30_00, terms: 30_00 })
})

test('sums are from nothing to the price, and fall with time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999_999 }),
      fc.integer({ min: 0, max: 12 * DAY_MS }),
      fc.integer({ min: 0, max: DAY_MS }),
      fc.constantFrom(0, 20_00, 50_00),
      (unit, ms, later, fee) => {
        const [first, second] = [ms, ms + later].map((at) => sumsOf(reported(at, { unit }), paise(fee)))
        for (const sum of [first?.full, first?.unused, first?.terms]) {
          expect(sum ?? 0).toBeGreaterThanOrEqual(0)
          expect(sum ?? 0).toBeLessThanOrEqual(unit)
        }
        expect(second?.unused ?? 0).toBeLessThanOrEqual(first?.unused ?? 0)
        expect(first?.full).toBe(unit)
      },
    ),
  )
})
