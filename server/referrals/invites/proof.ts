/** Which payment of a friend decides, whether a statement shows it, and why it may not count all the same. */
import * as z from 'zod/mini'
import { NotCounted } from '../../../contract/invites.ts'
import { INVITE_FILED_WITHIN_MS, INVITE_PROVEN_WITHIN_MS } from '../../../contract/limits.ts'
import { SECOND_MS } from '../../../contract/time.ts'
import { mayAct } from '../../platform/database/conditions.ts'
import { literal, sql, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'

const within = (ms: number): Sql => sql`invite.created_at + make_interval(secs => ${literal(ms / SECOND_MS)})`
/** Until when the friend of `invite` submits the payment, and until when a statement has to show it. */
export const FILED_UNTIL = within(INVITE_FILED_WITHIN_MS)
export const PROVEN_UNTIL = within(INVITE_PROVEN_WITHIN_MS)

/**
 * The payment of `invite` that counts, as `topup_id` and `credit_id`; no row if none does yet. The friend's earliest
 * approved request of the minimum decides, also if it was taken back since. What an admin filed never counts.
 */
export const COUNTING = sql`(
  select paid.id as topup_id, credit.id as credit_id
    from (select id, status, filed_by, created_at from topup_requests request
           where request.user_id = invite.friend_id and request.amount_paise >= invite.min_paise
             and (request.status = 'approved' or request.taken_back is not null)
           order by created_at, id limit 1) paid
    join bank_matches match on match.topup_id = paid.id and match.released_at is null
    join bank_credits credit on credit.id = match.credit_id
   where paid.status = 'approved' and paid.filed_by is null and paid.created_at <= ${FILED_UNTIL}
     and credit.proof = 'statement' and not credit.differs
     and greatest(match.made_at, credit.proven_at) <= ${PROVEN_UNTIL})`

/** A payer's name in one form. Banks write titles, blanks and dots in several ways. */
const nameOf = (credit: Sql): Sql =>
  sql`regexp_replace(upper(${credit}.payer_name), '^(MR|MRS|MS|SHRI|SMT)[. ]+|[^[:alnum:]]', '', 'g')`

const Look = z.object({
  account: z.boolean(),
  'no-payer': z.boolean(),
  payer: z.boolean(),
  phone: z.boolean(),
  device: z.boolean(),
  name: z.boolean(),
})

/**
 * Says why a payment does not count, of the first reason that holds. One bank account has many UPI IDs and one name, so
 * a name counts once among an inviter and his friends.
 */
export async function whyNot(
  tx: Transaction,
  { friendId, creditId }: { friendId: string; creditId: string },
): Promise<NotCounted | undefined> {
  const look = await tx.one(sql(Look)`
    select (${mayAct(sql`friend`)} and ${mayAct(sql`inviter`)} and terms.paused_at is null) is not true as account,
           credit.payer_key is null and paid.name = '' as "no-payer",
           'payer' = any(shared.what) as payer, 'phone' = any(shared.what) as phone,
           invite.same_browser or 'device' = any(shared.what) as device,
           paid.name <> '' and exists (
             select from (select invite.inviter_id as user_id union all
                          select friend_id from invites where inviter_id = invite.inviter_id) circle
               join topup_requests request on request.user_id = circle.user_id
               join bank_matches match on match.topup_id = request.id
               join bank_credits other on other.id = match.credit_id
              where circle.user_id <> invite.friend_id and ${nameOf(sql`other`)} = paid.name) as name
      from invites invite
      join users friend on friend.id = invite.friend_id
      join users inviter on inviter.id = invite.inviter_id
      join bank_credits credit on credit.id = ${creditId}
     cross join lateral (select ${nameOf(sql`credit`)} as name) paid
     cross join lateral (
           select coalesce(array_agg(distinct common), '{}') as what
             from accounts_of_same_person(invite.friend_id) same where same.user_id <> invite.friend_id) shared
      left join invite_terms terms on terms.user_id = invite.inviter_id
     where invite.friend_id = ${friendId}`)
  return NotCounted.options.find((reason) => reason !== 'late' && look[reason])
}

/** Forgets why those did not count that ended before a moment. @returns how many */
export const forgetReasons = (db: Queries, before: Date): Promise<number> =>
  db.run(sql`
    update invites set outcome = 'not-counted', same_browser = false
     where ended_at < ${before} and outcome not in ('paid', 'not-counted')`)
