/** Reads the tables of a web page, which some banks call "xls". No script in it runs, and nothing is fetched. */
import { COLUMNS_MAX, SheetRows } from './sheet-rows.ts'

const TABLE = /^\s*<[^]*<table[\s>]/i

export const isPage = (text: string): boolean => TABLE.test(text)

/** @returns all rows as CSV, in their order */
export function readPage(text: string): string {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const rows = new SheetRows()
  for (const row of page.querySelectorAll('tr')) {
    // Of tables in tables, the inner ones hold the texts
    if (row.querySelector('table')) continue
    const cells: string[] = []
    for (const cell of row.cells) {
      cells.push(cell.textContent.replaceAll(/\s+/g, ' ').trim())
      for (let more = Math.min(cell.colSpan, COLUMNS_MAX) - 1; more > 0; more--) cells.push('')
    }
    rows.add(rows.next, cells.slice(0, COLUMNS_MAX))
  }
  return rows.text()
}
