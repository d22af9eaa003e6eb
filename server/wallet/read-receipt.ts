/** Papers for what was paid: a purchase, or an approved top-up. */
import { Refusal } from '../../contract/errors.ts'
import { Receipt } from '../../contract/wallet.ts'
import { sql, type Database } from '../platform/database/database.ts'

/**
 * @param owner only a receipt of this buyer, or `all` for an admin
 * @throws Refusal NOT_FOUND, also for another buyer's receipt
 */
export async function readReceipt(db: Database, id: string, owner: string | undefined): Promise<Receipt> {
  const receipt = await db.maybe(sql(Receipt)`
    select line._id, kind, at, buyer.username as buyer, what, quantity, amount, credited, refunded, utr
      from (select id as _id, user_id, 'purchase' as kind, product_name || ' (' || duration || ')' as what,
                   quantity, amount_paise as amount, amount_paise as credited, refunded_paise as refunded,
                   '' as utr, created_at as at
              from orders where id = ${id}
             union all
            select id, user_id, 'topup', '', 1, amount_paise, credit_paise, 0, utr, decided_at
              from topup_requests where id = ${id} and status = 'approved') line
      join users buyer on buyer.id = line.user_id
     where ${owner === 'all'} or line.user_id = ${owner === 'all' ? null : owner}`)
  if (!receipt) throw new Refusal('NOT_FOUND')
  return receipt
}
