/** Claims of a transfer that another buyer had claimed before, and that were refused for it. */
import * as z from 'zod/mini'
import { sql, type Queries } from '../platform/database/database.ts'

const Row = z.object({ id: z.string(), names: z.array(z.string()) })

/** @returns by request the usernames of other buyers who claimed its transfer; requests without any are left out */
export async function readRivalClaims(db: Queries, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows(
    Row,
    sql`
    select request.id,
           array(select distinct buyer.username
                   from bank_rival_claims rival join users buyer on buyer.id = rival.user_id
                  where (rival.topup_id = request.id or rival.utr = request.utr)
                    and rival.user_id <> request.user_id and buyer.deleted_at is null
                  order by 1) as names
      from topup_requests request where request.id = any(${ids}::uuid[])`,
  )
  return new Map(rows.flatMap(({ id, names }) => (names.length > 0 ? [[id, names] as const] : [])))
}
