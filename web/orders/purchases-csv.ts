import type { Purchase } from '../../contract/orders.ts'
import { toCsv } from '../platform/csv.ts'

const HEAD = [
  'Date (UTC)',
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

/** The sales book for a spreadsheet. */
export function purchasesCsv(purchases: readonly Purchase[]): string {
  return toCsv([
    HEAD,
    ...purchases.map((purchase) => [
      purchase.createdAt.slice(0, 19).replace('T', ' '),
      purchase.username,
      purchase.email,
      purchase.referralCode,
      purchase.productName,
      purchase.duration,
      purchase.quantity,
      purchase.unitPrice,
      purchase.amount,
      purchase._id,
    ]),
  ])
}
