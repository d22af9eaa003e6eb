import * as z from 'zod/mini'
import { BankMoney, type MyData } from '../../../contract/privacy.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'

const OwnRow = z.extend(z.omit(BankMoney, { payerVpa: true }), {
  creditId: z.string(),
  payerSealed: z.nullable(z.instanceof(Buffer)),
})

/** @returns what the bank has shown of a buyer's top-ups, for that buyer */
export async function listOwnMoney(
  { db, sealer }: { db: Queries; sealer: Sealer },
  userId: string,
): Promise<MyData['bankMoney']> {
  const rows = await db.rows(sql(OwnRow)`
    select request.id as top_up_id, credit.amount_paise as amount, credit.day::text as day, credit.at,
           array(select ref from bank_credit_refs where credit_id = credit.id order by ref) as refs,
           credit.id as credit_id, credit.payer_name, credit.payer_sealed
      from bank_matches match
      join topup_requests request on request.id = match.topup_id
      join bank_credits credit on credit.id = match.credit_id
     where request.user_id = ${userId} and match.released_at is null
     order by match.made_at desc`)
  return rows.map(({ creditId, payerSealed, ...row }) => ({
    ...row,
    payerVpa: payerSealed && sealer.open('payer', creditId, payerSealed),
  }))
}
