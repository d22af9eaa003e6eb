/** Finds the headings of a PDF's table: one to three lines with a date, a narration and a balance. Pure. */
import { HEADINGS, wordsOf } from '../../../../contract/statement-headings.ts'
import type { Line, Word } from './pdf-words.ts'

type Role = 'date' | 'narration' | 'reference' | 'debit' | 'credit' | 'amount' | 'balance' | 'other'

export interface Column {
  name: string
  role: Role
  left: number
  right: number
}

type Name = Omit<Column, 'role'>

export interface Heading {
  columns: Column[]
  /** The first of its lines, and the one behind its last. */
  from: number
  to: number
}

const [LINES_MAX, WORDS_MAX] = [3, 60]
/** Parts of the letters' height. */
const [NEXT_COLUMN, NEXT_LINE] = [0.7, 1.8]
/** These words begin another column's name, even close behind one. */
const STARTS: readonly [Role, RegExp][] = [
  ['date', /^(?:date|dt|dat)$/],
  ['narration', /^(?:narration|particulars?|description|remarks|details?)$/],
  ['reference', /^(?:ref|reference|utr|rrn|chq|cheque|instrument)\b/],
  ['debit', /^(?:debits?|withdraw\w*|dr)$/],
  ['credit', /^(?:credits?|deposits?|cr)$/],
  ['balance', /^(?:balance|bal)$/],
  ['other', /^(?:s|sl|sr|serial|branch|init|sol|type|mode|channel)$/],
]
/** These words stand before a name, and not behind it. */
const BEFORE = /^(?:value|val|txn|tran|trans|transaction|post|posting|posted|closing|running|available)$/
const BOUND = /[/&(-]$/

/** @param isApp for a payment app's own statement, which has no balances */
export function findHeading(lines: readonly Line[], isApp = false): Heading | undefined {
  const isWhole = isApp ? isOfApp : isOfBank
  for (let count = 1; count <= LINES_MAX; count++) {
    for (const [from] of lines.entries()) {
      const band = lines.slice(from, from + count)
      if (band.length < count || !isClose(band)) continue
      const columns = columnsOf(band)
      if (isWhole(columns)) return withMore(lines, withBeside(lines, from, from + count))
    }
  }
  return undefined
}

const isClose = (band: readonly Line[]): boolean =>
  band.every((line, at) => at === 0 || line.y - (band[at - 1]?.y ?? 0) <= NEXT_LINE * line.size)

function isOfBank(columns: readonly Column[]): boolean {
  const roles = new Set(columns.map(({ role }) => role))
  const money = roles.has('amount') || (roles.has('debit') && roles.has('credit'))
  return roles.has('date') && roles.has('narration') && roles.has('balance') && money
}

/** Google Pay: "Date & time", "Transaction details", "Amount". PhonePe has "Type" before the amount. */
const isOfApp = (columns: readonly Column[]): boolean =>
  /^date(?: time)?,transaction details,(?:type,)?amount$/.test(columns.map(({ name }) => wordsOf(name)).join())

/** In the middle of their cells, names of two lines begin above and end below the others. */
function withBeside(lines: readonly Line[], from: number, to: number): Heading {
  const isBeside = (line: Line | undefined, next: Line | undefined) =>
    line && next && next.y - line.y < line.size && !line.words.concat(next.words).some(({ text }) => /\d/.test(text))
  let [first, end] = [from, to]
  while (isBeside(lines[first - 1], lines[first])) first -= 1
  while (isBeside(lines[end - 1], lines[end])) end += 1
  return { columns: columnsOf(lines.slice(first, end)), from: first, to: end }
}

/** Names that go on in the next line, which has no number and nothing beside the columns. */
function withMore(lines: readonly Line[], heading: Heading): Heading {
  const next = lines[heading.to]
  const last = lines[heading.to - 1]
  if (!next || !last || heading.to - heading.from >= LINES_MAX || !isClose([last, next])) return heading
  const isName = next.words.every(
    (word) => !/\d/.test(word.text) && heading.columns.some((column) => overlap(word, column) > 0),
  )
  if (!isName) return heading
  const columns = columnsOf(lines.slice(heading.from, heading.to + 1))
  return isOfBank(columns) ? withMore(lines, { ...heading, columns, to: heading.to + 1 }) : heading
}

export const overlap = (one: Pick<Word, 'left' | 'right'>, other: Pick<Word, 'left' | 'right'>): number =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left)

function columnsOf(band: readonly Line[]): Column[] {
  const stacked: Name[] = []
  for (const name of band.flatMap(namesIn)) {
    const over = stacked.find((column) => overlap(column, name) > 0)
    if (!over) stacked.push(name)
    else {
      over.name += ` ${name.name}`
      over.left = Math.min(over.left, name.left)
      over.right = Math.max(over.right, name.right)
    }
  }
  const roles = stacked.map(({ name }) => roleOf(name))
  // A column for both directions holds their letters if there is one of amounts, and else the amounts
  const both: Role = roles.includes('amount') || roles.includes('debit') ? 'other' : 'amount'
  return stacked
    .map((column, at): Column => ({ ...column, role: roles[at] === 'both' ? both : (roles[at] ?? 'other') }))
    .toSorted((a, b) => a.left - b.left)
}

/** The columns' names in one line. A wide gap, or a word that begins a name, starts the next one. */
function namesIn({ words }: Line): Name[] {
  const names: Name[] = []
  for (const { text, left, right, size } of words.slice(0, WORDS_MAX)) {
    const last = names.at(-1)
    if (!last || left - last.right > NEXT_COLUMN * size || beginsAnother(last.name, text))
      names.push({ name: text, left, right })
    else {
      last.name += ` ${text}`
      last.right = right
    }
  }
  return names
}

function beginsAnother(before: string, text: string): boolean {
  if (BOUND.test(before) || /^[/&(-]/.test(text)) return false
  const had = wordsOf(before).split(' ').map(startOf).filter(Boolean)
  const word = wordsOf(text)
  const role = startOf(word.split(' ')[0] ?? '')
  return had.length > 0 && (BEFORE.test(word) || (role !== undefined && !had.includes(role)))
}

const startOf = (word: string): Role | undefined => STARTS.find(([, form]) => form.test(word))?.[0]

/** As the server reads them. */
function roleOf(heading: string): Role | 'both' {
  const name = wordsOf(heading)
  if (HEADINGS.balance.test(name)) return 'balance'
  if (HEADINGS.date.test(name)) return 'date'
  const [debit, credit] = [HEADINGS.debit.test(name), HEADINGS.credit.test(name)]
  if (debit && credit) return 'both'
  if (HEADINGS.reference.test(name)) return 'reference'
  if (debit || credit) return debit ? 'debit' : 'credit'
  if (HEADINGS.narration.some((form) => form.test(name))) return 'narration'
  return HEADINGS.amount.test(name) ? 'amount' : 'other'
}
