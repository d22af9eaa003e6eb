/** An order that was sent before, under the same Idempotency-Key, gets its first answer again. */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { Wanted } from './decide-orders.ts'

/** A repeated order. Its first answer can be read under this id. */
export interface Repeated {
  repeatedOrderId: string
}

/** The key was used for another order. Only a client's order has one. */
export type Reused = Refusal & { readonly code: 'IDEMPOTENCY_KEY_REUSED' }

/** An order that was placed in an earlier transaction. */
export interface Earlier {
  id: string
  requestHash: Buffer
}

/** Returns the outcome of an order placed before, in an earlier transaction or just now in this one. */
export function repeatedOutcome(
  each: Wanted,
  earlier: Earlier | undefined,
  decided: readonly { orderId: string; wanted: Wanted }[],
): Repeated | Reused | undefined {
  const { idempotency } = each
  if (!idempotency) return undefined
  const now = decided.find(
    (placed) => placed.wanted.buyerId === each.buyerId && placed.wanted.idempotency?.key === idempotency.key,
  )
  const orderId = now?.orderId ?? earlier?.id
  const requestHash = now?.wanted.idempotency?.requestHash ?? earlier?.requestHash
  if (orderId === undefined || requestHash === undefined) return undefined
  return requestHash.equals(idempotency.requestHash)
    ? { repeatedOrderId: orderId }
    : (new Refusal('IDEMPOTENCY_KEY_REUSED') as Reused)
}

const ReceiptRow = z.object({
  id: z.string(),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  unitPrice: Rupees,
  amount: Rupees,
  balanceAfter: Rupees,
  createdAt: Moment,
})
const ReceiptKeyRow = z.object({ id: z.string(), sealed: z.instanceof(Buffer), expiresAt: Moment })

/** The parts of a purchase's answer. The keys are still encrypted. */
export type Receipt = z.output<typeof ReceiptRow> & { keys: z.output<typeof ReceiptKeyRow>[] }

/** Reads the order's first answer. */
export async function readReceipt(db: Database, orderId: string): Promise<Receipt> {
  const order = await db.one(sql(ReceiptRow)`
    select orders.id, orders.product_id, orders.product_name, orders.duration, orders.unit_paise as unit_price,
           orders.amount_paise as amount, movement.balance_after_paise as balance_after, orders.created_at
      from orders
      join wallet_movements movement on movement.id = orders.id
     where orders.id = ${orderId}`)
  const keys = await db.rows(sql(ReceiptKeyRow)`select id, sealed, expires_at from license_keys
         where order_id = ${orderId} and replaces is null order by seq`)
  return { ...order, keys }
}
