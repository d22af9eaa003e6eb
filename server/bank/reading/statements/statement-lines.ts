/** Turns a statement's entries into checked balances and lines with references, whatever file they came from. */
import { Refusal } from '../../../../contract/errors.ts'
import { isOfNewerForm, readTransfer, saysItWent } from '../references.ts'
import { checkBalances, mayClose, type Checked, type Stated } from './statement-balances.ts'
import { oneLine, type Row } from '../cells.ts'
import type { Entry } from './statement-entries.ts'
import { coveredBy, holderOf, tailOf } from './statement-layouts.ts'
import type { Statement, StatementLine, StatementOptions } from './statement.ts'

const ROWS_SHOWN = 30
export const ROWS_PER_TURN = 50
const NARRATION_KEPT = 500
const NO_BALANCE = 'This line has no balance. Choose a statement with one on every line, or approve by hand.'
const ROUNDED = 'Excel has rounded the references: download the file again and upload it unopened.'

interface About {
  layout: string
  bank: string | null
  /** Rows outside the list, which tell the account and the period. */
  about: readonly Row[]
  stated: Stated
  closingBefore: StatementOptions['closingBefore']
}

/** Checks the entries and reads their references. */
export function* readEntries(entries: readonly Entry[], file: About): Generator<void, Statement> {
  const problems = entries.flatMap(({ line, problem }) => (problem === undefined ? [] : [{ line, text: problem }]))
  const readable = entries.filter((entry): entry is Entry & { paise: number } => entry.paise !== undefined)
  const without = readable.find(({ balance }) => balance === null)
  if (without && readable.some(({ balance }) => balance !== null))
    problems.push({ line: without.line, text: NO_BALANCE })
  const covers = coveredBy(file.about, readable)
  const earlier = (covers && file.closingBefore?.(covers.from)) ?? []
  const known = { ...file.stated, perhaps: [...file.stated.perhaps, ...earlier], swaps: file.bank === 'Axis' }
  const { proven, newestFirst, ...found } =
    entries.length === 0 ? quiet(file.stated, earlier) : brokenByGap(checkBalances(readable, known), entries)
  const lines: StatementLine[] = []
  const isNewer = file.bank === 'ICICI' && readable.some(({ narration }) => isOfNewerForm(narration))
  for (const [at, entry] of readable.entries()) {
    if (at % ROWS_PER_TURN === 0) yield
    const paise = found.swapped ? 0 - entry.paise : entry.paise
    if (paise === 0) continue
    const line = lineOf(entry, paise, proven[at] === true, { ...file, isNewer })
    if (line.refs.length === 0 && paise > 0 && isRounded(entry)) problems.push({ line: entry.line, text: ROUNDED })
    lines.push(line)
  }
  return {
    layout: file.layout,
    bank: file.bank,
    tail: tailOf(file.about),
    holder: holderOf(file.about),
    covers,
    ...found,
    lines: withReturns(newestFirst ? lines.toReversed() : lines),
    problems: problems.toSorted((a, b) => a.line - b.line),
  }
}

/** A period without rows is proven if its balance equals the end of an earlier file. */
function quiet(stated: Stated, earlier: readonly number[]): Checked {
  const { opening, perhaps, closings } = stated
  const isStated = (balance: number) =>
    opening === undefined ? [...perhaps, ...closings].includes(balance) : balance === opening
  const closing = earlier.find((balance) => isStated(balance) && mayClose(stated, balance))
  const nothing = { brokenAt: null, swapped: false, newestFirst: false, proven: [] }
  if (closing === undefined) return { balances: 'none', ...nothing, opening: null, closing: null }
  return { balances: 'proven', ...nothing, opening: closing, closing }
}

/** A row that cannot be read is a gap in the balances, so it proves nothing on either side. */
function brokenByGap(checked: Checked, entries: readonly Entry[]): Checked {
  const gap = entries.find(({ paise }) => paise === undefined)
  if (!gap || checked.balances === 'none') return checked
  const brokenAt = Math.min(gap.line, checked.brokenAt ?? gap.line)
  const proven = checked.proven.map(() => false)
  return { ...checked, balances: 'broken', brokenAt, proven, opening: null, closing: null }
}

function lineOf(
  entry: Entry,
  paise: number,
  isProven: boolean,
  { bank, isNewer }: { bank: string | null; isNewer: boolean },
): StatementLine {
  const { line, day, at, balance } = entry
  const transfer = readTransfer(entry.narration, entry.reference, bank, isNewer)
  return {
    line,
    day,
    at,
    direction: paise > 0 ? 'credit' : 'debit',
    amountPaise: Math.abs(paise),
    ...transfer,
    kind: paise > 0 && saysItWent(entry.narration) ? 'reversal' : transfer.kind,
    proof: isProven ? 'statement' : 'none',
    narration: oneLine(entry.narration).slice(0, NARRATION_KEPT),
    balancePaise: balance,
  }
}

/** If money left under a credit's reference, the credit was returned or taken back. Neither is a payment. */
function withReturns(lines: readonly StatementLine[]): StatementLine[] {
  const sent = new Set(lines.flatMap(({ direction, refs }) => (direction === 'debit' ? refs : [])))
  return lines.map((line) =>
    line.direction === 'credit' && line.refs.some((ref) => sent.has(ref)) ? { ...line, kind: 'reversal' } : line,
  )
}

/** Excel writes twelve digits as 6.32E+11, and takes a leading zero off. */
function isRounded({ reference, narration }: Entry): boolean {
  return /^\d(?:\.\d+)?E\+\d+$|^\d{11}$/i.test(reference) || /^(?:UPI|IMPS)\b.*\d\.\d+E\+\d\d/i.test(narration)
}

/** For a date that doesn’t exist, or is in the future, when read with the day first, as in India. */
export const misdated = (line: number): Refusal =>
  new Refusal('STATEMENT_UNREADABLE', {
    say: ['The date on line {line} can’t be right. Download the file again and upload it unopened.', { line }],
  })

export function unreadable(message: string, rows: readonly Row[] = []): Refusal {
  const shown = rows.slice(0, ROWS_SHOWN).map(({ cells }) => cells.map((cell) => cell.slice(0, 120)))
  return new Refusal('STATEMENT_UNREADABLE', { message, details: { rows: shown } })
}
