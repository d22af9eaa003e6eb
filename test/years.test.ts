/** A date of another year says its year, wherever it is written. One of this year does not, but on papers. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { LANGUAGE_CODES, type Language } from '../contract/languages.ts'
import { translator } from '../contract/words.ts'
import { momentIn } from '../server/messages/words/reminder-words.ts'
import { setServerTime } from '../web/platform/clock.ts'
import { formatDate, formatDateTime, paperDate, paperDateTime } from '../web/platform/dates.ts'
import { speak } from '../web/platform/i18n.ts'
import { indiaDate, indiaDateTime } from '../web/proofs/admin/india-dates.ts'
import { nameOf } from '../web/reports/admin/chart-scale.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const NOW = '2027-01-02T06:00:00.000Z'
/** With noon in India, so that no zone makes another day of it. */
const DAYS = { lastYear: '2026-12-31', thisYear: '2027-01-01', nextYear: '2028-01-01' }
const noonOf = (day: string) => `${day}T06:30:00.000Z`

/** All that write a day without its year, by the file that makes the format. */
const WRITERS: Record<string, ((day: string, language: Language) => string)[]> = {
  'web/platform/dates.ts': [(day) => formatDate(noonOf(day)), (day) => formatDateTime(noonOf(day))],
  'web/reports/admin/chart-scale.ts': [nameOf],
  'server/messages/words/reminder-words.ts': [
    (day, language) => momentIn(language, new Date(noonOf(day)), new Date(NOW)),
  ],
}
/** They make formats that always say the year, or none of a date. */
const OTHERS = [
  'server/platform/http/pages/viewer-zone.ts',
  'web/books/admin/months.ts',
  'web/proofs/admin/india-dates.ts',
]
/** Papers and files, which are read in other years. */
const PAPERS = ['web/keys/export-keys.ts', 'web/payments/receipt-screen.tsx', 'web/wallet/admin/code-sheet.tsx']

const filesWith = (pattern: RegExp) =>
  ['contract', 'server', 'web']
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .filter((file) => pattern.test(readFileSync(path.join(ROOT, file), 'utf8')))
    .toSorted((one, other) => one.localeCompare(other))

afterEach(() => speak('en', translator('en')))

test.each(LANGUAGE_CODES)('every writer of days says the year of another year, and not of this one: %s', (language) => {
  setServerTime(NOW)
  speak(language, translator(language))
  for (const [file, writers] of Object.entries(WRITERS))
    for (const write of writers) {
      expect(write(DAYS.lastYear, language), file).toContain('2026')
      expect(write(DAYS.nextYear, language), file).toContain('2028')
      expect(write(DAYS.thisYear, language), file).not.toContain('2027')
    }
})

test('no other file makes a format of dates', () => {
  expect(filesWith(/Intl\.DateTimeFormat\(|toLocale(Date|Time)String\(/)).toEqual(
    [...Object.keys(WRITERS), ...OTHERS].toSorted((one, other) => one.localeCompare(other)),
  )
})

test('a paper always says the year, and only papers do', () => {
  setServerTime(NOW)
  expect(paperDate(noonOf(DAYS.thisYear))).toContain('2027')
  expect(paperDateTime(noonOf(DAYS.thisYear))).toContain('2027')
  expect(filesWith(/import \{[^}]*\bpaperDate(Time)?\b/)).toEqual(PAPERS)
})

test('the paper for the bank says the year, and the time of India’s clock', () => {
  expect(indiaDateTime('2026-12-31T19:00:00.000Z')).toBe('1\u00A0Jan\u00A02027, 12:30\u00A0am')
  expect(indiaDate('2026-12-31T19:00:00.000Z')).toBe('1\u00A0Jan\u00A02027')
})
