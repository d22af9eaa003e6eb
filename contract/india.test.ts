import { expect, test } from 'vitest'
import { dayAfter, dayOf, daysBetween, inIndia, startOfDay, timeOfDayMs } from './india.ts'

test('a day begins at midnight in India, which is 18:30 the evening before in UTC', () => {
  expect(startOfDay(new Date('2026-11-20T18:29:59.999Z')).toISOString()).toBe('2026-11-19T18:30:00.000Z')
  expect(startOfDay(new Date('2026-11-20T18:30:00.000Z')).toISOString()).toBe('2026-11-20T18:30:00.000Z')
  expect(dayOf(new Date('2026-11-20T18:30:00.000Z'))).toBe('2026-11-21')
})

test('days run over the ends of months and years', () => {
  expect(dayAfter('2026-02-27', 2)).toBe('2026-03-01')
  expect(dayAfter('2027-01-01', -1)).toBe('2026-12-31')
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(2)
})

test('a moment has its time of day in India', () => {
  expect(timeOfDayMs(new Date('2026-11-20T18:30:01.000Z'))).toBe(1_000)
  expect(inIndia('2026-11-20T15:44:05.000Z')).toBe('2026-11-20 21:14:05')
})
