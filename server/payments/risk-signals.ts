/**
 * Risk signals of a pending request: an earlier rejection of its transfer, other users of its phone, the number of
 * requests that its buyer sent that day, and earlier approvals. Each takes one or two index look-ups, however many
 * requests there are.
 */
import * as z from 'zod/mini'
import type { PaymentSigns } from '../../contract/payment-signs.ts'
import { startOfIndianDay } from '../platform/database/indian-day.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { isClaimed } from './same-transfer.ts'

const Row = z.object({
  id: z.string(),
  utrRejectedBefore: z.boolean(),
  phoneUsedBy: z.array(z.string()),
  requestOfDay: z.number(),
  isFirstTopUp: z.boolean(),
})

/** @returns the signals of those ids that are requests */
export async function readRiskSignals(db: Queries, ids: readonly string[]): Promise<Map<string, PaymentSigns>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows(sql(Row)`
    select request.id,
           ${isClaimed(
             sql`request.utr`,
             sql`
               claim.status = 'rejected' and claim.id <> request.id
               -- Freed for the right buyer, who is not the one that it was taken from
               and (claim.taken_back is distinct from 'free' or claim.user_id = request.user_id)`,
           )}
             as utr_rejected_before,
           -- Reads the nearest account on either side in the index, because two names tell enough
           array(select sharer.username
                   from ((select user_id from topup_requests other
                           where other.phone = request.phone and other.user_id < request.user_id
                           order by other.user_id desc limit 1)
                         union all
                         (select user_id from topup_requests other
                           where other.phone = request.phone and other.user_id > request.user_id
                           order by other.user_id limit 1)) near
                   join users sharer on sharer.id = near.user_id and sharer.deleted_at is null
                  where request.phone <> ''
                  order by sharer.username) as phone_used_by,
           (select count(*) from topup_requests other
             where other.user_id = request.user_id
               and other.created_at >= ${startOfIndianDay(sql`request.created_at`)}
               and (other.created_at, other.id) <= (request.created_at, request.id)) as request_of_day,
           not exists (select from topup_requests other
                        where other.user_id = request.user_id and other.status = 'approved') as is_first_top_up
      from topup_requests request
     where request.id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, ...signs }) => [id, signs]))
}

const RivalRow = z.object({ id: z.string(), names: z.array(z.string()) })

/** @returns by request the usernames of other buyers who claimed its transfer; requests without any are left out */
export async function readRivalClaims(db: Queries, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows(sql(RivalRow)`
    select request.id,
           array(select distinct buyer.username
                   from bank_rival_claims rival join users buyer on buyer.id = rival.user_id
                  where (rival.topup_id = request.id or rival.utr = request.utr)
                    and rival.user_id <> request.user_id and buyer.deleted_at is null
                  order by 1) as names
      from topup_requests request where request.id = any(${ids}::uuid[])`)
  return new Map(rows.flatMap(({ id, names }) => (names.length > 0 ? [[id, names] as const] : [])))
}
