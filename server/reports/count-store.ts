import * as z from 'zod/mini'
import { sql, type Database } from '../platform/database/database.ts'
import { keep } from '../platform/database/search.ts'

const Counts = z.object({
  totalUsers: z.number(),
  totalProducts: z.number(),
  totalPayments: z.number(),
  approvedPayments: z.number(),
})
const Pending = z.object({ pendingPayments: z.number() })

/**
 * Counts the dashboard's five figures. Payments are buyers' top-up requests, without those removed from the lists.
 * Pending ones are counted each time; the large figures may be seconds old.
 */
export async function countStore(db: Database): Promise<z.output<typeof Counts> & z.output<typeof Pending>> {
  const [counts, pending] = await Promise.all([
    keep(db, 'counters', async () => {
      const value = await db.one(
        Counts,
        sql`
        select (select count(*) from users where deleted_at is null) as "totalUsers",
               (select count(*) from products where deleted_at is null) as "totalProducts",
               count(*) as "totalPayments",
               count(*) filter (where status = 'approved') as "approvedPayments"
          from topup_requests request
         where not exists (select from hidden_payments hidden where hidden.payment_id = request.id)`,
      )
      return { value, rows: value.totalUsers + value.totalPayments }
    }),
    db.one(
      Pending,
      sql`
      select count(*) as "pendingPayments"
        from topup_requests request
       where status = 'pending' and not exists (select from hidden_payments hidden
                       where hidden.payment_id = request.id)`,
    ),
  ])
  return { ...counts, ...pending }
}
