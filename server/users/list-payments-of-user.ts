import { Refusal } from '../../contract/errors.ts'
import type { Payment } from '../../contract/payments.ts'
import { listUserPayments } from '../payments/list-payments.ts'
import { sql, type Database } from '../platform/database/database.ts'

/** Lists all payments of a user, newest first; of a closed account as well. @throws Refusal NOT_FOUND */
export async function listPaymentsOfUser(db: Database, userId: string): Promise<Payment[]> {
  const user = await db.text(sql`select id from users where id = ${userId}`)
  if (!user) throw new Refusal('NOT_FOUND')
  return listUserPayments(db, userId)
}
