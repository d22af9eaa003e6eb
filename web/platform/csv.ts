/**
 * A cell that begins with one of these is run as a formula by spreadsheets, and what a buyer or a supplier has written
 * can begin with anything. The apostrophe makes it text.
 */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/

/** Rows of cells → CSV for spreadsheets; the byte order mark tells Excel that it is UTF-8. Numbers stay numbers. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`
}

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n\t;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** 2026-11-20 21:14 in the viewer's zone: sorts as it reads, and every spreadsheet takes it. Empty for no moment. */
export function toSheetTime(iso: string | null): string {
  if (iso === null) return ''
  const moment = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-')
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`
}

/** CSV → rows of cells, as spreadsheets write it: quoted cells hold commas, breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const start = text.startsWith('\uFEFF') ? 1 : 0
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

/** Spreadsheets of some countries write semicolons; the first line tells. */
function separatorOf(text: string): string {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined)
  const count = (char: string) => first.split(char).length
  return [';', '\t'].find((char) => count(char) > count(',')) ?? ','
}

/** Takes back the apostrophe that our own export puts before what looks like a formula. */
function fromCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}
