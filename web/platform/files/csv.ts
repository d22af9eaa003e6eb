import { BYTE_ORDER_MARK, fromCell, sheetLine } from '../../../contract/csv.ts'

/** Turns rows of cells into CSV for spreadsheets. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map(sheetLine).join('')
}

/** Further columns of a row, and the rest of a long cell, are left out. */
export const COLUMNS_MAX = 200
/** In letters. A cell of Excel names a shared text, so a small file can say a long one many times. */
export const CELL_MAX = 4_096
/** In letters. Enough of them to tell the separator. */
const FIRST_LINES_MAX = 100_000

/** Reads CSV as spreadsheets write it: quoted cells may hold commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const start = NAMED_SEPARATOR.exec(text)?.[0].length ?? (text.startsWith(BYTE_ORDER_MARK) ? 1 : 0)
  const separator = separatorOf(text)
  const endCell = () => {
    if (row.length < COLUMNS_MAX) row.push(fromCell(cell))
    cell = ''
  }
  const add = (char: string) => {
    if (cell.length < CELL_MAX) cell += char
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at)
    if (quoted) {
      if (char !== '"') add(char)
      else if (text[at + 1] === '"') {
        add('"')
        at++
      } else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === separator) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r' || text[at + 1] !== '\n') add(char)
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

/** Excel's own first line, which names the separator: "sep=;". */
const NAMED_SEPARATOR = /^\uFEFF?"?sep=(.)"?\r?\n/i
/** A title may stand above the headings. */
const LINES_LOOKED_AT = 10

/** Finds the separator by the first lines, because spreadsheets of some countries write semicolons. */
function separatorOf(text: string): string {
  const named = NAMED_SEPARATOR.exec(text)?.[1]
  if (named !== undefined) return named
  const first = text.slice(0, FIRST_LINES_MAX).split('\n', LINES_LOOKED_AT).join('\n')
  const count = (char: string) => first.split(char).length
  return [';', '\t'].find((char) => count(char) > count(',')) ?? ','
}
