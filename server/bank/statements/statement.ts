/** What a statement says, whichever bank gave it. */

export interface StatementLine {
  /** Its line in the text, from 1. */
  line: number
  /** In India, as YYYY-MM-DD. */
  day: string
  at: Date | null
  direction: 'credit' | 'debit'
  /** Above zero. */
  amountPaise: number
  /** From the bank's slot, in the form of UTRs. */
  refs: string[]
  kind: 'payment' | 'reversal'
  /** `statement` when its own balance step was checked. */
  proof: 'statement' | 'report' | 'none'
  payerName: string
  payerVpa: string | null
  note: string
  narration: string
  balancePaise: number | null
}

export interface Statement {
  layout: string
  bank: string | null
  /** The last digits of the account that the file names. */
  tail: string | null
  covers: { from: string; to: string } | null
  balances: 'proven' | 'broken' | 'none'
  /** The first line whose balance does not add up. */
  brokenAt: number | null
  swapped: boolean
  opening: number | null
  closing: number | null
  /** In the order of time, oldest first. */
  lines: StatementLine[]
  problems: { line: number; text: string }[]
}

export interface StatementOptions {
  /** Which column holds what, counted from 0, for a layout that is not known. */
  columns?: {
    date: number
    narration: number
    reference?: number | undefined
    amount?: number | undefined
    debit?: number | undefined
    credit?: number | undefined
    balance?: number | undefined
  }
  /** What proven imports closed with last, on or before the file's first day, in paise. It proves the first row. */
  closingBefore?: (firstDay: string) => readonly number[]
}
