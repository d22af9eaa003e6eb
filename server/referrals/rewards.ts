/**
 * The reward of a sign-up, which is given once a person: one mailbox, one reward, whichever code is used and however
 * its address is written. It is credited at sign-up or with the first approved top-up.
 */
import * as z from 'zod/mini'
import { startOfDay } from '../../contract/india.ts'
import { ZERO, type Paise } from '../../contract/money.ts'
import { columns, literal, sql, type Transaction } from '../platform/database/database.ts'
import { InPaise } from '../platform/in-paise.ts'
import { allowedBefore } from '../wallet/allowance.ts'
import { creditAll } from '../wallet/credit.ts'
import type { claimReferral } from './referral-codes.ts'

interface Use {
  referral: NonNullable<Awaited<ReturnType<typeof claimReferral>>>
  userId: string
  /** A fingerprint of the mailbox. */
  mailbox: Buffer
  now: Date
}

interface Reward {
  userId: string
  amount: Paise
  code: string
}

/**
 * Records the user of a claimed code in the transaction of the claim, and credits the reward if it is due now. The
 * wallet must be there.
 */
export async function recordReferralUse(tx: Transaction, { referral, userId, mailbox, now }: Use): Promise<void> {
  const { id, code } = referral
  const amount = referral.reward > 0 && !(await hasReward(tx, mailbox)) ? referral.reward : ZERO
  const isDue = amount > 0 && !referral.paysAfterTopup && (await isWithinDay(tx, referral, now))
  await tx.run(sql`
    insert into referral_uses (user_id, referral_id, created_at, mailbox_fingerprint, reward_paise, rewarded_at)
    values (${userId}, ${id}, ${now}, ${mailbox}, ${amount}, ${isDue ? now : null})`)
  if (isDue) creditRewards(tx, [{ userId, amount, code }], now)
}

/** Of two sign-ups of one mailbox, with whichever codes, the second waits here for the first. */
async function hasReward(tx: Transaction, mailbox: Buffer): Promise<boolean> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`reward of ${mailbox.toString('hex')}`}, 0))`)
  return tx.holds(
    sql`select exists (select from referral_uses where mailbox_fingerprint = ${mailbox} and reward_paise > 0)`,
  )
}

/** The claim has locked the code, so each sign-up sees those before it. */
function isWithinDay(tx: Transaction, { id, reward, dayMax }: Use['referral'], now: Date): Promise<boolean> {
  if (dayMax === null) return Promise.resolve(true)
  return tx.holds(sql`
    select coalesce(sum(reward_paise), 0) + ${reward} <= ${dayMax}
      from referral_uses where referral_id = ${id} and rewarded_at >= ${startOfDay(now)}`)
}

const Promised = z.object({ userId: z.string(), amount: InPaise, code: z.string() })

/** Credits rewards that wait for the first top-up. The wallets must be locked. */
export async function payPromisedRewards(tx: Transaction, userIds: readonly string[], now: Date): Promise<void> {
  const promised = await tx.rows(sql(Promised)`
    update referral_uses used set rewarded_at = ${now} from referral_codes code
     where used.user_id = any(${userIds}::uuid[]) and used.reward_paise > 0 and used.rewarded_at is null
       and code.id = used.referral_id
    returning used.user_id, used.reward_paise as amount, code.code`)
  if (promised.length > 0) creditRewards(tx, promised, now)
}

function creditRewards(tx: Transaction, rewards: readonly Reward[], now: Date): void {
  creditAll(
    tx,
    rewards.map(({ userId, amount, code }) => ({
      userId,
      amount,
      // An admin was allowed to promise it when the code was saved
      allowance: allowedBefore(amount),
      kind: 'referral_reward',
      description: `Referral reward (${code})`,
      referralCode: code,
      expiresAt: null,
      now,
    })),
  )
}

const NOTED_AT_ONCE = 1_000
const Unnoted = z.object({ userId: z.string(), email: z.string() })

/** Notes the mailboxes of sign-ups from before they were noted. @returns how many */
export async function noteMailboxes(tx: Transaction, fingerprintOf: (email: string) => Buffer): Promise<number> {
  const found = await tx.rows(sql(Unnoted)`
    select used.user_id, users.email from referral_uses used join users on users.id = used.user_id
     where used.mailbox_fingerprint is null and users.deleted_at is null limit ${literal(NOTED_AT_ONCE)}`)
  const noted = found.map(({ userId, email }) => ({ userId, mailbox: fingerprintOf(email) }))
  return tx.run(sql`
    update referral_uses used set mailbox_fingerprint = noted.mailbox
      from ${columns(noted, 'user_id uuid, mailbox bytea')} as noted where used.user_id = noted.user_id`)
}
