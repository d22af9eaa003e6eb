/** Turns rows below the headings into entries: a day, an amount with its direction, and a balance. */
import { inColumns, LETTERS, type Columns } from './statement-columns.ts'
import type { Row } from '../cells.ts'
import { isClosing, isOpening } from './statement-layouts.ts'
import { readAmount, readBalance, readDate, type AmountCell } from '../values.ts'

export interface Entry {
  line: number
  day: string
  at: Date | null
  /** Above zero for money that came; 0 for a row without an amount; undefined when it cannot be read. */
  paise: number | undefined
  balance: number | null
  narration: string
  reference: string
  /** What is wrong with it. */
  problem?: string
}

type EntryOrStated = Entry | { opening: number } | 'no row' | 'impossible date'

/** Reads one row. */
export function readEntry({ line, cells: written }: Row, columns: Columns): EntryOrStated {
  const cells = inColumns(written, columns)
  const cell = (index: number | undefined) => (index === undefined ? '' : (cells[index] ?? ''))
  const date = readDate(cell(columns.date))
  if (date === undefined) return 'no row'
  if (date === 'impossible') return 'impossible date'
  const narration = cell(columns.narration)
  const balance = columns.balance === undefined ? null : readBalance(cell(columns.balance), cell(columns.balanceSide))
  const amount = amountOf(cell, columns)
  if (isOpening(narration) && typeof balance === 'number' && (!amount || amount === balance))
    return { opening: balance }
  if (isClosing(narration) && !amount) return 'no row'
  const entry = { line, ...date, narration, reference: cell(columns.reference) }
  if (amount === undefined || balance === undefined)
    return { ...entry, paise: undefined, balance: null, problem: 'The amount or the balance can’t be read.' }
  return { ...entry, paise: amount, balance }
}

/** Some banks print a date in the first row of its day alone. In the others, the balance must follow from that row. */
export function undatedEntry({ line, cells: written }: Row, columns: Columns, last: Entry | undefined) {
  const cells = inColumns(written, columns)
  if (cells[columns.date] !== '' || !last?.paise || last.balance === null) return undefined
  const dated = cells.map((cell, at) => (at === columns.date ? last.day : cell))
  const entry = readEntry({ line, cells: dated }, columns)
  if (typeof entry === 'string' || !('day' in entry) || !entry.paise || isClosing(entry.narration)) return undefined
  const isNext = entry.balance === last.balance + entry.paise || entry.balance === last.balance - last.paise
  return isNext ? entry : undefined
}

/** In paise, above zero for money that came. 0 when the row has none, undefined when it is not clear. */
function amountOf(cell: (index: number | undefined) => string, columns: Columns): number | undefined {
  if (columns.amount !== undefined)
    return signedAmount(readAmount(cell(columns.amount)), cell(columns.direction), columns)
  const debit = readAmount(cell(columns.debit))
  const credit = readAmount(cell(columns.credit))
  if (debit === undefined || credit === undefined) return undefined
  const [out, into] = [debit?.paise ?? 0, credit?.paise ?? 0]
  if (out !== 0 && into !== 0) return undefined
  if (debit?.sign === 'CR' || credit?.sign === 'DR') return undefined
  // A credit below zero was taken back. A debit is a debit, whatever its sign
  return into !== 0 && credit?.sign === '-' ? 0 - into : into - out
}

function signedAmount(amount: AmountCell | null | undefined, letters: string, columns: Columns): number | undefined {
  if (!amount) return amount === null ? 0 : undefined
  const told = LETTERS.exec(letters)
  const byLetters = told ? (told[1] === undefined ? -1 : 1) : undefined
  const bySign = amount.sign === undefined ? undefined : amount.sign === '+' || amount.sign === 'CR' ? 1 : -1
  if (columns.direction !== undefined && byLetters === undefined && amount.paise !== 0) return undefined
  // "DR" with a minus is one debit. "CR" with a minus says two things
  if (byLetters === 1 && bySign === -1) return undefined
  const sign = byLetters ?? bySign ?? (columns.isSigned ? 1 : undefined)
  return sign === undefined ? (amount.paise === 0 ? 0 : undefined) : sign * amount.paise
}
