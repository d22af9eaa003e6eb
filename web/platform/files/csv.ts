import { BYTE_ORDER_MARK, csvLine, isFormula } from '../../../contract/csv.ts'

/** Turns rows of cells into CSV for spreadsheets. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map(csvLine).join('')
}

/** Reads CSV as spreadsheets write it: quoted cells may hold commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  const separator = separatorOf(text)
  const endCell = () => {
    row.push(fromCell(cell))
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at)
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === separator) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r' || text[at + 1] !== '\n') cell += char
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

/** Finds the separator by the first line, because spreadsheets of some countries write semicolons. */
function separatorOf(text: string): string {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined)
  const count = (char: string) => first.split(char).length
  return [';', '\t'].find((char) => count(char) > count(',')) ?? ','
}

/** Removes the apostrophe that our export puts before text that looks like a formula. */
function fromCell(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell
}
