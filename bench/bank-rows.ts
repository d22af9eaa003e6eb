/** Requests for the benches of the bank inbox, straight into the database, and the account of their money. */
import { sql, type Database } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import { benchId } from './seed.ts'

export interface SeededRequest {
  id: string
  buyer: number
  utr: string
}

export const REQUEST_RUPEES = 10

/** Requests of ₹10 each, of so many buyers in turn. Rejected ones stand for all that are over. */
export async function seedRequests(
  db: Database,
  { count, buyers, from, status }: { count: number; buyers: number; from: number; status: 'pending' | 'rejected' },
): Promise<SeededRequest[]> {
  const now = new Date()
  const rows = Array.from({ length: count }, (_, n) => ({ id: newId(), buyer: n % buyers, utr: String(from + n) }))
  const decided = status === 'rejected' ? now : null
  await db.transaction(
    (tx) =>
      tx.run(sql`
        insert into topup_requests (id, user_id, amount_paise, credit_paise, validity_fixed, utr, phone, address,
                                    status, decided_at, created_at)
        select id, user_id, ${REQUEST_RUPEES * 100}, ${REQUEST_RUPEES * 100}, true, utr, '9876543210', '', ${status},
               ${decided}, ${now}
          from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ buyer }) => benchId(1, buyer))}::uuid[],
                      ${rows.map(({ utr }) => utr)}::text[]) as request (id, user_id, utr)`),
    { statementTimeoutMs: 600_000 },
  )
  return rows
}

export const BENCH_ACCOUNT = { bank: 'HDFC', label: 'Shop', tail: '5678', feedsStore: true }
