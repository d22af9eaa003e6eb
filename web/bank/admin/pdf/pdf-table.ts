/**
 * Turns the lines of a PDF's pages into the rows of a table, as CSV: the columns follow from the headings, and where
 * each word stands. Pure. What is not certain is refused; the server then lets the balances prove each row.
 */
import { csvLine } from '../../../../contract/csv.ts'
import { t } from '../../../platform/i18n.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { isMoney, isMoneyColumn, placesIn, withMoney, type Places } from './pdf-columns.ts'
import { findHeading, overlap, type Column, type Heading } from './pdf-heading.ts'
import { rowsOf, type BodyLine, type BodyRow } from './pdf-rows.ts'
import { DATE_PART, isDate, type Line, type Word } from './pdf-words.ts'

const READ_MIN = 0.9
/** In letters' height, and in points. */
const [NEXT_CELL, UNDER_DATE] = [1, 4]
/** What stands in a column of dates: numbers, times, and months on a line of their own. */
const DATE_WORD = /^(?:\(?\d|[-/:]|[AP]\.?M\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/i
/** In a line of sums. */
const NO_ROW = /^(?:(?:grand|page|sub)?-?total|closing|opening|carried|brought|[bc]\/f)\b/i
const OPENING = /^(?:opening bal|balance (?:b\/?f|brought)|b\/f|brought forward)/i

const unclear = () =>
  new FileFault(t('The columns of this PDF aren’t clear. Choose CSV or Excel at your bank instead.'))

/** @throws FileFault when the pages hold no table with dates, amounts and balances */
export function tableOf(pages: readonly (readonly Line[])[]): string {
  const ofBank = pages.map((lines) => findHeading(lines))
  const isApp = ofBank.every((heading) => !heading)
  const headings = isApp ? pages.map((lines) => findHeading(lines, true)) : ofBank
  const first = headings.findIndex((heading) => heading !== undefined)
  const heading = headings[first]
  if (!heading)
    throw new FileFault(t('We found no table with dates and balances in this PDF. Choose CSV or Excel instead.'))
  const { columns } = heading
  const bodies = withUndated(bodiesOf(pages.slice(first), headings.slice(first), columns), columns)
  const about = [...pages.slice(0, first).flat(), ...(pages[first] ?? []).slice(0, heading.from)].map(cellsOf)
  const rows = rowsOf(bodies)
  if (!rows) throw unclear()
  const places = placesIn(
    columns,
    rows.flatMap(({ lines }) => lines),
  )
  const written = rows.map((row) => cellsOfRow(row, { columns, places }))
  const sum = columns.findIndex(({ role }) => role === (isApp ? 'amount' : 'balance'))
  const dated = columns.findIndex(({ role }) => role === 'date')
  const read = written.filter(({ [dated]: date = '', [sum]: amount }, at) => {
    return (isDate(date) || (at > 0 && date === '')) && amount !== ''
  })
  if (written.length === 0 || read.length < READ_MIN * written.length) throw unclear()
  const opening = openingOf(bodies[0] ?? [], columns)
  return [...about, columns.map(({ name }) => name), ...opening, ...written].map(csvLine).join('')
}

/** The lines below the headings of each page, with what they are. */
function bodiesOf(
  pages: readonly (readonly Line[])[],
  headings: readonly (Heading | undefined)[],
  columns: readonly Column[],
): BodyLine[][] {
  const dated = columns.find(({ role }) => role === 'date')
  return pages.map((lines, nth) =>
    lines.slice(headings[nth]?.to ?? 0).flatMap(({ words, ...line }): BodyLine[] => {
      const joined = withMoney(words, columns)
      const inDates = joined.filter((word) => dated && overlap(word, dated) > 0 - UNDER_DATE)
      // A line of another kind below the last row
      if (inDates.some(({ text }) => !DATE_WORD.test(text))) return []
      const isDated = inDates.some(({ text }) => isDate(text) || DATE_PART.test(text))
      const hasMoney = joined.some((word) => isMoney(word) && isBesideText(word, columns))
      return [{ ...line, words: joined, isDated, hasMoney }]
    }),
  )
}

/**
 * Some banks print a date in the first row of its day alone. Where each line with a date has an amount and a balance,
 * a line without one that has both is a row, too. The server takes it if its balance follows from the row above.
 */
function withUndated(pages: BodyLine[][], columns: readonly Column[]): BodyLine[][] {
  const hasSum = ({ words }: BodyLine, isBalance: boolean) =>
    columns.some(
      (column) =>
        isMoneyColumn(column) &&
        (column.role === 'balance') === isBalance &&
        words.some((word) => isMoney(word) && overlap(word, column) > 0),
    )
  const isWhole = (line: BodyLine) => hasSum(line, true) && hasSum(line, false)
  if (!pages.flat().every((line) => !line.isDated || isWhole(line))) return pages
  const isRow = (line: BodyLine) => line.isDated || (isWhole(line) && !line.words.some(({ text }) => NO_ROW.test(text)))
  return pages.map((lines) => lines.map((line) => ({ ...line, isDated: isRow(line) })))
}

/** False for a sum that a payer wrote: no narration reaches below the headings of amounts. */
function isBesideText({ left, right }: Word, columns: readonly Column[]): boolean {
  const first = Math.min(...columns.filter(isMoneyColumn).map((column) => column.left))
  return columns.every(
    (column) => column.role !== 'narration' || (column.left < first ? right > first : left < column.left),
  )
}

/** What stands above the table, in cells. */
function cellsOf({ words }: Line): string[] {
  const cells: string[] = []
  let reached: number | undefined
  for (const { text, left, right, size } of words) {
    if (reached === undefined || left - reached > NEXT_CELL * size) cells.push(text)
    else cells[cells.length - 1] += ` ${text}`
    reached = right
  }
  return cells
}

interface Table {
  columns: readonly Column[]
  places: Places
}

function cellsOfRow({ lines, money }: BodyRow, { columns, places }: Table): string[] {
  const cells = columns.map(() => '')
  for (const line of lines) {
    const own = columns.map((): string[] => [])
    for (const word of line.words) {
      const at = places.columnOf(word)
      if (at === undefined) throw unclear()
      const column = columns[at]
      // Two amounts in one cell cannot be read
      const isAmount = column !== undefined && isMoneyColumn(column) && /\d/.test(word.text)
      if (isAmount && (line !== money || own[at]?.some((text) => /\d/.test(text)))) throw unclear()
      own[at]?.push(word.text)
    }
    for (const [at, texts] of own.entries()) cells[at] = joinedCell(cells[at] ?? '', texts.join(' '), columns[at])
  }
  return cells.map((cell, at) => (columns[at]?.role === 'reference' && !places.hasReferences ? '' : cell))
}

/** A narration and a reference are cut at any letter; times and years are not. */
function joinedCell(cell: string, more: string, column: Column | undefined): string {
  const isCut = column?.role === 'narration' || column?.role === 'reference' || /[-/]$/.test(cell)
  return cell === '' || more === '' || isCut ? cell + more : `${cell} ${more}`
}

/** A first row without a date that says the balance before all others. */
function openingOf(lines: readonly BodyLine[], columns: readonly Column[]): string[][] {
  const before = lines.slice(
    0,
    lines.findIndex(({ isDated }) => isDated),
  )
  return before.flatMap(({ words }) => {
    const label = words.map(({ text }) => text).join(' ')
    const balance = columns.find(({ role }) => role === 'balance')
    const amount = words.find((word) => isMoney(word) && balance && overlap(word, balance) > 0)
    return amount && OPENING.test(label) ? [['Opening balance', amount.text]] : []
  })
}
