import { inIndia } from '../../contract/india.ts'
import type { Payment } from '../../contract/payments.ts'
import type { By } from '../audit/audit.ts'
import { exportSheet, type SheetColumn } from '../audit/export-sheet.ts'
import type { Database } from '../platform/database/database.ts'
import { readAllPayments, type PaymentFilter } from './list-payments.ts'

const columns: readonly SheetColumn<Payment>[] = [
  ['Date (India)', ({ createdAt }) => inIndia(createdAt)],
  ['Username', ({ userId }) => userId?.username ?? ''],
  ['Email', ({ userId }) => userId?.email ?? ''],
  ['Type', ({ type }) => type],
  ['Status', ({ status }) => status],
  ['Amount (INR)', ({ amount }) => amount],
  [
    'Credited (INR)',
    ({ status, type, amount, meta }) => (status === 'approved' && type === 'add_money' ? (meta?.bonus ?? amount) : ''),
  ],
  ['UTR', ({ utr }) => utr],
  ['Phone', ({ payerName }) => payerName],
  ['Product', ({ productId }) => productId?.name ?? ''],
  ['Duration', ({ duration }) => duration],
  ['Reviewed (India)', ({ decidedAt }) => (decidedAt === undefined ? '' : inIndia(decidedAt))],
  ['Reviewed by', ({ decidedBy, decidedHow }) => decidedBy ?? (decidedHow === 'bank' ? 'Bank' : '')],
  ['Reason', ({ reason }) => reason ?? ''],
  ['Payment', ({ _id }) => _id],
]

/** Yields the matching payments as lines of CSV, newest first. */
export const exportPayments = (db: Database, filter: PaymentFilter, by: By): AsyncGenerator<string> =>
  exportSheet(db, { action: 'payment.export', subject: 'Payments', filter }, by, {
    columns,
    rows: readAllPayments(db, filter),
  })
