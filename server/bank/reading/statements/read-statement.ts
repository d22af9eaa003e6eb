/**
 * Reads a statement: the text of a file, or pasted. Pure. What is not surely so is not read: a row that cannot be
 * read is a problem, and with it nothing of the file is proven.
 */
import { STATEMENT_LINES_MAX } from '../../../../contract/limits.ts'
import { DAY_MS } from '../../../../contract/time.ts'
import { atOnce, inTurns } from '../../../platform/load/map-yielding.ts'
import { readPasted } from './pasted-statement.ts'
import { wordsOf } from '../../../../contract/statement-headings.ts'
import { DELIMITERS, hasFewCells, rowsOf, tidyText, widthOf, type Delimiter, type Row } from '../cells.ts'
import { columnsOf, givenColumns, inColumns, type Columns } from './statement-columns.ts'
import { readEntry, undatedEntry, type Entry } from './statement-entries.ts'
import { accountIn, coveredBy, layoutOf, statedBalances } from './statement-layouts.ts'
import { misdated, readEntries, ROWS_PER_TURN, unreadable } from './statement-lines.ts'
import { reportLine, reportOf, whyUseless } from './statement-reports.ts'
import type { Statement, StatementLine, StatementOptions } from './statement.ts'
import { readDate } from '../values.ts'

const HEADING_WITHIN_ROWS = 200
/** In letters. A longer row has no headings, and looking for them in many such takes long. */
const HEADING_LENGTH_MAX = 2_000

/**
 * Yields to other requests while it works.
 * @throws Refusal STATEMENT_UNREADABLE, with its first rows in `details.rows` where columns can be chosen
 */
export const readStatementInTurns = (text: string, options: StatementOptions = {}): Promise<Statement> =>
  inTurns(reading(text, options))

/** Yields after each piece of the work. */
export function* reading(written: string, options: StatementOptions): Generator<void, Statement> {
  refuseOtherFiles(written)
  const text = tidyText(written)
  if (text.split('\n', STATEMENT_LINES_MAX + 2).length > STATEMENT_LINES_MAX + 1)
    throw unreadable(`A statement can have ${STATEMENT_LINES_MAX} lines. Choose a shorter period.`)
  if (!(yield* hasFewCells(text)))
    throw unreadable('This has too many columns for a statement. Download the file again.')
  yield
  const table = yield* tableOf(text, options)
  if (!table) return yield* readPasted(text, options)
  const { rows, columns, heading } = table
  const report = heading && reportOf(heading)
  const above = heading ? rows.slice(0, rows.indexOf(heading)) : []
  const below = heading ? withZones(heading, rows.slice(rows.indexOf(heading) + 1)) : rows
  if (report && heading) return yield* readReport(report, heading, above, below)
  const { entries, others, opening } = yield* entriesOf(withYears(below, columns, coveredBy(above, [])), columns)
  // Neither signs nor letters: the balances say which way money went
  const isBare = columns.amount === columns.width - 2 && columns.balance === columns.width - 1 && !columns.direction
  if (heading && isBare && entries.length > 1 && entries.every(({ paise }) => paise === undefined))
    return yield* readPasted(rows.map(({ cells }) => inColumns(cells, columns).join('  ')).join('\n'), options)
  const stated = statedBalances([...above, ...others])
  const known = layoutOf(heading?.cells ?? [], heading ? above : others)
  return yield* readEntries(entries, {
    layout: heading ? known.layout : 'chosen',
    bank: known.bank,
    about: [...(above.length > 0 ? above : others), ...(heading ? accountIn(heading, below) : [])],
    stated: { ...stated, opening: opening ?? stated.opening },
    closingBefore: options.closingBefore,
  })
}

const ZONE = /\b(?:utc|gmt|[epc][sd]t|sgt|cest?|bst)\b(?! 0?5 30)(?: \d.*)?/

/** Puts a zone that a heading names behind the times below it. A date without a time, or another zone, is not read. */
function withZones({ cells: names }: Row, rows: readonly Row[]): Row[] {
  const zones = names.map(wordsOf).map((name) => /date|time|\bat\b/.test(name) && ZONE.exec(name)?.[0].toUpperCase())
  const zoned = (cell: string, at: number) => (zones[at] && cell !== '' ? `${cell} ${zones[at]}` : cell)
  return rows.map(({ line, cells }) => ({ line, cells: cells.map(zoned) }))
}

interface Table {
  rows: Row[]
  delimiter: Delimiter
  columns: Columns
  heading: Row | undefined
}

/** Undefined for a text that is no table: a pasted page. */
function* tableOf(text: string, { columns }: StatementOptions): Generator<void, Table | undefined> {
  const start = text.split('\n', HEADING_WITHIN_ROWS).join('\n')
  const heads = DELIMITERS.map((delimiter) => ({ delimiter, rows: atOnce(rowsOf(start, delimiter)) }))
  if (columns) {
    const delimiter = widestOf(heads)
    if (delimiter === undefined) return undefined
    const rows = yield* rowsOf(text, delimiter)
    return { delimiter, rows, heading: undefined, columns: givenColumns(columns, rows) }
  }
  const best = headingIn(heads) ?? headingIn(heads.map((head) => ({ ...head, rows: stacked(head.rows) })))
  if (!best) return undefined
  const rows = yield* rowsOf(text, best.delimiter)
  const at = rows.findIndex(({ line }) => line === best.heading.line)
  const isStacked = rows[at]?.cells.join() !== best.heading.cells.join()
  // A second row of headings belongs to the first
  const whole = isStacked ? [...rows.slice(0, at), best.heading, ...rows.slice(at + 2)] : rows
  const heading = isStacked ? best.heading : rows[at]
  const known = heading && columnsOf(heading, whole.slice(at + 1), best.delimiter)
  return { ...best, rows: whole, heading, columns: known ?? best.columns }
}

interface Head {
  delimiter: Delimiter
  rows: Row[]
}

function widestOf(heads: readonly Head[]): Delimiter | undefined {
  const width = ({ rows }: Head) => Math.max(...rows.map(({ cells }) => widthOf(cells)))
  const best = heads.toSorted((a, b) => width(b) - width(a))[0]
  return best && width(best) > 1 ? best.delimiter : undefined
}

function headingIn(heads: readonly Head[]): (Table & { heading: Row }) | undefined {
  let best: (Table & { heading: Row }) | undefined
  for (const { delimiter, rows } of heads) {
    for (const [at, heading] of rows.entries()) {
      if (heading.cells.join('').length > HEADING_LENGTH_MAX) continue
      const found = reportOf(heading)
        ? { date: 0, narration: 0, width: widthOf(heading.cells), delimiter, sums: [] }
        : columnsOf(heading, rows.slice(at + 1), delimiter)
      if (found && found.width > (best?.columns.width ?? 0)) best = { rows, delimiter, columns: found, heading }
      if (found) break
    }
  }
  return best
}

/** Each row with the names in the row below it: some banks write headings in two rows. */
function stacked(rows: readonly Row[]): Row[] {
  return rows.map(({ line, cells }, at) => {
    const below = rows[at + 1]?.cells ?? []
    const isNames = below.every((cell) => !/\d/.test(cell))
    const width = Math.max(cells.length, below.length)
    const names = Array.from({ length: width }, (_, index) => `${cells[index] ?? ''} ${below[index] ?? ''}`.trim())
    return { line, cells: isNames ? names : cells }
  })
}

/** Excel makes dates of the days that it can read with the month first, and leaves the others. */
function leftByExcel(rows: readonly Row[], { date }: Columns): Row | undefined {
  const has = (form: RegExp) => (row: Row) => form.test(row.cells[date] ?? '')
  return rows.some(has(/^\d{4}-\d\d-\d\d/)) ? rows.find(has(/^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?: [\d:]+)?$/)) : undefined
}

const YEARLESS = /^\d{1,2}[-/. ]?(?:\d{1,2}|[A-Za-z]{3,9})$/
const PERIOD_MS_MAX = 360 * DAY_MS

/** Puts the years of the stated period behind dates without one. */
function withYears(rows: readonly Row[], { date }: Columns, period: Statement['covers']): readonly Row[] {
  if (!period || Date.parse(period.to) - Date.parse(period.from) > PERIOD_MS_MAX) return rows
  return rows.map((row) => {
    const written = row.cells[date] ?? ''
    if (!YEARLESS.test(written)) return row
    const days = [period.from, period.to].map((end) => readDate(`${written} ${end.slice(0, 4)}`))
    const read = days.find((each) => typeof each === 'object' && period.from <= each.day && each.day <= period.to)
    return typeof read === 'object' ? { ...row, cells: row.cells.with(date, read.day) } : row
  })
}

function* entriesOf(rows: readonly Row[], columns: Columns) {
  const left = leftByExcel(rows, columns)
  if (left) throw misdated(left.line)
  const entries: Entry[] = []
  const others: Row[] = []
  let opening: number | undefined
  let open: Entry | undefined
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_PER_TURN === 0) yield
    const entry = undatedEntry(row, columns, entries.at(-1)) ?? readEntry(row, columns)
    if (entry === 'impossible date') throw misdated(row.line)
    const more = open && entry === 'no row' ? wrappedIn(row, columns) : undefined
    if (open && more !== undefined) {
      open.narration += more
      continue
    }
    open = typeof entry === 'object' && 'day' in entry ? entry : undefined
    if (open) entries.push(open)
    else if (typeof entry === 'object' && 'opening' in entry) opening ??= entry.opening
    else others.push(row)
  }
  if (entries.length === 0 && columns.width === 0) throw unreadable('No row has a date. Choose the columns.', rows)
  return { entries, others, opening }
}

/** @returns the rest of a narration that the bank wrote over several rows: all other cells are empty */
function wrappedIn({ cells: written }: Row, columns: Columns): string | undefined {
  const cells = inColumns(written, columns)
  const more = columns.narration === undefined ? '' : (cells[columns.narration] ?? '')
  return more !== '' && cells.every((cell, at) => cell === '' || at === columns.narration) ? more : undefined
}

function* readReport(
  report: NonNullable<ReturnType<typeof reportOf>>,
  heading: Row,
  above: readonly Row[],
  rows: readonly Row[],
): Generator<void, Statement> {
  const lines: StatementLine[] = []
  const useless = whyUseless(report)
  const problems: Statement['problems'] = useless === undefined ? [] : [{ line: heading.line, text: useless }]
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_PER_TURN === 0) yield
    const line = reportLine(report, heading, row)
    if (typeof line === 'string') problems.push({ line: row.line, text: line })
    else if (line) lines.push(line)
  }
  // What several rows share is the payout's
  const refs = report.isGuessed ? lines.flatMap((line) => line.refs).toSorted() : []
  const shared = new Set(refs.filter((ref, at) => ref === refs[at + 1]))
  for (const line of lines) line.refs = line.refs.filter((ref) => !shared.has(ref))
  lines.sort((a, b) => (a.at?.getTime() ?? Date.parse(a.day)) - (b.at?.getTime() ?? Date.parse(b.day)))
  return {
    layout: report.layout,
    bank: report.bank,
    tail: null,
    holder: null,
    covers: coveredBy(above, lines),
    balances: 'none',
    brokenAt: null,
    swapped: false,
    opening: null,
    closing: null,
    lines,
    problems,
  }
}

/** OFX, MT940, QIF and JSON, which have no columns to choose. */
const FOR_PROGRAMS = /^(?:OFXHEADER|(?:<\?xml[^>]*>\s*)?<(?:\?OFX|OFX)|\{1:|:20:|!(?:Type|Account)|[[{]\s*["{])/i

/** Files that are no text, also when somebody has decoded them as one. */
function refuseOtherFiles(text: string): void {
  const start = text.slice(0, 2_000).trimStart()
  if (start.startsWith('%PDF')) throw unreadable('This is a PDF file. Choose the file itself to upload it.')
  if (start.startsWith('PK\u0003\u0004'))
    throw unreadable('This is an Excel file. Choose the file itself to upload it.')
  const isOldExcel = ['ÐÏ\u0011à', '\uFFFD\uFFFD\u0011'].some((mark) => start.startsWith(mark))
  if (isOldExcel || start.includes('\0')) throw unreadable('This is an old Excel file. Open it and save it as CSV.')
  if (FOR_PROGRAMS.test(start)) throw unreadable('This file isn’t a statement. Choose a CSV, TSV, Excel or PDF file.')
  if (/^(?:<!doctype html|<html|<table|<\?xml)/i.test(start))
    throw unreadable('This is a web page. Open it, select the table, copy, and paste here.')
  if (start.trim() === '') throw unreadable('This file is empty.')
}
