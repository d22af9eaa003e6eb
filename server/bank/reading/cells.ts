/** Splits the text of a statement into rows of cells, whatever program has written it. */
import { plainDigits } from '../../../contract/digits.ts'

export interface Row {
  /** Its first line in the text, from 1. */
  line: number
  cells: readonly string[]
}

export const DELIMITERS = [',', '\t', ';', '|', '~'] as const
export type Delimiter = (typeof DELIMITERS)[number]

const CELL_LENGTH_MAX = 2_000
/** No bank's file has nearly as many. */
const COLUMNS_MAX = 200
const CELLS_MAX = 1_000_000
/** A quoted cell with more line breaks is a stray quote that would swallow rows. */
const BREAKS_IN_CELL_MAX = 8
const ROWS_PER_TURN = 200
const CELLS_PER_TURN = 4_000
const LETTERS_PER_TURN = 500_000

/** Removes invisible marks, and leaves one kind of space and one kind of line break. */
export function tidyText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ')
    .replaceAll(/(?![\t\n])[\p{Cf}\p{Cc}\p{Cs}]/gu, '')
}

/** Puts a text from outside on one line. */
export const oneLine = (text: string): string => tidyText(text).replaceAll(/\s+/g, ' ').trim()

/** False for a text with so many cells that reading them would hold up everything else. */
export function* hasFewCells(text: string): Generator<void, boolean> {
  const inRow = new Map<number, number>(DELIMITERS.map((mark) => [mark.charCodeAt(0), 0]))
  let all = 0
  for (let at = 0; at < text.length; at++) {
    if (at % LETTERS_PER_TURN === 0) yield
    const code = text.charCodeAt(at)
    if (code === 10) for (const mark of inRow.keys()) inRow.set(mark, 0)
    const before = inRow.get(code)
    if (before === undefined) continue
    if (before + 1 >= COLUMNS_MAX || ++all >= CELLS_MAX) return false
    inRow.set(code, before + 1)
  }
  return true
}

/** Reads rows as spreadsheets write them. Yields where other work may run. */
export function* rowsOf(text: string, delimiter: Delimiter): Generator<void, Row[]> {
  const rows: Row[] = []
  let at = 0
  let line = 1
  let fresh = 0
  while (at < text.length) {
    const cells: string[] = []
    const row: Row = { line, cells }
    for (;;) {
      const cell = cellAt(text, at, delimiter)
      cells.push(cell.value)
      line += cell.breaks
      at = cell.end
      if (text[at] !== delimiter) break
      at++
    }
    at++
    line++
    rows.push(row)
    fresh += cells.length
    if (rows.length % ROWS_PER_TURN !== 0 && fresh < CELLS_PER_TURN) continue
    fresh = 0
    yield
  }
  return rows
}

interface Cell {
  value: string
  /** Where the delimiter or the line break behind it stands. */
  end: number
  /** Line breaks in it. */
  breaks: number
}

function cellAt(text: string, start: number, delimiter: Delimiter): Cell {
  const quote = text[start] === '=' ? start + 1 : start
  const quoted = text[quote] === '"' ? quotedCell(text, quote, delimiter) : undefined
  if (quoted) return quoted
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++
  return { value: bare(text.slice(start, Math.min(end, start + CELL_LENGTH_MAX))), end, breaks: 0 }
}

/** Undefined when the quote belongs to the text. */
function quotedCell(text: string, quote: number, delimiter: Delimiter): Cell | undefined {
  let at = quote + 1
  let breaks = 0
  for (; at < text.length && at - quote < CELL_LENGTH_MAX; at++) {
    if (text[at] === '\n' && ++breaks > BREAKS_IN_CELL_MAX) return undefined
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') at++
    else break
  }
  if (text[at] !== '"') return undefined
  let end = at + 1
  while (text[end] === ' ') end++
  if (end < text.length && text[end] !== delimiter && text[end] !== '\n') return undefined
  return { value: bare(text.slice(quote + 1, at).replaceAll('""', '"')), end, breaks }
}

/** Takes off what some exports put around a value, so that spreadsheets keep it as text: '…', ="…". */
function bare(cell: string): string {
  const value = cell.replaceAll(/\s+/g, ' ').trim()
  const inner = /^="(.*)"$/.exec(value)?.[1] ?? /^'(.*?)'?$/.exec(value)?.[1] ?? value
  return inner.trim()
}

/** Digits of every script as 0 to 9. */
export const latinDigits = (cell: string): string => (/[^\0-\x7F]/.test(cell) ? plainDigits(cell) : cell)

/** How many cells a row has, without empty ones at its end. */
export const widthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== '') + 1
