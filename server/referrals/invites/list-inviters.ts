import * as z from 'zod/mini'
import { Rupees } from '../../../contract/amounts.ts'
import { Inviter, NotCounted } from '../../../contract/invites.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { literal, sql, type Queries } from '../../platform/database/database.ts'
import { withoutNulls } from '../../platform/database/rows.ts'

const SHOWN = 50
const RECENT_MS = 90 * DAY_MS

const Row = z.extend(Inviter, {
  notCounted: z.record(z.string(), z.number()),
  reward: z.nullable(Rupees),
  monthMax: z.nullable(Rupees),
})

/** The buyers who invited or have terms of their own, by what they got in 90 days; or one of them. */
export async function listInviters(db: Queries, now: Date, userId?: string): Promise<Inviter[]> {
  const which = userId === undefined ? sql`true` : sql`inviter.user_id = ${userId}`
  const rows = await db.rows(sql(Row)`
    select inviter.user_id, users.username, coalesce(brought.joined, 0) as joined,
           coalesce(brought.counted, 0) as counted, coalesce(brought.earned, 0)::bigint as earned,
           coalesce(brought.lost, 0)::bigint as lost, terms.reward_paise as reward,
           terms.month_max_paise as month_max, terms.paused_at is not null as paused,
           coalesce((select json_object_agg(outcome, friends)
                       from (select outcome, count(*) as friends from invites
                              where inviter_id = inviter.user_id and outcome <> 'paid' group by outcome) why),
                    '{}') as not_counted
      from (select inviter_id as user_id from invites union select user_id from invite_terms) inviter
      join users on users.id = inviter.user_id
      left join invite_terms terms on terms.user_id = inviter.user_id
      left join lateral (
           select count(*) as joined,
                  count(*) filter (where outcome = 'paid' and taken_back_at is null) as counted,
                  sum(reward_paise) filter (where reward_id is not null and taken_back_at is null
                    and ended_at > ${new Date(now.getTime() - RECENT_MS)}) as earned,
                  sum(lost_paise) as lost
             from invites where inviter_id = inviter.user_id) brought on true
     where ${which}
     order by earned desc, joined desc, users.username limit ${literal(SHOWN)}`)
  return rows.map(({ notCounted, ...row }) => ({
    ...withoutNulls(row),
    notCounted: Object.fromEntries(
      NotCounted.options.map((reason) => [reason, notCounted[reason] ?? 0]),
    ) as Inviter['notCounted'],
  }))
}
