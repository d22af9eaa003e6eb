/** Signing up with the code of a buyer. */
import * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { WAITING_FRIENDS_MAX } from '../../../contract/limits.ts'
import { mayAct } from '../../platform/database/conditions.ts'
import { literal, sql, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import { InPaise } from '../../platform/in-paise.ts'
import { rewardOf } from './terms.ts'

/** A buyer's code, also as people read it off a screen: without the dash, or with signs that look like those it has. */
const CODE = /^[I1L|]-?([\dA-FILO]{12})$/
const asKept = (code: string) =>
  code.replace(CODE, (_, signs: string) => `I-${signs.replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`)

/** True if a statement shows a top-up of the user. */
export const hasProvenTopUp = (userId: Sql): Sql => sql`exists (
  select from topup_requests request
    join bank_matches match on match.topup_id = request.id and match.released_at is null
    join bank_credits credit on credit.id = match.credit_id
   where request.user_id = ${userId} and request.status = 'approved' and credit.proof = 'statement'
     and not credit.differs)`

const Invitation = z.object({
  code: z.string(),
  inviterId: z.string(),
  reward: InPaise,
  friendGets: InPaise,
  minimum: InPaise,
  days: z.number(),
  isFull: z.boolean(),
})
type Invitation = z.output<typeof Invitation>

/**
 * @param code in upper case
 * @returns what it brings today; undefined unless it is the code of a buyer who can invite
 * @throws Refusal REFERRAL_USED_UP
 */
export async function readInvitation(db: Queries, code: string): Promise<Invitation | undefined> {
  const found = await db.maybe(sql(Invitation)`
    select inviter.invite_code as code, inviter.id as inviter_id, ${rewardOf(sql`settings`, sql`terms`)} as reward,
           settings.friend_paise as friend_gets, settings.min_paise as minimum, settings.days,
           (select count(*) from invites where inviter_id = inviter.id and ended_at is null)
             >= ${literal(WAITING_FRIENDS_MAX)} as is_full
      from users inviter
     cross join invite_settings settings
      left join invite_terms terms on terms.user_id = inviter.id
     where inviter.invite_code = ${asKept(code)} and settings.is_on and terms.paused_at is null
       and ${mayAct(sql`inviter`)} and ${hasProvenTopUp(sql`inviter.id`)}`)
  if (found?.isFull)
    throw new Refusal('REFERRAL_USED_UP', { fields: { referralCode: 'This referral code has reached its limit' } })
  return found
}

/** Does `readInvitation`, so that of several friends at once each sees those before. */
export async function claimInvitation(tx: Transaction, code: string): Promise<Invitation | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`friends of ${asKept(code)}`}, 0))`)
  return readInvitation(tx, code)
}

/**
 * Notes whom a new buyer was invited by, and the terms of today.
 * @param devices the hashes of the browser's cookies
 */
export async function recordInvitation(
  tx: Transaction,
  { inviterId, reward, friendGets, minimum, days }: Invitation,
  { userId, devices, now }: { userId: string; devices: readonly Buffer[]; now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into invites (friend_id, inviter_id, reward_paise, friend_paise, min_paise, days, same_browser, created_at)
    values (${userId}, ${inviterId}, ${reward}, ${friendGets}, ${minimum}, ${days},
            exists (select from user_sessions where device_hash = any(${devices}::bytea[])), ${now})`)
}
