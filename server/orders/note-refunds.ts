import { columns, sql, type Transaction } from '../platform/database/database.ts'

/** Adds refunds (paise) to their purchases. The buyers' wallets must be locked in this transaction. */
export async function noteRefunds(
  tx: Transaction,
  refunds: readonly { orderId: string; amount: number }[],
): Promise<void> {
  await tx.run(sql`
    update orders set refunded_paise = orders.refunded_paise + refund.amount
      from (select order_id, sum(amount)::bigint as amount
              from ${columns(refunds, 'order_id uuid, amount bigint')} as part
             group by order_id) refund
     where orders.id = refund.order_id`)
}
