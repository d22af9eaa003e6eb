/** Finds the row of headings, and which column holds what. Roles follow from the names, not from the places. */
import type { StatementOptions } from './statement.ts'
import { HEADINGS, wordsOf } from '../../../../contract/statement-headings.ts'
import { widthOf, type Row } from '../cells.ts'
import { readAmount } from '../values.ts'

export interface Columns {
  date: number
  narration: number
  /** A column that is named as a reference. A cheque number is not one. */
  reference?: number | undefined
  debit?: number | undefined
  credit?: number | undefined
  /** One column for both directions. */
  amount?: number | undefined
  /** Its amounts have a sign if money left. The others came in. */
  isSigned?: boolean
  /** CR or DR of the amount. */
  direction?: number | undefined
  balance?: number | undefined
  /** CR or DR of the balance. */
  balanceSide?: number | undefined
  /** How many headings there are; 0 when the columns were given. */
  width: number
  delimiter: string
  /** All columns of amounts, where one of balances is among them. */
  sums: readonly number[]
}

const TYPE = /^(?:(?:(?:txn|transaction|(?:part )?tran|entry) )?type|d c|c d|dc|direction|indicator|sign)$/
/** Cells of a column that says the direction. The group is of money that came. */
export const LETTERS = /^\(?(?:(c|cr|credit(?:ed)?|deposit)|d|dr|debit(?:ed)?|withdrawal)\.?\)?$/i
/** A shop’s own books call debit what the bank calls credit, and nobody but the shop has written them. */
const OF_BOOKS = /\bdebit receipts?\b|\bcredit payments?\b|^(?:vch|voucher) type$/
const [ROWS_LOOKED_AT, SURPLUS_MAX] = [60, 20]

/** Returns the columns when the row is one of headings. `rows` begin behind it. */
export function columnsOf(heading: Row, below: readonly Row[], delimiter: string): Columns | undefined {
  const names = heading.cells.map(wordsOf)
  if (names.some((name) => OF_BOOKS.test(name))) return undefined
  const date = pickDate(names)
  const balances = indexes(names, (name) => HEADINGS.balance.test(name) && !/\bopening\b/.test(name))
  const money = names.map((name, index) => !balances.includes(index) && !HEADINGS.date.test(name) && name.length < 60)
  const narration = pickNarration(names, balances)
  if (date === undefined || narration === undefined) return undefined
  const width = widthOf(heading.cells)
  const isMoney = (index: number, pattern: RegExp) => money[index] === true && pattern.test(names[index] ?? '')
  const isSum = (at: number) =>
    isMoney(at, HEADINGS.amount) || isMoney(at, HEADINGS.debit) !== isMoney(at, HEADINGS.credit)
  const sums = balances.length === 0 ? [] : indexes(names, (_, at) => balances.includes(at) || isSum(at))
  const placed = { width, narration, delimiter, sums }
  const rows = below.map(({ line, cells }) => ({ line, cells: inColumns(cells, placed) }))
  const both = indexes(names, (_, index) => isMoney(index, HEADINGS.debit) && isMoney(index, HEADINGS.credit))
  const sides = [...both, ...indexes(names, (name) => TYPE.test(name))].filter((index) => holdsLetters(rows, index))
  const signed = both.find((index) => !sides.includes(index))
  const single = indexes(
    names,
    (_, i) => isMoney(i, HEADINGS.amount) && !isMoney(i, HEADINGS.debit) && !isMoney(i, HEADINGS.credit),
  )
  const amount = signed ?? single.find((index) => index !== narration)
  const only = (wanted: RegExp) =>
    indexes(names, (_, i) => isMoney(i, wanted) && !both.includes(i) && !HEADINGS.reference.test(names[i] ?? '')).find(
      (index) => index !== narration,
    )
  const [debit, credit] = [only(HEADINGS.debit), only(HEADINGS.credit)]
  const balance = balances.find((index) => !/\bavailable\b/.test(names[index] ?? '')) ?? balances[0]
  const isPair = debit !== undefined && credit !== undefined
  if (amount === undefined && !isPair) return undefined
  // With two columns of amounts, a column of letters belongs to the balance
  const mayBeBalances = (index: number) => (isPair ? both.includes(index) : sides.length > 1)
  const besideBalance = sides.find((index) => index - 1 === balance && mayBeBalances(index))
  return {
    date,
    reference: indexes(
      names,
      (name, index) => index !== date && index !== narration && HEADINGS.reference.test(name),
    )[0],
    ...(isPair ? { debit, credit } : { amount, direction: sides.find((index) => index !== besideBalance) }),
    isSigned: amount !== undefined && (amount === signed || holdsMinus(rows, amount)),
    balance,
    balanceSide: besideBalance,
    ...placed,
  }
}

/**
 * A row with more cells than headings has delimiters in its narration, which the payer may have written, or in the name
 * of a branch behind the balance. Only one way to read amounts counts. Where there are two, all are the narration's.
 */
export function inColumns(
  cells: readonly string[],
  { width, narration, delimiter, sums }: Pick<Columns, 'width' | 'narration' | 'delimiter' | 'sums'>,
): readonly string[] {
  const surplus = widthOf(cells) - width
  if (width === 0 || surplus <= 0) return cells
  const withIn = (count: number): readonly string[] => {
    const joined = cells.slice(narration, narration + count + 1).join(delimiter === '\t' ? ' ' : delimiter)
    return [...cells.slice(0, narration), joined, ...cells.slice(narration + count + 1)]
  }
  const last = Math.max(...sums)
  if (sums.length === 0 || narration > last || last >= width - 1 || surplus > SURPLUS_MAX) return withIn(surplus)
  const read = Array.from({ length: surplus + 1 }, (_, count) => withIn(count)).filter((way) => {
    const amounts = sums.map((at) => readAmount(way[at] ?? ''))
    const moved = amounts.slice(0, -1).filter((amount) => amount?.paise)
    return moved.length === 1 && amounts.at(-1) && !amounts.includes(undefined)
  })
  return (read.length === 1 && read[0]) || withIn(surplus)
}

/** Columns that an admin has chosen. */
export function givenColumns(given: NonNullable<StatementOptions['columns']>, rows: readonly Row[]): Columns {
  const isPair = given.debit !== undefined && given.credit !== undefined
  const taken = new Set<number | undefined>(Object.values(given))
  const width = Math.max(...rows.slice(0, ROWS_LOOKED_AT).map(({ cells }) => cells.length), 0)
  const letters = Array.from({ length: width }, (_, index) => index).find(
    (index) => !taken.has(index) && holdsLetters(rows, index),
  )
  return {
    ...given,
    ...(isPair ? { amount: undefined } : { direction: letters }),
    isSigned: given.amount !== undefined && holdsMinus(rows, given.amount),
    width: 0,
    delimiter: '',
    sums: [],
  }
}

function indexes(names: readonly string[], fits: (name: string, index: number) => boolean): number[] {
  return names.flatMap((name, index) => (name !== '' && fits(name, index) ? [index] : []))
}

const LATER = [/post/, /\bval/, /settle|upload|created|updated/]
/** The day of the transaction comes before that of its posting and of its value. */
function pickDate(names: readonly string[]): number | undefined {
  const dates = indexes(names, (name) => HEADINGS.date.test(name) && name.length < 40)
  const rank = (index: number) => LATER.findLastIndex((form) => form.test(names[index] ?? ''))
  return dates.toSorted((a, b) => rank(a) - rank(b))[0]
}

function pickNarration(names: readonly string[], balances: readonly number[]): number | undefined {
  const isOther = (name: string, index: number) =>
    HEADINGS.date.test(name) || HEADINGS.amount.test(name) || balances.includes(index)
  return [...HEADINGS.narration, /^transaction(?: reference)?$/].flatMap((pattern) =>
    indexes(names, (name, index) => pattern.test(name) && !isOther(name, index)),
  )[0]
}

function holdsMinus(rows: readonly Pick<Row, 'cells'>[], index: number): boolean {
  return rows.some(({ cells }) => readAmount(cells[index] ?? '')?.sign === '-')
}

function holdsLetters(rows: readonly Pick<Row, 'cells'>[], index: number): boolean {
  const written = rows.slice(0, ROWS_LOOKED_AT).map(({ cells }) => cells[index] ?? '')
  return written.some((cell) => LETTERS.test(cell)) && written.every((cell) => LETTERS.test(cell) || !readAmount(cell))
}
