/**
 * Reads the tables of a web page, which some banks call "xls". It is read as text: the panel's policy lets no text
 * become a document, so no script in it runs, and nothing is fetched.
 */
import { COLUMNS_MAX } from '../../../platform/files/csv.ts'
import { SheetRows, unescaped } from './sheet-rows.ts'

const TABLE = /^\s*<[^]*<table[\s>]/i
/** A tag without an end ends with the page. Searching for the end from each beginning would take for ever. */
const UNSEEN = /<!--[^]*?(?:-->|$)|<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi
const TOKEN = /<(\/?)([a-z][a-z\d]*)(?![a-z\d])([^<>]*)>|[^<]+|</gi
const SPAN = /\bcolspan\s*=\s*["']?(\d{1,3})/i

interface OpenRow {
  cells: string[]
  cell: { text: string; span: number } | undefined
  /** Where tables contain tables, the inner ones hold the texts. */
  hasTable: boolean
}

export const isPage = (text: string): boolean => TABLE.test(text)

/** @returns all rows as CSV, in their order */
export function readPage(text: string): string {
  const rows = new SheetRows()
  const tables: { row: OpenRow | undefined }[] = []
  const endCell = (row: OpenRow | undefined) => {
    if (!row?.cell) return
    const { text, span } = row.cell
    // A wide cell takes few bytes, so a small file could have millions of columns
    const width = Math.min(span, COLUMNS_MAX - row.cells.length)
    for (let at = 0; at < width; at++) row.cells.push(at === 0 ? unescaped(text).replaceAll(/\s+/g, ' ').trim() : '')
    row.cell = undefined
  }
  const endRow = () => {
    const table = tables.at(-1)
    endCell(table?.row)
    if (table?.row && !table.row.hasTable) rows.add(rows.next, table.row.cells)
    if (table) table.row = undefined
  }
  for (const [token, end, name = '', more = ''] of text.replaceAll(UNSEEN, ' ').matchAll(TOKEN)) {
    const table = tables.at(-1)
    const tag = name.toLowerCase()
    if (tag === 'table' && end === '') {
      if (table?.row) table.row.hasTable = true
      tables.push({ row: undefined })
    } else if (tag === 'table' || tag === 'tr') {
      endRow()
      if (tag === 'table') tables.pop()
      else if (table && end === '') table.row = { cells: [], cell: undefined, hasTable: false }
    } else if (tag === 'td' || tag === 'th') {
      endCell(table?.row)
      const span = Math.min(Math.max(Number(SPAN.exec(more)?.[1] ?? 1), 1), COLUMNS_MAX)
      if (table?.row && end === '') table.row.cell = { text: '', span }
    } else if (table?.row?.cell) table.row.cell.text += tag === '' ? token : tag === 'br' ? ' ' : ''
  }
  return rows.text()
}
