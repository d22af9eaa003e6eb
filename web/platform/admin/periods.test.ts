import { describe, expect, test } from 'vitest'
import { nameOf, periodOf } from './periods.ts'

const lateEvening = Date.parse('2026-11-20T19:00:00Z')

describe('periods', () => {
  test('a day is a day in India: half past midnight there is the next one', () => {
    expect(periodOf('today', lateEvening)).toEqual({ from: '2026-11-21', to: '2026-11-21' })
    expect(periodOf('yesterday', lateEvening)).toEqual({ from: '2026-11-20', to: '2026-11-20' })
  })

  test('seven days are today and the six before', () => {
    expect(periodOf('week', lateEvening)).toEqual({ from: '2026-11-15', to: '2026-11-21' })
  })

  test('a period is known by its days', () => {
    for (const name of ['any', 'today', 'yesterday', 'week', 'month'] as const) {
      expect(nameOf(periodOf(name, lateEvening), lateEvening)).toBe(name)
    }
    expect(nameOf({ from: '2026-01-01' }, lateEvening)).toBeUndefined()
  })
})
