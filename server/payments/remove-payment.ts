/** Removes a payment from the lists. The row stays, because it explains money and keeps its UTR claimed. */
import { Refusal } from '../../contract/errors.ts'
import { formatRupees } from '../../contract/money.ts'
import type { Payment } from '../../contract/payments.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { settleWishes } from '../orders/settle-wishes.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { withWish } from './decide-top-up.ts'
import { readPayments } from './payment-rows.ts'
import { lockTopUp } from './top-ups.ts'

const NAMES = { add_money: 'Added money', deduct_money: 'Deduction', buy_key: 'Purchase', topup: 'Top-up' } as const

/** @throws Refusal STEP_UP_REQUIRED, or NOT_FOUND for a payment that is in no list */
export async function removePayment(
  services: Pick<Services, 'db' | 'clock' | 'events'>,
  id: string,
  by: ProvingBy,
): Promise<{ message: string }> {
  by.requireProof()
  const { db, events } = services
  const { buyerId, payment } = await db.transaction(async (tx) => {
    // Locks the row, so that an approval and this removal follow one another
    const request = await lockTopUp(tx, id)
    const [payment] = await readPayments(tx, [id])
    if (!payment) throw new Refusal('NOT_FOUND')
    const hidden = await tx.run(sql`
      insert into hidden_payments (payment_id, admin_id, hidden_at) values (${id}, ${by.admin.id}, ${by.now})
      on conflict (payment_id) do nothing`)
    if (hidden === 0) throw new Refusal('NOT_FOUND')
    const { type, status, amount, createdAt } = payment
    const before = { type, status, amount, createdAt }
    await audit(tx, by, { action: 'payment.remove', subject: nameOf(payment), before })
    return { buyerId: request?.userId, payment }
  })
  if (buyerId !== undefined) events.publish({ to: { user: buyerId }, name: 'payment', data: { id } })
  events.publish({ to: 'admins', name: 'payment', data: { id } })
  await settleWishes(services, withWish([payment]))
  return { message: 'Payment deleted' }
}

function nameOf(payment: Payment): string {
  const who = payment.userId?.username ?? 'a closed account'
  return `${NAMES[payment.type]} of ${formatRupees(payment.amount)} by ${who} (${payment._id})`
}
