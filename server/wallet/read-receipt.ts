/** Papers for what was paid: a purchase, or an approved top-up. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { PaidTo } from '../../contract/upi.ts'
import { Receipt } from '../../contract/wallet.ts'
import { paidToOf } from '../platform/database/conditions.ts'
import { sql, type Database } from '../platform/database/database.ts'

const Row = z.extend(Receipt, { paidTo: z.nullable(PaidTo) })

/**
 * @param owner only a receipt of this buyer, or `all` for an admin
 * @throws Refusal NOT_FOUND, also for another buyer's receipt
 */
export async function readReceipt(db: Database, id: string, owner: string | undefined): Promise<Receipt> {
  const row = await db.maybe(sql(Row)`
    select line._id, kind, at, buyer.username as buyer, what, quantity, amount, credited, refunded, utr, paid_to
      from (select id as _id, user_id, 'purchase' as kind, product_name || ' (' || duration || ')' as what,
                   quantity, amount_paise as amount, amount_paise as credited, refunded_paise as refunded,
                   '' as utr, created_at as at, null::json as paid_to
              from orders where id = ${id}
             union all
            select id, user_id, 'topup', '', 1, amount_paise, credit_paise, 0, utr, decided_at,
                   ${paidToOf(sql`topup_requests`)}
              from topup_requests where id = ${id} and status = 'approved') line
      join users buyer on buyer.id = line.user_id
     where ${owner === 'all'} or line.user_id = ${owner === 'all' ? null : owner}`)
  if (!row) throw new Refusal('NOT_FOUND')
  const { paidTo, ...receipt } = row
  return { ...receipt, ...(paidTo && { paidTo }) }
}
