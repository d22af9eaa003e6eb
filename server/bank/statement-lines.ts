/** What becomes of a statement's entries, whatever file they came from: checked balances, and lines with references. */
import { Refusal } from '../../contract/errors.ts'
import { readTransfer } from './references.ts'
import { checkBalances, type Checked } from './statement-balances.ts'
import { oneLine, type Row } from './statement-cells.ts'
import type { Entry } from './statement-entries.ts'
import { coveredBy, tailOf } from './statement-layouts.ts'
import type { Statement, StatementLine } from './statement.ts'

const ROWS_SHOWN = 30
export const ROWS_PER_TURN = 50
const NARRATION_KEPT = 500
const ROUNDED = 'Excel has rounded the references: download the file again and upload it unopened.'

export interface About {
  layout: string
  bank: string | null
  /** Rows outside the list, which tell the account and the period. */
  about: readonly Row[]
  opening: number | undefined
  perhaps: readonly number[]
}

/** Checks the entries and reads their references. */
export function* readEntries(entries: readonly Entry[], file: About): Generator<void, Statement> {
  const problems = entries.flatMap(({ line, problem }) => (problem === undefined ? [] : [{ line, text: problem }]))
  const readable = entries.filter((entry): entry is Entry & { paise: number } => entry.paise !== undefined)
  const checked = brokenByGap(checkBalances(readable, file), entries)
  const lines: StatementLine[] = []
  for (const [at, entry] of readable.entries()) {
    if (at % ROWS_PER_TURN === 0) yield
    const paise = checked.swapped ? 0 - entry.paise : entry.paise
    if (paise === 0) continue
    const line = lineOf(entry, paise, checked.proven[at] === true, file.bank)
    if (line.refs.length === 0 && paise > 0 && isRounded(entry)) problems.push({ line: entry.line, text: ROUNDED })
    lines.push(line)
  }
  const inTime = checked.newestFirst ? lines.toReversed() : lines
  return {
    layout: file.layout,
    bank: file.bank,
    tail: tailOf(file.about),
    covers: coveredBy(
      file.about,
      readable.map(({ day }) => day),
    ),
    balances: checked.balances,
    brokenAt: checked.brokenAt,
    swapped: checked.swapped,
    opening: checked.opening,
    closing: checked.closing,
    lines: withReturns(inTime),
    problems: problems.toSorted((a, b) => a.line - b.line),
  }
}

/** A row that cannot be read is a gap in the balances, so it proves nothing on either side. */
function brokenByGap(checked: Checked, entries: readonly Entry[]): Checked {
  const gap = entries.find(({ paise }) => paise === undefined)
  if (!gap || checked.balances === 'none') return checked
  const brokenAt = Math.min(gap.line, checked.brokenAt ?? gap.line)
  const proven = checked.proven.map(() => false)
  return { ...checked, balances: 'broken', brokenAt, proven, opening: null, closing: null }
}

function lineOf(entry: Entry, paise: number, isProven: boolean, bank: string | null): StatementLine {
  const { line, day, at, balance } = entry
  return {
    line,
    day,
    at,
    direction: paise > 0 ? 'credit' : 'debit',
    amountPaise: Math.abs(paise),
    ...readTransfer(entry.narration, entry.reference, bank),
    proof: isProven ? 'statement' : 'none',
    narration: oneLine(entry.narration).slice(0, NARRATION_KEPT),
    balancePaise: balance,
  }
}

/** Money that went out under the same reference came back, or was taken back: it is no payment in either case. */
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

export function unreadable(message: string, rows: readonly Row[] = []): Refusal {
  const shown = rows.slice(0, ROWS_SHOWN).map(({ cells }) => cells.map((cell) => cell.slice(0, 120)))
  return new Refusal('STATEMENT_UNREADABLE', { message, details: { rows: shown } })
}
