/** Referral codes, with their rewards and their limits of use. */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { Refusal } from '../../contract/errors.ts'
import { toRupees } from '../../contract/money.ts'
import { ReferralCode, type referrals } from '../../contract/referrals.ts'
import { InPaise } from '../platform/in-paise.ts'
import { sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { readInvitation } from './invites/join.ts'

/** @returns the codes that were not deleted, newest first */
export function listReferralCodes(db: Queries): Promise<ReferralCode[]> {
  return readCodes(db, sql`true`)
}

export async function readReferralCode(db: Queries, id: string): Promise<ReferralCode | undefined> {
  return (await readCodes(db, sql`referral_codes.id = ${id}`))[0]
}

function readCodes(db: Queries, condition: Sql): Promise<ReferralCode[]> {
  return db.rows(sql(ReferralCode)`
    select referral_codes.id as _id, code, description, max_usage, reward_paise as reward_amount, is_active,
           usage_count, pays_after_topup as pays_after_top_up, day_max_paise as day_max,
           coalesce(used.given, 0)::bigint as given,
           json_build_object('username', admins.username) as created_by, referral_codes.created_at
      from referral_codes join admins on admins.id = referral_codes.created_by
      left join (select referral_id, sum(reward_paise) as given
                   from referral_uses where rewarded_at is not null group by 1) used
        on used.referral_id = referral_codes.id
     where deleted_at is null and ${condition}
     order by referral_codes.created_at desc, referral_codes.id desc`)
}

type Valid = z.output<(typeof referrals.validate)['output']>
const Usable = z.object({ code: z.string(), description: z.string(), usedUp: z.boolean() })

/**
 * Refuses a code that can't be used to sign up now: of the store, or of a buyer.
 * @param code in upper case
 * @throws Refusal REFERRAL_NOT_FOUND, also for one that is switched off, or REFERRAL_USED_UP
 */
export async function validateReferral(db: Queries, code: string): Promise<Valid> {
  const found = await db.maybe(sql(Usable)`
    select code, description, coalesce(usage_count >= max_usage, false) as used_up
      from referral_codes
     where code = ${code} and deleted_at is null and is_active`)
  const invitation = found ? undefined : await readInvitation(db, code)
  if (invitation) {
    const [friendGets, minimum] = [toRupees(invitation.friendGets), toRupees(invitation.minimum)]
    return { valid: true, code: invitation.code, description: 'An invitation', friendGets, minimum }
  }
  if (!found) throw new Refusal('REFERRAL_NOT_FOUND')
  if (found.usedUp) throw new Refusal('REFERRAL_USED_UP')
  return { valid: true, code: found.code, description: found.description }
}

const Claimed = z.object({
  id: z.string(),
  code: z.string(),
  reward: InPaise,
  paysAfterTopup: z.boolean(),
  dayMax: z.nullable(InPaise),
})
type ClaimedReferral = z.output<typeof Claimed>

/**
 * Counts one use of an active code that has one left; undefined when there is no such code.
 *
 * A conditional update is enough. Of several registrations at once, each waits for the count of the one before it
 * and then checks the condition again.
 * @param code in upper case
 */
export async function claimReferral(tx: Transaction, code: string): Promise<ClaimedReferral | undefined> {
  return tx.maybe(sql(Claimed)`
    update referral_codes
       set usage_count = usage_count + 1
     where ${isOpen(code)}
    returning id, code, reward_paise as reward, pays_after_topup, day_max_paise as day_max`)
}

/** True if a use of the code could be counted now. It may be used up a moment later. */
export function isClaimable(db: Queries, code: string): Promise<boolean> {
  return db.holds(sql`select exists (select from referral_codes where ${isOpen(code)})`)
}

const isOpen = (code: string): Sql => sql`
  code = ${code} and deleted_at is null and is_active and (max_usage is null or usage_count < max_usage)`

/** How the audit log names it. */
export const referralNames: AuditNaming = {
  rows: sql`select referral_codes.id, code, description, null::bigint from wanted join referral_codes using (id)`,
}
