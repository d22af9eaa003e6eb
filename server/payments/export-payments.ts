import { BYTE_ORDER_MARK, csvLine } from '../../contract/csv.ts'
import { inIndia } from '../../contract/india.ts'
import { audit, auditableFilter } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { readAllPayments, type PaymentFilter } from './list-payments.ts'

const HEAD = [
  'Date (India)',
  'Username',
  'Email',
  'Type',
  'Status',
  'Amount (INR)',
  'Credited (INR)',
  'UTR',
  'Phone',
  'Product',
  'Duration',
  'Reviewed (India)',
  'Reviewed by',
  'Reason',
  'Payment',
]

/**
 * Yields the matching payments as lines of CSV, newest first. The export is audited, because names, e-mails and phones
 * leave the store.
 */
export async function* exportPayments(
  db: Database,
  filter: PaymentFilter,
  by: Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'>,
): AsyncGenerator<string> {
  // Reads before the audit entry, so that a wrong filter is refused and exports nothing
  const payments = readAllPayments(db, filter)
  let next = await payments.next()
  const after = auditableFilter(filter)
  await db.transaction((tx) => audit(tx, by, { action: 'payment.export', subject: 'Payments', after }))
  yield BYTE_ORDER_MARK + csvLine(HEAD)
  for (; !next.done; next = await payments.next()) {
    const { createdAt, userId, type, status, amount, meta, utr, payerName, productId, duration, ...row } = next.value
    yield csvLine([
      inIndia(createdAt),
      userId?.username ?? '',
      userId?.email ?? '',
      type,
      status,
      amount,
      status === 'approved' && type === 'add_money' ? (meta?.bonus ?? amount) : '',
      utr,
      payerName,
      productId?.name ?? '',
      duration,
      row.decidedAt === undefined ? '' : inIndia(row.decidedAt),
      row.decidedBy ?? (row.decidedHow === 'bank' ? 'Bank' : ''),
      row.reason ?? '',
      row._id,
    ])
  }
}
