/** Reports of payment apps: money that came, without balances. */
import { upiNumber, wireForm } from '../reference-forms.ts'
import type { StatementLine } from './statement.ts'
import { HEADINGS, wordsOf } from '../../../../contract/statement-headings.ts'
import { oneLine, widthOf, type Row } from '../cells.ts'
import { readAmount, readDate } from '../values.ts'

interface Report {
  layout: string
  bank: string | null
  /** Headings, as "transaction_date". */
  columns: Record<'date' | 'amount', string> & { [Other in OtherColumn]?: string | undefined }
  /** The column, if the file has it, with what the bank pays out for the row, less the app's fees. */
  net?: string | undefined
  /** What money that came has in these columns. Without it, no row is a payment. */
  paid?: Told
  /** And what money that left has, where an app writes both into one file. */
  sent?: Told
  /** Its columns are a guess, so it proves nothing until a bank's statement agrees with one of its rows. */
  isGuessed?: true
}

type OtherColumn = 'time' | 'reference' | 'status' | 'type' | 'details' | 'account' | 'vpa'
type Told = Partial<Record<'amount' | 'status' | 'type' | 'details', RegExp>>

const headingOf = (cell: string): string => wordsOf(cell.toLowerCase()).replaceAll(' ', '_')

/** As payment apps' own statements begin a row. Cashback, refunds and own transfers begin otherwise. */
const RECEIVED = /^received from\b/i
/** Where a report has no column for it. The payer's name stands before it. */
const REFERENCE = /(?:UPI Transaction ID|UTR(?: No)?)[ .:]{0,3}(\d{12})(?!\d)/gi
/** At the end of a cell, behind a bank's name or a mask. */
const TAIL = /(?<=[X* -]|[a-z])(\d{2,4})$/i

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
    paid: { status: /^COMPLETED$/i, type: /^PAYMENT$/i },
  },
  {
    layout: 'phonepe-app',
    bank: 'PhonePe',
    columns: {
      date: 'date',
      time: 'time',
      amount: 'amount',
      status: 'transaction_type',
      details: 'transaction_details',
      account: 'credit_debit_instrument',
    },
    paid: { status: /^CREDIT$/i, details: RECEIVED },
    sent: { status: /^DEBIT$/i },
  },
  {
    // Each row has the UTR of the payout. No row has a UTR of its own
    layout: 'phonepe-settlement',
    bank: 'PhonePe',
    columns: { date: 'settlementdate', amount: 'amount', reference: 'bankreferenceno' },
  },
  {
    layout: 'paytm-app',
    bank: 'Paytm',
    columns: {
      date: 'date',
      time: 'time',
      amount: 'amount',
      reference: 'upi_ref_no',
      details: 'transaction_details',
      account: 'your_account',
      vpa: 'other_transaction_details_upi_id_or_a_c_no',
    },
    paid: { details: RECEIVED },
    sent: { amount: /^-/ },
  },
  {
    layout: 'gpay-app',
    bank: 'Google Pay',
    columns: { date: 'date_time', amount: 'amount', details: 'transaction_details' },
    paid: { details: RECEIVED },
    sent: { details: /^paid to\b/i },
    isGuessed: true,
  },
  {
    layout: 'phonepe-pdf',
    bank: 'PhonePe',
    columns: { date: 'date', amount: 'amount', details: 'transaction_details', type: 'type' },
    paid: { type: /^CREDIT$/i, details: RECEIVED },
    sent: { type: /^DEBIT$/i },
    isGuessed: true,
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
    net: 'settled_amount',
    paid: { status: /^SUCCESS$/i, type: /^ACQUIRING$/i },
  },
]

const CR_OR_DR = /^(?:cr_?dr|dr_?cr|debit_credit)$/
/** What other apps and gateways call their columns. The first form that a heading has counts. */
const OTHER: readonly (readonly RegExp[])[] = [
  [/^(?:trans|txn|paym|crea|ord).*date/, /^date/, /^(?:trans|txn|paym|crea).*(?:time|ed_at)/, /^credit_date|^added/],
  [/^(?:total|gross|orig|transaction|txn|payer|order|event)[a-z_]*(?:amount|amt|amnt)$/, /^amount/],
  [/(?:^|_)rrn(?:_|$)|^acquirer_data$/, /^(?:bank|upi)_(?:ref|utr|transaction_id)/, /(?:^|_)utr(?:_|$)/],
  [/status/],
  [CR_OR_DR, /type$/],
  [/^(?:payer|customer)[a-z_]*(?:vpa|upi|va$)/, /^vpa$/],
  [/^(?:transaction_|txn_)?time$/],
]
const NOT_OF_BUYER = /settle|payout|updated|refund|(?:^|_)(?:fee|tax|net|merchant|payee)/
const DONE = /^(?:success(?:ful)?|completed?|captured|credited|paid|settled)$/i
const OF_BUYER = /^(?!.*(?:refund|revers|chargeback|payout|settle|adjust|withdraw|cashback|reward|fee|debit))/i
/** As an app's own list calls what its owner has paid. */
const SPENT = /^(?:money )?(?:pay(?!.?in)|paid|sen[dt]|out(?:ward|going)?|dr?)(?![a-z])/i

/** Without a row's status or direction, a payment that failed would look like one that came. */
function otherReport(cells: readonly string[]): Report | undefined {
  const names = cells.map(headingOf)
  const words = cells.map((cell) => wordsOf(cell).replaceAll(' ', '_'))
  const isOf = (form: RegExp, at: number) => form.test(words[at] ?? '') && !NOT_OF_BUYER.test(words[at] ?? '')
  const [date, amount, named, status, type, vpa, time] = OTHER.map(
    (forms) => forms.flatMap((form) => names.filter((_, at) => isOf(form, at)))[0],
  )
  // Other apps have counters of their own there. Google Pay for Business has the bank's number
  const reference = named ?? (date === 'creation_time' ? names.find((name) => name === 'transaction_id') : undefined)
  const isDirected = CR_OR_DR.test(type ?? '')
  if (date === undefined || amount === undefined || reference === undefined || !(status ?? isDirected)) return undefined
  const isDone = status === undefined ? {} : { status: DONE }
  return {
    layout: `report:${[date, amount, reference].join()}`,
    bank: null,
    columns: { date, amount, reference, status, type, vpa, time },
    net: names.find((_, at) => words[at]?.startsWith('net_')),
    paid: { ...isDone, type: isDirected ? /^(?:cr|credit)$/i : OF_BUYER },
    sent: { ...isDone, type: /refund|debit|^dr$/i },
    isGuessed: true,
  }
}

export const isReport = (layout: string): boolean => isGuessed(layout) || REPORTS.some((one) => one.layout === layout)
export const isGuessed = (layout: string): boolean =>
  layout.startsWith('report:') || REPORTS.some((one) => one.layout === layout && one.isGuessed === true)

export function reportOf(heading: Row): Report | undefined {
  const names = heading.cells.map(headingOf)
  // A bank's headings may have these among them
  if (heading.cells.some((cell) => HEADINGS.balance.test(wordsOf(cell)))) return undefined
  const known = REPORTS.find(({ columns }) => Object.values(columns).every((name) => names.includes(name ?? '')))
  return known ?? otherReport(heading.cells)
}

/**
 * @returns a payment of a report, or money that left; undefined for rows that are neither, and a text for one that
 *   cannot be read
 */
export function reportLine(report: Report, heading: Row, { line, cells }: Row): StatementLine | string | undefined {
  const names = heading.cells.map(headingOf)
  const { paid, sent } = report
  // An app's own statement may have a column for what others write into the details
  const columns = { reference: names.find((name) => /^utr(?:_no)?$/.test(name)), ...report.columns }
  const cell = (column: keyof Report['columns']) => cells[names.indexOf(columns[column] ?? '')] ?? ''
  // A comma in a name has shifted them, and no balance would show it
  if (widthOf(cells) > names.length) return 'The amount or the balance can’t be read.'
  const isSo = (told: Told | undefined) =>
    told !== undefined && Object.entries(told).every(([column, form]) => form.test(cell(column as keyof Told)))
  const came = isSo(paid) && !SPENT.test(cell('type'))
  if (!came && !isSo(sent)) return undefined
  const written = cell('date')
    .replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6')
    .replace(/^1\d{9}$/, (seconds) => new Date(Number(`${seconds}000`)).toISOString())
  const date = readDate([...new Set([written, cell('time')])].join(' ').trim())
  const amount = readAmount(cell('amount'))
  if (date === undefined || date === 'impossible') return 'The date can’t be read.'
  const takes = came && (amount?.sign === '-' || amount?.sign === 'DR')
  if (!amount || amount.paise === 0 || takes) return 'The amount can’t be read.'
  const details = cell('details')
  const [only = '', other] = columns.reference
    ? [/^\{.*"rrn":"(\d{12})"/.exec(cell('reference'))?.[1] ?? cell('reference')]
    : Array.from(details.matchAll(REFERENCE), ([, digits]) => digits)
  // Beside who sent it, the reference of a NEFT is the payer's. Elsewhere it is the payout's
  const form = names.some((name) => name.startsWith('remitter')) ? wireForm(only) : undefined
  const reference = other === undefined ? (upiNumber(only) ?? form) : undefined
  const vpa = /^[\w.-]+@\w+(?= on |$)/.exec(cell('vpa'))?.[0]
  const tail = TAIL.exec(columns.account ? cell('account') : details)?.[1]
  const net = readAmount(cells[names.indexOf(report.net ?? '')] ?? '')?.paise
  return {
    line,
    day: date.day,
    at: date.at,
    direction: came ? 'credit' : 'debit',
    amountPaise: amount.paise,
    refs: reference === undefined ? [] : [reference],
    kind: 'payment',
    proof: 'report',
    payerName: '',
    payerVpa: vpa?.toLowerCase() ?? null,
    note: '',
    narration: oneLine(cells.filter((text) => text !== '').join(' ')).slice(0, 200),
    balancePaise: null,
    ...(tail !== undefined && { tail }),
    ...(came && net !== undefined && { netPaise: net }),
  }
}

/** @returns what is wrong with a report of which no row can be a payment */
export const whyUseless = ({ paid }: Report): string | undefined =>
  paid ? undefined : 'All rows of this file share the payout’s UTR. Download the report of transactions instead.'
