/** What a buyer reads of his invitations. It names nobody. */
import * as z from 'zod/mini'
import { Rupees } from '../../../contract/amounts.ts'
import { Moment } from '../../../contract/fields.ts'
import { OwnInvite, OwnInvites } from '../../../contract/invites.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import { hasProvenTopUp } from './join.ts'
import { FILED_UNTIL } from './proof.ts'
import { earnedThisMonth, rewardOf } from './terms.ts'

const Row = z.extend(z.omit(OwnInvites, { code: true, paused: true, asFriend: true }), {
  code: z.string(),
  canInvite: z.boolean(),
  paused: z.boolean(),
})
const AsFriend = z.object({ amount: Rupees, minimum: Rupees, until: Moment })

export async function readOwnInvites(db: Queries, userId: string, now: Date): Promise<OwnInvites> {
  const [{ code, canInvite, paused, ...own }, asFriend] = await Promise.all([
    db.one(sql(Row)`
      select settings.is_on, own.invite_code as code, ${rewardOf(sql`settings`, sql`terms`)} as reward,
             settings.friend_paise as friend_gets, settings.min_paise as minimum, settings.days,
             settings.is_on and terms.paused_at is null and ${hasProvenTopUp(sql`own.id`)} as can_invite,
             terms.paused_at is not null as paused, brought.*,
             greatest(0, coalesce(terms.month_max_paise, settings.month_max_paise)
                         - ${earnedThisMonth(sql`own.id`, now)}) as left_this_month
        from users own
       cross join invite_settings settings
        left join invite_terms terms on terms.user_id = own.id
       cross join lateral (
             select count(*) as joined, count(*) filter (where ended_at is null) as waiting,
                    count(*) filter (where outcome = 'paid' and taken_back_at is null) as counted,
                    count(*) filter (where outcome <> 'paid' or taken_back_at is not null) as not_counted,
                    coalesce(sum(reward_paise) filter (where reward_id is not null and taken_back_at is null),
                             0)::bigint as earned
               from invites where inviter_id = own.id) brought
       where own.id = ${userId}`),
    db.maybe(sql(AsFriend)`
      select friend_paise as amount, min_paise as minimum, ${FILED_UNTIL} as until
        from invites invite
       where friend_id = ${userId} and ended_at is null and friend_paise > 0 and ${FILED_UNTIL} > ${now}
         and not exists (select from topup_requests request
                          where request.user_id = friend_id and request.amount_paise >= min_paise
                            and (request.status = 'approved' or request.taken_back is not null))`),
  ])
  return { ...own, ...(canInvite && { code }), ...(paused && { paused: true as const }), ...(asFriend && { asFriend }) }
}

/** All invitations of a buyer, on either side, for that buyer. */
export const listOwnInvites = (db: Queries, userId: string): Promise<OwnInvite[]> =>
  db.rows(sql(OwnInvite)`
    select side.name as as, created_at as joined_at, ended_at,
           case when ended_at is null then 'waiting' when outcome <> 'paid' then 'not-counted'
                when taken_back_at is not null then 'taken-back' else 'counted' end as state,
           case when side.name = 'friend' and friend_reward_id is not null then friend_paise
                when side.name = 'inviter' and reward_id is not null then reward_paise end as amount
      from invites
     cross join lateral (select case when friend_id = ${userId} then 'friend' else 'inviter' end as name) side
     where friend_id = ${userId} or inviter_id = ${userId}
     order by created_at, friend_id`)
