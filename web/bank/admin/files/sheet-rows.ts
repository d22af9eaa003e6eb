/** Shared by readers of Excel files and of web pages named .xls: rows with gaps, dates as numbers, and limits. */
import { csvLine } from '../../../../contract/csv.ts'
import { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from '../../../../contract/limits.ts'
import { HEADINGS, wordsOf } from '../../../../contract/statement-headings.ts'
import { DAY_MS } from '../../../../contract/time.ts'
import { CELL_MAX } from '../../../platform/files/csv.ts'
import { t } from '../../../platform/i18n.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'

/** Letters in a cell, Excel's own limit. Searching a longer text for closing tags would take for ever. */
const FORMAT_MAX = 255
const [HEADINGS_WITHIN, HEADING_MAX] = [200, 60]
/** Longer gaps between rows are left out. */
const EMPTY_ROWS_MAX = 50
/** Day 0 of Excel, and that of old Macs. */
const DAYS_FROM = { usual: 25_569, mac: 24_107 }

export const tooManyLines = () =>
  new FileFault(t('This file has more than {count} lines. Choose a shorter period.', { count: STATEMENT_LINES_MAX }))

export const tooLarge = () => new FileFault(t('This file is too large. Choose a shorter period.'))

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A text of XML or of a web page, as it is shown. */
export const unescaped = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )

function isHeadings(cells: readonly string[]): boolean {
  const names = Array.from(cells, (cell) => wordsOf((cell ?? '').slice(0, HEADING_MAX)))
  const { date, debit, credit, amount } = HEADINGS
  return (
    names.some((name) => date.test(name)) &&
    names.some((name) => [debit, credit, amount].some((form) => form.test(name)))
  )
}

/**
 * Collects rows in their order, as CSV.
 * @throws FileFault when they come to more than a file may have, whatever they came from
 */
export class SheetRows {
  readonly #lines: string[] = []
  #next = 1
  #letters = 0
  #hasHeadings = false

  /** @param number of the row, from 1 */
  add(number: number, cells: readonly string[]): void {
    for (let gap = Math.min(number - this.#next, EMPTY_ROWS_MAX); gap > 0; gap--) this.#lines.push('\r\n')
    this.#next = number + 1
    this.#hasHeadings ||= this.#lines.length < HEADINGS_WITHIN && isHeadings(cells)
    const line = csvLine(Array.from(cells, (cell) => (cell ?? '').slice(0, CELL_MAX)))
    this.#letters += line.length
    if (this.#letters > STATEMENT_BYTES_MAX) throw tooLarge()
    this.#lines.push(line)
    if (this.#lines.length > STATEMENT_LINES_MAX) throw tooManyLines()
  }

  /** The number of the row that comes next. */
  get next(): number {
    return this.#next
  }

  /** True if a row has the headings of dates and of money. */
  get hasHeadings(): boolean {
    return this.#hasHeadings
  }

  text(): string {
    return this.#lines.join('')
  }
}

/** True for a format that shows a number as a date: Excel's own, or a code with a day, and a month or a year. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return id >= 14 && id <= 22
  const letters = code.slice(0, FORMAT_MAX).replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '')
  return /d/i.test(letters) && /[my]/i.test(letters)
}

/** As Excel shows it: 22827.52 may be kept as 22827.519999999997, and a day is a number. */
export function numberText(value: number, isDate: boolean, isMac: boolean): string {
  if (!isDate) return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)))
  const at = new Date(Math.round(((value - (isMac ? DAYS_FROM.mac : DAYS_FROM.usual)) * DAY_MS) / 1_000) * 1_000)
  if (Number.isNaN(at.getTime()) || value < 1) return String(value)
  const text = at.toISOString()
  return value % 1 === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
