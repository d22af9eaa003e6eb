import * as z from 'zod/mini'
import { isListed } from '../platform/database/conditions.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { keep } from '../platform/database/search.ts'

const Counts = z.object({
  totalUsers: z.number(),
  totalProducts: z.number(),
  totalPayments: z.number(),
  approvedPayments: z.number(),
})

/**
 * Counts the dashboard's five figures. Payments are buyers' top-up requests, without those removed from the lists.
 * Pending ones are counted each time; the large figures may be seconds old.
 */
export async function countStore(db: Database): Promise<z.output<typeof Counts> & { pendingPayments: number }> {
  const [counts, pendingPayments] = await Promise.all([
    keep(db, 'counters', async () => {
      const value = await db.one(sql(Counts)`
        select (select count(*) from users where deleted_at is null) as total_users,
               (select count(*) from products where deleted_at is null) as total_products,
               count(*) as total_payments,
               count(*) filter (where status = 'approved') as approved_payments
          from topup_requests request
         where ${isListed(sql`request.id`)}`)
      return { value, rows: value.totalUsers + value.totalPayments }
    }),
    db.count(sql`
      select count(*) from topup_requests request where status = 'pending' and ${isListed(sql`request.id`)}`),
  ])
  return { ...counts, pendingPayments }
}
