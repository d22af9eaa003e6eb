/**
 * Faults of days and clocks that people have reported of other programs, played here. Each names its source:
 * owner/name#number of a public thread.
 */
import { describe, expect, test } from 'vitest'
import { numberText } from '../web/bank/admin/files/sheet-rows.ts'
import { financialYear, startOf } from '../contract/india.ts'
import { DAY_MS } from '../contract/time.ts'
import { readDate } from '../server/bank/reading/values.ts'
import { nextNight } from '../server/operations/jobs.ts'
import { viewerZone } from '../server/platform/http/pages/viewer-zone.ts'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { withStore } from './store.ts'
import { openShop } from './worlds/shop.ts'

// securo-finance/securo#547, actualbudget/actual#2310, BudgetMaster#497, moneymanagerex#7821, validator.js#437
test.each([
  ['03/04/2026', '2026-04-03'],
  ['12/05/26', '2026-05-12'],
  ['25/10/25', '2025-10-25'],
  ['19.12.19', '2019-12-19'],
  ['29/02/2028', '2028-02-29'],
  ['31-Dec-26', '2026-12-31'],
  ['12/25/2026', 'impossible'],
  ['31/04/2026', 'impossible'],
  ['30-02-2028', 'impossible'],
  ['29/02/2027', 'impossible'],
  ['00/01/2026', 'impossible'],
  ['01/01/0026', 'impossible'],
  ['20/08', undefined],
])('a statement’s %s is %s', (cell, day) => {
  const read = readDate(cell)
  expect(typeof read === 'object' ? read.day : read).toBe(day)
})

// exceljs/exceljs#1343, SheetJS/sheetjs#1470, tidyverse/readxl#264: a day too early, in one zone or with one system
test.each([
  [46_000, false, '2025-12-09'],
  [44_538, true, '2025-12-09'],
  [46_000.999_999_99, false, '2025-12-10 00:00:00'],
  [46_000.5, false, '2025-12-09 12:00:00'],
  [61, false, '1900-03-01'],
])('Excel’s day %d (1904: %s) is %s', (value, isMac, text) => {
  expect(numberText(value, true, isMac)).toBe(text)
})

// kubernetes/kubernetes#121594, kelektiv/node-cron#563, vatesfr/xen-orchestra#4024: twice, or not at all
test('a nightly job comes once in every 24 hours, whatever zone the machine is in', () => {
  const before = process.env['TZ']
  try {
    for (const zone of ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
      process.env['TZ'] = zone
      let at = new Date('2026-01-01T00:00:00Z')
      for (let night = 0; night < 400; night++) {
        const next = nextNight(at)
        if (night > 0) expect(next.getTime() - at.getTime(), `${zone} ${at.toISOString()}`).toBe(DAY_MS)
        at = next
      }
    }
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
})

// prantlf/date-fns-timezone#25, nextcloud/server#41606: a zone of another name, or of none, ends the page
test.each([
  'Asia/Calcutta',
  'Asia/Kolkata',
  'Etc/Unknown',
  'UTC',
  'GMT+5',
  '+05:30',
  'Mars/Base',
  '',
  '\u0000',
  'x'.repeat(5_000),
])('a browser in the zone %s gets a page', (zone) => {
  const { own } = viewerZone(zone)
  expect(() => new Intl.DateTimeFormat('en-IN', { timeZone: own, dateStyle: 'full' }).format(0)).not.toThrow()
})

test('a financial year begins with the first of April in India, to the millisecond (bhima#405)', () => {
  expect(startOf('2026-04-01').toISOString()).toBe('2026-03-31T18:30:00.000Z')
  expect(['2026-03-31', '2026-04-01', '2027-01-01'].map(financialYear)).toEqual([2025, 2026, 2026])
})

const fieldsOf = (input: object): object => ('shape' in input ? (input.shape as object) : {})

describe('lists and reports with days', () => {
  /** All calls of lists that take `from` and `to`. */
  const PATHS = Object.values<Record<string, Endpoint>>(api)
    .flatMap((feature) => Object.values(feature))
    .filter(({ method, input }) => method === 'GET' && ['from', 'to'].every((field) => field in fieldsOf(input)))
    .map(({ path }) => path)

  // estuary/connectors#933, brianc/node-postgres#480: a year beyond what a program can write fails on each read
  test('take the first and the last day that can be written', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      expect(PATHS.length).toBeGreaterThanOrEqual(9)
      const wrong: string[] = []
      for (const path of PATHS)
        for (const day of ['0001-01-01', '1899-12-31', '9999-12-30', '9999-12-31', '10000-01-01', '20231-01-01'])
          for (const search of [`from=${day}&to=${day}`, `from=${day}`, `to=${day}`]) {
            const { status } = await owner.get(`${path}?${search}&by=day`)
            if (![200, 400].includes(status)) wrong.push(`${path}?${search}: ${status}`)
          }
      expect(wrong).toEqual([])
    }))
})
