/**
 * Reads a statement that was copied from a PDF viewer: a line begins with a date and ends with an amount and a
 * balance. Spaces stand where the columns were. The balances show which way money went, not the places.
 */
import { wordsOf } from '../../../../contract/statement-headings.ts'
import { normaliseUtr } from '../../../../contract/utr.ts'
import { ascends, descends } from './statement-balances.ts'
import { DELIMITERS, type Row } from '../cells.ts'
import type { Entry } from './statement-entries.ts'
import { coveredBy, isClosing, isOpening, layoutOf, statedBalances } from './statement-layouts.ts'
import { misdated, readEntries, ROWS_PER_TURN, unreadable } from './statement-lines.ts'
import { readAmount, readBalance, readDate } from '../values.ts'
import type { Statement, StatementOptions } from './statement.ts'

const LINE_READ = 600
const MONEY = String.raw`(?:[-+]?|\+ (?=INR|Rs|₹))(?:INR |Rs\.? ?|₹ ?)?\d[\d,]*\.\d{2}(?: ?\(?(?:CR|DR)\.?\)?)?`
const DAY = String.raw`\d{1,2}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ]\d{2,4}`
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
/** The number before a month is a day, and no year: "30 Apr 30 Apr". */
const START = new RegExp(String.raw`^\s*(?:\d{1,5}[.)]?\s+)?(${DAY})(?=\s|$)(?! +${MONTH}\b)`, 'i')
/** A narrow column breaks a date: "30 Apr 30 Apr", and "2026 2026" below. */
const WITHOUT_YEAR = new RegExp(String.raw`^(\s*\d{1,2} ${MONTH})(\s+\d{1,2} ${MONTH})?(?=\s)(?! +\d{4}\b)`, 'i')
const YEARS = /^\s*(20\d{2})(?:\s+(20\d{2}))?(?=\s|$)/
/** Some banks print a dash for nothing. */
const AMOUNTS = new RegExp(String.raw`\s(${MONEY})(?:\s+[-–—])?(?:\s+(${MONEY}))?\s+(${MONEY})\s*$`, 'i')
const VALUE_DAY = new RegExp(String.raw`\s(${DAY})\s*$`)
const SECOND_DAY = new RegExp(String.raw`^\s+${DAY}(?=\s)`)
/** Set apart by two spaces, or with the bank's four zeros. */
const REFERENCE = /(?:\s{2,}|\t)((?:0000)?\d{12}|[A-Z0-9]{16,22})\s*$|\s(0000\d{12})\s*$/
const FOOTER = /\b(?:bank limited|closing balance|page no|statement|computer generated|total|summary|generated on)\b/i
const WRAPPED_LINES_MAX = 6

const cellsOf = (line: string): string[] => line.trim().split(/\s{2,}|\t/)

interface Printed extends Entry {
  amount: number
  /** What the bank prints beside it; 0 for nothing. */
  sign: -1 | 0 | 1
  /** How far to the right the amount ends, in characters. */
  edge: number
}

export function* readPasted(text: string, options: StatementOptions): Generator<void, Statement> {
  const lines = withYears(text.split('\n'))
  const printed: Printed[] = []
  const others: Row[] = []
  let wrapped = WRAPPED_LINES_MAX
  for (const [at, line] of lines.entries()) {
    if (at % ROWS_PER_TURN === 0) yield
    const found = printedLine(line.slice(0, LINE_READ), at + 1)
    const last = printed.at(-1)
    if (found) {
      printed.push(found)
      wrapped = 0
    } else if (last && wrapped < WRAPPED_LINES_MAX && line.trim() !== '' && !FOOTER.test(line) && !START.test(line)) {
      last.narration += line.trim()
      wrapped++
    } else {
      wrapped = WRAPPED_LINES_MAX
      // Some banks print a day before the opening balance
      const bare = line.replace(START, '').trim()
      others.push({ line: at + 1, cells: cellsOf((isOpening(bare) ? bare : line).slice(0, LINE_READ)) })
    }
  }
  const entries = printed.filter(({ narration }) => !isOpening(narration) && !isClosing(narration))
  const stated = statedBalances(others)
  const covers = coveredBy(others, entries)
  const earlier = (covers && options.closingBefore?.(covers.from)) ?? []
  const follows = entries.some(({ amount, balance }) =>
    earlier.some((end) => Math.abs((balance ?? 0) - end) === amount),
  )
  if (printed.length < 2 && !follows)
    throw unreadable('We can’t read this statement. Choose its columns.', firstRows(lines))
  const heading = lines.find((line) => /balance/i.test(line) && /date/i.test(line)) ?? ''
  const opening = stated.opening ?? printed.find(({ narration }) => isOpening(narration))?.balance ?? undefined
  const perhaps = [...stated.perhaps, ...earlier]
  const known = layoutOf(cellsOf(heading), others)
  return yield* readEntries(withDirections(entries, { opening, perhaps, heading }), {
    layout: 'pasted',
    bank: known.bank,
    about: others,
    stated: { ...stated, opening },
    closingBefore: options.closingBefore,
  })
}

/** Puts the years of broken dates behind their months. Lines keep their numbers. */
function withYears(lines: readonly string[]): string[] {
  const years = lines.map((line, at) => (WITHOUT_YEAR.test(lines[at - 1] ?? '') ? YEARS.exec(line) : null))
  return lines.map((line, at) => {
    const [own, next] = [years[at], years[at + 1]]
    const bare = own ? line.slice(own[0].length) : line
    if (!next) return bare
    const [, year = '', second = year] = next
    return bare.replace(
      WITHOUT_YEAR,
      (_, date: string, value?: string) => `${date} ${year}${value ? `${value} ${second}` : ''}`,
    )
  })
}

/** The first rows as cells, to choose columns by. */
function firstRows(lines: readonly string[]): Row[] {
  const delimiter = DELIMITERS.find((mark) => lines.some((line) => line.split(mark).length > 3)) ?? '\t'
  return lines.slice(0, 30).map((line, at) => ({ line: at + 1, cells: line.split(delimiter) }))
}

function printedLine(text: string, line: number): Printed | undefined {
  const start = START.exec(text)
  const amounts = AMOUNTS.exec(text)
  const date = readDate(start?.[1] ?? '')
  if (!start || !amounts || date === undefined) return undefined
  if (date === 'impossible') throw misdated(line)
  const [, first = '', second, balanceText = ''] = amounts
  const [one, two] = [readAmount(first), second === undefined ? null : readAmount(second)]
  const balance = readBalance(balanceText)
  const given = [one, two].filter((amount) => amount !== null && amount?.paise !== 0)
  const [amount] = given
  if (balance === null || balance === undefined) return undefined
  let middle = text.slice(start[0].length, amounts.index).replace(SECOND_DAY, '').replace(VALUE_DAY, '')
  const reference = REFERENCE.exec(middle)
  if (reference) middle = middle.slice(0, reference.index)
  return {
    line,
    ...date,
    paise: undefined,
    amount: given.length === 1 && amount ? amount.paise : 0,
    sign: signOf(amount?.sign),
    edge: amounts.index + 1 + first.length + (two === null || one?.paise !== 0 ? 0 : 1 + (second ?? '').length),
    balance,
    narration: middle.trim(),
    reference: normaliseUtr(reference?.[1] ?? reference?.[2] ?? ''),
    ...(given.length > 1 && { problem: 'The amount can’t be read.' }),
  }
}

const signOf = (written = ''): Printed['sign'] => (/^[+C]/i.test(written) ? 1 : /^[-D]/i.test(written) ? -1 : 0)

interface Hints {
  opening: number | undefined
  perhaps: readonly number[]
  heading: string
}

/** Gives each amount its direction by its balance step, and the first one by the opening balance or its place. */
function withDirections(entries: readonly Printed[], hints: Hints): Entry[] {
  const isNewestFirst = [false, true].map((newest) =>
    fittingSteps(newest ? entries.toReversed() : entries, hints.opening),
  )
  const [oldest = 0, newest = 0] = isNewestFirst
  const reversed = newest > oldest || (newest === oldest && !ascends(entries))
  // Equal amounts of one day add up in both orders, and each order gives the other direction
  const unread = entries.filter(({ problem }) => problem !== undefined).length
  const isUnclear = entries.length > 1 && ascends(entries) === descends(entries) && Math.abs(newest - oldest) <= unread
  const inTime = reversed ? entries.toReversed() : [...entries]
  let before = hints.opening
  const directed = inTime.map((entry): Entry => {
    const { amount, edge: _edge, sign: _sign, ...rest } = entry
    const step = before === undefined || isUnclear || entry.balance === null ? undefined : entry.balance - before
    const paise = step === undefined ? firstDirection(entry, hints) : directionOf(step, amount)
    before = entry.balance ?? undefined
    if (paise !== undefined) return { ...rest, paise }
    // No other step needs the first amount
    return { ...rest, paise: 0, problem: rest.problem ?? 'We can’t tell if this money was received or paid.' }
  })
  return reversed ? directed.toReversed() : directed
}

const fittingSteps = (inTime: readonly Printed[], opening: number | undefined): number =>
  inTime.filter(({ amount, balance }, at) => {
    const before = at === 0 ? opening : inTime[at - 1]?.balance
    return before !== undefined && before !== null && Math.abs((balance ?? 0) - before) === amount
  }).length

/** An amount whose step does not fit keeps the step's direction, and breaks the balances. */
const directionOf = (step: number, amount: number): number => (step < 0 ? 0 - amount : amount)

function firstDirection({ balance, amount, edge, sign }: Printed, hints: Hints): number | undefined {
  if (amount === 0) return 0
  const signs = [1, -1].filter((each) => hints.perhaps.includes((balance ?? 0) - each * amount))
  if (signs.length === 1) return (signs[0] ?? 1) * amount
  if (sign !== 0) return sign * amount
  // The place under the heading, where the copy has kept it
  const edges = [
    /deposit[^\s]*(?: amt\.?| amount)?|credit(?: amount)?/i,
    /withdrawal[^\s]*(?: amt\.?| amount)?|debit(?: amount)?/i,
  ].map((name) => {
    const match = name.exec(hints.heading)
    return match ? match.index + match[0].length : undefined
  })
  const [into, out] = edges
  if (into === undefined || out === undefined || !/\s{3}/.test(hints.heading) || wordsOf(hints.heading) === '')
    return undefined
  const [nearIn, nearOut] = [Math.abs(edge - into), Math.abs(edge - out)]
  if (Math.min(nearIn, nearOut) > 8 || Math.abs(nearIn - nearOut) < 8) return undefined
  return nearIn < nearOut ? amount : 0 - amount
}
