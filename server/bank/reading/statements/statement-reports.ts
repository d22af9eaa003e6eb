/** Reports of payment apps: money that came, without balances. */
import { upiNumber } from '../reference-forms.ts'
import type { StatementLine } from './statement.ts'
import { wordsOf } from '../../../../contract/statement-headings.ts'
import { oneLine, widthOf, type Row } from '../cells.ts'
import { readAmount, readDate } from '../values.ts'

interface Report {
  layout: string
  bank: string
  /** Headings, as "transaction_date". */
  columns: {
    date: string
    amount: string
    reference: string
    status: string
    type?: string
    time?: string
    vpa?: string
  }
  paid: { status: string; type?: string }
  /** Its columns are a guess, so it proves nothing until a bank's statement agrees with one of its rows. */
  isGuessed?: true
}

const headingOf = (cell: string): string => wordsOf(cell).replaceAll(' ', '_')

const REPORTS: readonly Report[] = [
  {
    layout: 'phonepe-business',
    bank: 'PhonePe',
    columns: {
      date: 'transaction_date',
      amount: 'total_transaction_amount',
      reference: 'transaction_utr',
      status: 'transaction_status',
      type: 'transaction_type',
    },
    paid: { status: 'COMPLETED', type: 'PAYMENT' },
  },
  {
    layout: 'phonepe-app',
    bank: 'PhonePe',
    columns: { date: 'date', time: 'time', amount: 'amount', reference: 'utr', status: 'transaction_type' },
    paid: { status: 'CREDIT' },
  },
  {
    layout: 'paytm-business',
    bank: 'Paytm',
    columns: {
      date: 'transaction_date',
      amount: 'amount',
      // "UTR" is the payout's there, and all rows share it
      reference: 'rrn_code',
      status: 'status',
      type: 'transaction_type',
      vpa: 'customer_vpa',
    },
    paid: { status: 'SUCCESS', type: 'ACQUIRING' },
  },
  {
    layout: 'bharatpe-business',
    bank: 'BharatPe',
    columns: {
      date: 'transaction_date',
      time: 'transaction_time',
      amount: 'amount',
      reference: 'utr',
      status: 'status',
      vpa: 'payer_vpa',
    },
    paid: { status: 'SUCCESS' },
    isGuessed: true,
  },
  {
    layout: 'bharatpe-settlement',
    bank: 'BharatPe',
    columns: {
      date: 'transaction_date_time',
      // What the buyer paid. The bank shows one payout, less fees, under the settlement's UTR
      amount: 'transaction_amount',
      reference: 'bank_rrn',
      status: 'status',
      vpa: 'payer_vpa',
    },
    paid: { status: 'SUCCESS' },
    isGuessed: true,
  },
  {
    layout: 'gpay-business',
    bank: 'Google Pay Business',
    columns: { date: 'date', amount: 'amount', reference: 'upi_transaction_id', status: 'status' },
    paid: { status: 'COMPLETED' },
    isGuessed: true,
  },
]

export const isReport = (layout: string): boolean => REPORTS.some((report) => report.layout === layout)
export const isGuessed = (layout: string): boolean =>
  REPORTS.some((report) => report.layout === layout && report.isGuessed === true)

export function reportOf(heading: Row): Report | undefined {
  const names = new Set(heading.cells.map(headingOf))
  return REPORTS.find(({ columns }) => Object.values(columns).every((name) => names.has(name)))
}

/** Returns the payments of a report; undefined for rows that are none, and a text for one that cannot be read. */
export function reportLine(report: Report, heading: Row, { line, cells }: Row): StatementLine | string | undefined {
  const names = heading.cells.map(headingOf)
  const cell = (name: string | undefined) => (name === undefined ? '' : (cells[names.indexOf(name)] ?? ''))
  const { columns, paid } = report
  // A comma in a name has shifted them, and no balance would show it
  if (widthOf(cells) > names.length) return 'The amount or the balance can’t be read.'
  if (cell(columns.status).toUpperCase() !== paid.status || cell(columns.type).toUpperCase() !== (paid.type ?? ''))
    return undefined
  const date = readDate(`${cell(columns.date)} ${cell(columns.time)}`.trim())
  const amount = readAmount(cell(columns.amount))
  if (date === undefined || date === 'impossible') return 'The date can’t be read.'
  if (!amount || amount.paise === 0 || amount.sign === '-' || amount.sign === 'DR') return 'The amount can’t be read.'
  const reference = upiNumber(cell(columns.reference))
  const vpa = cell(columns.vpa)
  return {
    line,
    day: date.day,
    at: date.at,
    direction: 'credit',
    amountPaise: amount.paise,
    refs: reference === undefined ? [] : [reference],
    kind: 'payment',
    proof: 'report',
    payerName: '',
    payerVpa: /^[\w.-]+@\w+$/.test(vpa) ? vpa.toLowerCase() : null,
    note: '',
    narration: oneLine(cells.filter((text) => text !== '').join(' ')).slice(0, 200),
    balancePaise: null,
  }
}
