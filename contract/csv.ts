/** CSV in which a spreadsheet runs no cell. Both ends share it, so that one reads the other's files. */

/**
 * Spreadsheets run a cell that begins with one of these as a formula. Buyers and suppliers can write any text.
 * The apostrophe makes it text.
 */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/

/** Begins a file and tells Excel that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Writes one row with its line break. Numbers stay numbers. */
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
