import { inIndia } from '../../contract/india.ts'
import type { Purchase } from '../../contract/sales-book.ts'
import type { By } from '../audit/audit.ts'
import { exportSheet, type SheetColumn } from '../audit/export-sheet.ts'
import type { Database } from '../platform/database/database.ts'
import { readPurchases, type PurchaseFilter } from './list-purchases.ts'

const columns: readonly SheetColumn<Purchase>[] = [
  ['Date (India)', ({ createdAt }) => inIndia(createdAt)],
  ['Username', ({ username }) => username],
  ['Email', ({ email }) => email],
  ['Referral code', ({ referralCode }) => referralCode],
  ['Product', ({ productName }) => productName],
  ['Duration', ({ duration }) => duration],
  ['Quantity', ({ quantity }) => quantity],
  ['Unit price (INR)', ({ unitPrice }) => unitPrice],
  ['Amount (INR)', ({ amount }) => amount],
  ['Order', ({ _id }) => _id],
  ['Refunded (INR)', ({ refunded }) => refunded],
]

/** Yields the matching sales as lines of CSV, newest first. */
export const exportPurchases = (db: Database, filter: PurchaseFilter, by: By): AsyncGenerator<string> =>
  exportSheet(db, { action: 'purchases.export', subject: 'Purchases', filter }, by, {
    columns,
    rows: readPurchases(db, filter),
  })
