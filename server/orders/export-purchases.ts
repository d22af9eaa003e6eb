import { BYTE_ORDER_MARK, csvLine } from '../../contract/csv.ts'
import { inIndia } from '../../contract/india.ts'
import { audit, auditableFilter } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { readPurchases, type PurchaseFilter } from './list-purchases.ts'

const HEAD = [
  'Date (India)',
  'Username',
  'Email',
  'Referral code',
  'Product',
  'Duration',
  'Quantity',
  'Unit price (INR)',
  'Amount (INR)',
  'Order',
]

/**
 * Yields the matching sales as lines of CSV, newest first. The export is audited, because names and e-mails leave
 * the store.
 */
export async function* exportPurchases(
  db: Database,
  filter: PurchaseFilter,
  by: Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'>,
): AsyncGenerator<string> {
  // Reads before the audit entry, so that a wrong date is refused and exports nothing
  const purchases = readPurchases(db, filter)
  let next = await purchases.next()
  const after = auditableFilter(filter)
  await db.transaction((tx) => audit(tx, by, { action: 'purchases.export', subject: 'Purchases', after }))
  yield BYTE_ORDER_MARK + csvLine(HEAD)
  for (; !next.done; next = await purchases.next()) {
    const { createdAt, username, email, referralCode, productName, duration, quantity, unitPrice, amount, _id } =
      next.value
    yield csvLine([
      inIndia(createdAt),
      username,
      email,
      referralCode,
      productName,
      duration,
      quantity,
      unitPrice,
      amount,
      _id,
    ])
  }
}
