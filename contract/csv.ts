/** CSV in which a spreadsheet runs no cell. Both ends share it, so that one reads the other's files. */

/**
 * Spreadsheets run a cell that begins with one of these as a formula. Buyers and suppliers can write any text.
 * The apostrophe makes it text.
 */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/

/** Begins a file and tells Excel that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
/**
 * Text that a spreadsheet reads as a number, a date, or true or false. It then shows and saves something else:
 * 4.12346E+11 for a UTR, 777 for 000777, 12 May for 12-05. A day as we write it (2026-11-20) may be read as a date.
 */
const MISREAD = new RegExp(
  [
    '^0\\d+$',
    '^\\d{12,}$',
    '^\\d+(?:\\.\\d+)?e[+-]?\\d+$',
    '^\\d{1,3}(?:,\\d{2,3})+$',
    '^(?!\\d{4}-\\d{2}-\\d{2}$)\\d{1,4}[-/]\\d{1,2}(?:[-/]\\d{1,4})?$',
    `^${MONTH}[-/ .]?\\d{1,4}$`,
    `^\\d{1,2}[-/ .]?${MONTH}(?:[-/ .]?\\d{2,4})?$`,
    '^(?:true|false)$',
  ].join('|'),
  'i',
)
/** Excel and Google Sheets show and copy what stands between the quotes, and save it without them. */
const AS_TEXT = /^="([^"]*)"$/

/** Writes one row of a file for spreadsheets, in which a text made of digits stays that text. */
export function sheetLine(cells: readonly (string | number)[]): string {
  return csvLine(cells.map((cell) => (typeof cell === 'string' && MISREAD.test(cell) ? { text: cell } : cell)))
}

/** Reads a cell as `csvLine` and `sheetLine` write it. */
export function fromCell(cell: string): string {
  const text = AS_TEXT.exec(cell)?.[1]
  return text ?? (cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell)
}

/** Writes one row with its line break. Numbers stay numbers. */
export function csvLine(cells: readonly (string | number | { text: string })[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: string | number | { text: string }): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return `"=""${value.text}"""`
  const safe = isFormula(value) ? `'${value}` : value
  return /[",\r\n\t;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function isFormula(cell: string): boolean {
  return FORMULA.test(cell)
}
