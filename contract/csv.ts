/** CSV for spreadsheets, in which no cell is run: the same on both ends, for what one writes the other can read. */

/**
 * A cell that begins with one of these is run as a formula by spreadsheets, and what a buyer or a supplier has written
 * can begin with anything. The apostrophe makes it text.
 */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/

/** Begins a file: it tells Excel that what follows is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One row with its line break. Numbers stay numbers. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = isFormula(value) ? `'${value}` : value
  return /[",\r\n\t;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function isFormula(cell: string): boolean {
  return FORMULA.test(cell)
}
