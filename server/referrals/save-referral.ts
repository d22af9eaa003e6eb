import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { paise, ZERO } from '../../contract/money.ts'
import type { ReferralCode, referrals } from '../../contract/referrals.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql, violates, type Database, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { allowPromise } from '../wallet/allowance.ts'
import { readReferralCode } from './referral-codes.ts'

type By = ProvingBy & Pick<Call<'admin'>, 'isProven'>

/** @throws Refusal CODE_TAKEN, STEP_UP_REQUIRED for rewards of more than an admin may credit in a day */
export function createReferral(
  db: Database,
  form: z.output<(typeof referrals.create)['input']>,
  by: By,
): Promise<ReferralCode> {
  const id = newId()
  refuseBuyersCode(form.code)
  return refusingTakenCodes(() =>
    db.transaction(async (tx) => {
      await tx.run(sql`
        insert into referral_codes (id, code, description, max_usage, reward_paise, is_active, pays_after_topup,
                                    day_max_paise, created_by, created_at)
        values (${id}, ${form.code}, ${form.description}, ${form.maxUsage}, ${form.rewardAmount}, ${form.isActive},
                ${form.paysAfterTopUp}, ${form.dayMax}, ${by.admin.id}, ${by.now})`)
      const after = await codeAsSaved(tx, id)
      await allowPromise(tx, by, NOTHING, rewardsOf(after))
      await audit(tx, by, { action: 'referral.create', subject: `${after.code} (${id})`, after: auditable(after) })
      return after
    }),
  )
}

/**
 * Changes the given fields. Absent ones stay.
 * @throws Refusal NOT_FOUND, CODE_TAKEN, STEP_UP_REQUIRED for rewards that are more by more than an admin may credit
 *   in a day, or INVALID_INPUT when the code was used more often than it would allow
 */
export function updateReferral(
  db: Database,
  { id, ...change }: z.output<(typeof referrals.update)['input']>,
  by: By,
): Promise<ReferralCode> {
  return refusingTakenCodes(() =>
    db.transaction(async (tx) => {
      await lockReferral(tx, id)
      const before = await codeAsSaved(tx, id)
      if (change.code !== before.code) refuseBuyersCode(change.code)
      const maxUsage = change.maxUsage === undefined ? before.maxUsage : change.maxUsage
      if (maxUsage !== null && maxUsage < before.usageCount) {
        throw new Refusal('INVALID_INPUT', {
          say: ['Already used {count} times. Maximum uses can’t be lower than this.', { count: before.usageCount }],
          field: 'maxUsage',
        })
      }
      await tx.run(sql`
        update referral_codes
           set code = coalesce(${change.code}, code),
               description = coalesce(${change.description}, description),
               max_usage = ${maxUsage},
               reward_paise = coalesce(${change.rewardAmount}, reward_paise),
               is_active = coalesce(${change.isActive}, is_active),
               pays_after_topup = coalesce(${change.paysAfterTopUp}, pays_after_topup),
               day_max_paise = case when ${change.dayMax === undefined} then day_max_paise else ${change.dayMax} end
         where id = ${id}`)
      const after = await codeAsSaved(tx, id)
      await allowPromise(tx, by, isLooser(before, after) ? NOTHING : rewardsOf(before), rewardsOf(after))
      await audit(tx, by, {
        action: 'referral.update',
        subject: `${after.code} (${id})`,
        before: auditable(before),
        after: auditable(after),
      })
      return after
    }),
  )
}

/**
 * Deletes a code. Its row stays for the users who signed up with it, and its text can be used again.
 * @throws Refusal NOT_FOUND
 */
export async function removeReferral(db: Database, id: string, by: By): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    const { code } = await lockReferral(tx, id)
    await tx.run(sql`update referral_codes set deleted_at = ${by.now} where id = ${id}`)
    await audit(tx, by, { action: 'referral.remove', subject: `${code} (${id})`, before: { code } })
  })
  return { message: 'Referral code deleted' }
}

/** Locks the code against registrations and other changes. @throws Refusal NOT_FOUND */
async function lockReferral(tx: Transaction, id: string): Promise<{ code: string }> {
  const referral = await tx.maybe(sql(() => z.object({ code: z.string() }))`
    select code from referral_codes where id = ${id} and deleted_at is null for no key update`)
  if (!referral) throw new Refusal('NOT_FOUND')
  return referral
}

async function refusingTakenCodes<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (!violates(error, 'referral_codes_code')) throw error
    throw new Refusal('CODE_TAKEN', { fields: { code: 'This referral code already exists.' } })
  }
}

async function codeAsSaved(tx: Transaction, id: string): Promise<ReferralCode> {
  const referral = await readReferralCode(tx, id)
  if (!referral) throw new Error(`Referral code ${id} is not there`)
  return referral
}

/** Those from before stay. @throws Refusal INVALID_INPUT for a code that looks like a buyer's own */
function refuseBuyersCode(code: string | undefined): void {
  if (!code?.startsWith('I-')) return
  const message = 'Codes of buyers begin with I-. Choose another beginning.'
  throw new Refusal('INVALID_INPUT', { message, fields: { code: message } })
}

const NOTHING = { each: ZERO, uses: 0 }

/** The rewards that sign-ups with this code will still bring. */
function rewardsOf({ isActive, rewardAmount, maxUsage, usageCount }: ReferralCode) {
  if (!isActive) return NOTHING
  return { each: paise(Math.round(rewardAmount * 100)), uses: maxUsage === null ? Infinity : maxUsage - usageCount }
}

/** True if the same rewards come sooner, or more of them in a day. */
const isLooser = (before: ReferralCode, after: ReferralCode): boolean =>
  (before.paysAfterTopUp && !after.paysAfterTopUp) || (after.dayMax ?? Infinity) > (before.dayMax ?? Infinity)

function auditable({ usageCount: _, given: __, createdBy: ___, createdAt: ____, _id, ...terms }: ReferralCode) {
  return terms
}
