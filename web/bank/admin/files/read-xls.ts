/**
 * Turns a sheet of an old Excel file (.xls, as Excel 97 and later write it) into CSV: the first that has a statement's
 * headings, else the first. It reads values, texts and dates, and what formulas came to; nothing is run.
 */
import { t } from '../../../platform/i18n.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { damagedExcel, type Streams } from './ole.ts'
import { COLUMNS_MAX } from '../../../platform/files/csv.ts'
import { isDateFormat, numberText, SheetRows } from './sheet-rows.ts'
import { SplitBytes } from './split-bytes.ts'

const BIFF8 = 0x06_00
const TEXTS_MAX = 1_000_000
/** Records by their numbers, as Excel's file format names them. */
const IS = {
  begin: 0x08_09,
  end: 0x0a,
  locked: 0x2f,
  sheet: 0x85,
  texts: 0xfc,
  more: 0x3c,
  macDates: 0x22,
  format: 0x04_1e,
  style: 0xe0,
  sharedText: 0xfd,
  number: 0x02_03,
  shortNumber: 0x02_7e,
  shortNumbers: 0xbd,
  text: 0x02_04,
  richText: 0xd6,
  formula: 0x06,
  result: 0x02_07,
}

interface Sheet {
  /** Where its records begin. */
  at: number
}

interface Book {
  isMac: boolean
  texts: string[]
  formats: Map<number, string>
  /** Format of each style. */
  styles: number[]
  /** Those that Excel shows. */
  sheets: Sheet[]
}

/** @throws FileFault with a text for the person who chose it */
export function readXls(streams: Streams): string {
  const bytes = streams('Workbook')
  if (!bytes) throw otherForm()
  try {
    const book = readBook(bytes)
    const [first] = book.sheets
    if (!first) throw otherForm()
    for (const sheet of book.sheets) {
      const rows = rowsOf(bytes, book, sheet)
      if (rows.hasHeadings) return rows.text()
    }
    return rowsOf(bytes, book, first).text()
  } catch (error) {
    // A record that ends before what it must hold
    if (error instanceof RangeError) throw damagedExcel()
    throw error
  }
}

const otherForm = () => new FileFault(t('This Excel file can’t be read. Open it and save it as CSV.'))

interface Piece {
  kind: number
  view: DataView<ArrayBuffer>
  /** Where the next one begins. */
  next: number
}

function* recordsFrom(bytes: Uint8Array<ArrayBuffer>, start: number): Generator<Piece> {
  const whole = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = start
  while (at + 4 <= bytes.length) {
    const length = whole.getUint16(at + 2, true)
    const next = at + 4 + length
    if (next > bytes.length) throw damagedExcel()
    yield { kind: whole.getUint16(at, true), view: new DataView(bytes.buffer, bytes.byteOffset + at + 4, length), next }
    at = next
  }
}

function readBook(bytes: Uint8Array<ArrayBuffer>): Book {
  const book: Book = { isMac: false, texts: [], formats: new Map(), styles: [], sheets: [] }
  let shared: DataView<ArrayBuffer>[] = []
  let isShared = false
  for (const { kind, view } of recordsFrom(bytes, 0)) {
    if (kind === IS.begin && view.getUint16(0, true) !== BIFF8) throw otherForm()
    if (kind === IS.locked)
      throw new FileFault(t('This old Excel file has a password. Open it with the password and save it as CSV.'))
    if (kind === IS.end) break
    if (kind === IS.texts) shared = [view]
    else if (kind === IS.more && isShared) shared.push(view)
    isShared = kind === IS.texts || (kind === IS.more && isShared)
    if (kind === IS.macDates) book.isMac = view.getUint16(0, true) === 1
    if (kind === IS.format) book.formats.set(view.getUint16(0, true), new SplitBytes([view], 2).text())
    if (kind === IS.style) book.styles.push(view.getUint16(2, true))
    // Sheets with macros or charts alone have another type, and those that Excel hides another state
    if (kind === IS.sheet && view.getUint8(5) === 0 && (view.getUint8(4) & 3) === 0)
      book.sheets.push({ at: view.getUint32(0, true) })
  }
  if (shared[0]) {
    const count = shared[0].getUint32(4, true)
    const pieces = new SplitBytes(shared, 8)
    if (count > TEXTS_MAX) throw damagedExcel()
    for (let index = 0; index < count; index++) book.texts.push(pieces.text())
  }
  return book
}

type Put = (row: number, column: number, text: string) => void

function rowsOf(bytes: Uint8Array<ArrayBuffer>, book: Book, { at }: Sheet): SheetRows {
  const cells = new Map<number, string[]>()
  const put: Put = (row, column, text) => {
    if (column >= COLUMNS_MAX) return
    const found = cells.get(row) ?? []
    found[column] = text
    cells.set(row, found)
  }
  let formula: DataView | undefined
  for (const { kind, view } of recordsFrom(bytes, at)) {
    if (kind === IS.end) break
    if (kind === IS.result && formula)
      put(formula.getUint16(0, true), formula.getUint16(2, true), new SplitBytes([view], 0).text())
    else readCell(kind, view, book, put)
    if (kind === IS.formula) formula = view
  }
  const rows = new SheetRows()
  for (const [row, found] of [...cells].toSorted(([a], [b]) => a - b)) rows.add(row + 1, found)
  return rows
}

function readCell(kind: number, view: DataView<ArrayBuffer>, book: Book, put: Put): void {
  const u16 = (place: number) => view.getUint16(place, true)
  const number = (style: number, value: number) => {
    const format = book.styles[style] ?? 0
    return numberText(value, isDateFormat(format, book.formats.get(format)), book.isMac)
  }
  const short = (style: number, place: number) => number(style, shortNumber(view.getUint32(place, true)))
  if (kind === IS.sharedText) put(u16(0), u16(2), book.texts[view.getUint32(6, true)] ?? '')
  else if (kind === IS.text || kind === IS.richText) put(u16(0), u16(2), new SplitBytes([view], 6).text())
  else if (kind === IS.number) put(u16(0), u16(2), number(u16(4), view.getFloat64(6, true)))
  else if (kind === IS.shortNumber) put(u16(0), u16(2), short(u16(4), 6))
  else if (kind === IS.shortNumbers)
    for (let at = 4, column = u16(2); at + 8 <= view.byteLength; at += 6, column++)
      put(u16(0), column, short(u16(at), at + 2))
  // Its result is a text, a truth or a fault where its last two bytes are full
  else if (kind === IS.formula && u16(12) !== 0xff_ff) put(u16(0), u16(2), number(u16(4), view.getFloat64(6, true)))
}

/** Thirty bits, of a whole number or of the upper half of a fraction. The last bit says: in hundredths. */
function shortNumber(bits: number): number {
  const fraction = new DataView(new ArrayBuffer(8))
  fraction.setUint32(0, bits & ~3)
  const value = (bits & 2) === 0 ? fraction.getFloat64(0) : (bits | 0) >> 2
  return (bits & 1) === 0 ? value : value / 100
}
