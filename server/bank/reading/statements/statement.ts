/** What a statement says, whichever bank gave it. */
import type { StatementColumns } from '../../../../contract/bank-shapes.ts'
import type { Transfer } from '../references.ts'
import type { Checked } from './statement-balances.ts'

export interface StatementLine extends Transfer {
  /** Its line in the text, from 1. */
  line: number
  /** In India, as YYYY-MM-DD. */
  day: string
  at: Date | null
  direction: 'credit' | 'debit'
  /** Above zero. */
  amountPaise: number
  /** `statement` when its own balance step was checked. */
  proof: 'statement' | 'report' | 'none'
  narration: string
  balancePaise: number | null
  /** Last digits of the account, where a payment app names one on each row. */
  tail?: string
  /** What a payment app pays out for it, less its fees. */
  netPaise?: number
}

export interface Statement extends Omit<Checked, 'newestFirst' | 'proven'> {
  layout: string
  bank: string | null
  /** The last digits of the account that the file names. */
  tail: string | null
  /** The name of its holder. */
  holder: string | null
  covers: { from: string; to: string } | null
  /** In the order of time, oldest first. */
  lines: StatementLine[]
  problems: { line: number; text: string }[]
}

export interface StatementOptions {
  /** Which column holds what, counted from 0, for a layout that is not known. */
  columns?: StatementColumns
  /** What proven imports closed with last, on or before the file's first day, in paise. It proves the first row. */
  closingBefore?: (firstDay: string) => readonly number[]
}
