import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Duration, durationMs, parseDuration, WantedDuration } from './duration.ts'
import { DAY_MS, HOUR_MS } from './time.ts'

describe('a duration', () => {
  test.each([
    ['1 Hour', '1 Hour', HOUR_MS],
    ['10 Days', '10 Days', 10 * DAY_MS],
    ['1day', '1 Day', DAY_MS],
    ['2 WEEKS', '2 Weeks', 14 * DAY_MS],
    ['5 Months', '5 Months', 150 * DAY_MS],
    ['1 Year', '1 Year', 365 * DAY_MS],
    ['  007\tdays ', '7 Days', 7 * DAY_MS],
    ['1 Days', '1 Day', DAY_MS],
    ['2 day', '2 Days', 2 * DAY_MS],
    ['100 Years', '100 Years', 36_500 * DAY_MS],
  ])('%j is %s', (written, text, ms) => {
    expect(parseDuration(written)).toEqual({ text, ms })
    expect(z.parse(Duration, written)).toBe(text)
  })

  test.each([
    '',
    'day',
    '10',
    '0 Days',
    '-1 Day',
    '1.5 Days',
    '1,000 Days',
    '1 Minute',
    '1 Day 2 Hours',
    '1 Dayss',
    '101 Years',
    '9999999 Hours',
    '1e3 Days',
    '१ Day',
    '1 Day; drop',
  ])('is not %j', (written) => {
    expect(parseDuration(written)).toBeUndefined()
    expect(() => durationMs(written)).toThrow(RangeError)
    expect(z.safeParse(Duration, written).error?.issues[0]?.message).toMatch(/like 10 Days/)
  })

  test('of a long text is refused at once', () => {
    expect(z.safeParse(Duration, `1${' '.repeat(100_000)}Day`).success).toBe(false)
  })

  test('is one text, however it is written', () => {
    const units = { Hour: HOUR_MS, Day: DAY_MS, Week: 7 * DAY_MS, Month: 30 * DAY_MS, Year: 365 * DAY_MS }
    const unit = fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[]))
    const spelling = fc.record({
      gap: fc.constantFrom('', ' ', '  ', '\t', '\u00a0'),
      change: fc.constantFrom('toLowerCase' as const, 'toUpperCase' as const, 'toString' as const),
      plural: fc.constantFrom('', 's'),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), unit, spelling, (count, name, { gap, change, plural }) => {
        const parsed = parseDuration(`${gap}${count}${gap}${`${name}${plural}`[change]()}${gap}`)

        expect(parsed?.ms).toBe(count * units[name])
        expect(parsed && parseDuration(parsed.text)).toEqual(parsed)
        expect(z.parse(WantedDuration, `${count}${name}`)).toBe(parsed?.text)
      }),
    )
  })

  test('of any text is refused, or a safe number of milliseconds above zero', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\d{0,8} ?(hour|day|week|month|year)s?$/)),
        (text) => {
          const parsed = parseDuration(text)
          if (parsed) expect(Number.isSafeInteger(parsed.ms) && parsed.ms >= HOUR_MS).toBe(true)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
