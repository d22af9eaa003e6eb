import { afterEach, expect, test, vi } from 'vitest'
import { translator } from '../../contract/words.ts'
import { monthName } from '../books/admin/months.ts'
import { indiaDate, indiaDateTime } from '../proofs/admin/india-dates.ts'
import { nameOf } from '../reports/admin/chart-scale.ts'
import words from '../words/hi.json' with { type: 'json' }
import { agoText } from './ago.ts'
import { setServerTime } from './clock.ts'
import { drawInZone, formatDate, formatDateTime } from './dates.ts'
import { durationText, speak } from './i18n.ts'
import { formatDollars, formatRupees } from './money.ts'

afterEach(() => void vi.unstubAllGlobals())

const MOMENT = '2026-11-20T15:44:00.000Z'

test('this year is the store’s, whatever year a phone has', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-06-01T00:00:00Z') })
  setServerTime(MOMENT)
  expect(formatDate(MOMENT)).not.toContain('2026')
  expect(formatDate('2030-06-01T00:00:00Z')).toContain('2030')
  vi.useRealTimers()
})

const drawIn = (zone: string) => {
  drawInZone(zone)
  return formatDateTime(MOMENT)
}

test('A server keeps the formats of a few zones only, however many its viewers name', () => {
  const made: string[] = []
  class Counted extends Intl.DateTimeFormat {
    constructor(locale: string, options: Intl.DateTimeFormatOptions) {
      super(locale, options)
      made.push(options.timeZone ?? '')
    }
  }
  vi.stubGlobal('Intl', { DateTimeFormat: Counted })
  const first = drawIn('Asia/Kolkata')
  expect(drawIn('Asia/Kolkata')).toBe(first)
  expect(made, 'a zone that was just used').toEqual(['Asia/Kolkata'])

  for (let capitals = 0; capitals < 12; capitals++)
    for (const end of ['york', 'YORK', 'York'])
      drawIn(`${'america/new_'.slice(0, capitals).toUpperCase()}${'america/new_'.slice(capitals)}${end}`)
  made.length = 0
  expect(drawIn('Asia/Kolkata')).toBe(first)
  expect(made, 'a zone that was used long ago').toEqual(['Asia/Kolkata'])
})

test.each(['en', 'hi'] as const)('no date, time, duration or amount breaks on a screen in %s', (language) => {
  speak(language, translator(language, new Map(Object.entries(words))))
  const now = Date.parse(MOMENT)
  const agos = [0, 5, 300, 9_000].map((minutes) => agoText(new Date(now - minutes * 60_000).toISOString(), now))
  const dates = [formatDate, formatDateTime, indiaDate, indiaDateTime].map((each) => each('2019-11-20T15:44:00.000Z'))
  const said = ['1 Hour', '10 Days', '5 Years'].map(durationText)
  said.push(...agos, ...dates, monthName('2019-11'), nameOf('2019-11-20'), formatRupees(-128_440.5), formatDollars(-1))
  for (const text of said) expect(text).not.toMatch(/[^,] /)
  speak('en', translator('en'))
})
