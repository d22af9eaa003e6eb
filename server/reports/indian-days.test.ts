import { expect, test } from 'vitest'
import { dayOf, lastDays, startOfDay } from './indian-days.ts'

test('a day begins at midnight in India, which is 18:30 the evening before in UTC', () => {
  expect(startOfDay(new Date('2026-11-20T18:29:59.999Z')).toISOString()).toBe('2026-11-19T18:30:00.000Z')
  expect(startOfDay(new Date('2026-11-20T18:30:00.000Z')).toISOString()).toBe('2026-11-20T18:30:00.000Z')
  expect(dayOf(new Date('2026-11-20T18:30:00.000Z'))).toBe('2026-11-21')
})

test('the last days end today and run over the ends of months', () => {
  expect(lastDays(new Date('2026-03-01T12:00:00.000Z'), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})
