import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { AgreedRegistration } from '../../contract/sessions.ts'
import { recordConsent } from '../consents/consents.ts'
import { sql, violates, type Queries, type Sql } from '../platform/database/database.ts'
import { deviceHashesOf } from '../platform/http/device-cookie.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import type { Services } from '../platform/services.ts'
import { claimReferral, isClaimable } from '../referrals/referral-codes.ts'
import { claimInvitation, readInvitation, recordInvitation } from '../referrals/invites/join.ts'
import { recordReferralUse } from '../referrals/rewards.ts'
import { insertAccount } from '../users/access/accounts.ts'
import { mailboxFingerprint } from '../users/mailbox.ts'
import { openWallet } from '../wallet/credit.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { readSiteName } from '../settings/site-name.ts'

/**
 * Creates an account, without a session.
 *
 * The use of the referral code, the account, its wallet and its reward are one transaction. A code is never used
 * more often than it allows, and no use is lost without an account.
 * @throws Refusal INVALID_INPUT for a guessable password, INVALID_REFERRAL, REFERRAL_USED_UP, or ACCOUNT_TAKEN
 */
export async function register(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  { email, username, password, referralCode, termsVersion }: z.output<typeof AgreedRegistration>,
  { now, turn, cookies }: Pick<Call, 'now' | 'turn' | 'cookies'>,
): Promise<{ message: string }> {
  const siteName = await readSiteName(db)
  refuseGuessable(password, { field: 'password', names: [username, siteName] })
  // Refuses a made-up code before the costly hash
  if (!(await isClaimable(db, referralCode)) && !(await readInvitation(db, referralCode))) throw wrongReferral()
  const passwordHash = await hashPassword(password, turn)
  // Before the transaction, because others wait for the lock on their code
  await refuseStoresName(db, username, siteName)
  const userId = newId()
  try {
    await db.transaction(async (tx) => {
      // A code of the store comes first, whatever it looks like
      const referral = await claimReferral(tx, referralCode)
      const invitation = referral ? undefined : await claimInvitation(tx, referralCode)
      const code = (referral ?? invitation)?.code
      if (code === undefined) throw wrongReferral()
      await insertAccount(tx, { id: userId, email, username, passwordHash, referralCode: code, now })
      recordConsent(tx, { userId, termsVersion, now })
      // Needs no lock, because no other transaction sees this wallet yet
      await openWallet(tx, userId)
      if (referral) await recordReferralUse(tx, { referral, userId, mailbox: mailboxFingerprint(sealer, email), now })
      if (invitation) await recordInvitation(tx, invitation, { userId, devices: deviceHashesOf(cookies), now })
    })
  } catch (error) {
    // Keeps to itself which one is taken
    if (UNIQUE_INDEXES.some((index) => violates(error, index))) throw new Refusal('ACCOUNT_TAKEN')
    throw error
  }
  return { message: 'Registration successful! Please log in.' }
}

/** The last one also refuses a name that looks the same and comes at the same moment. */
const UNIQUE_INDEXES = ['users_email', 'users_username', 'users_name_skeleton']

const wrongReferral = () => new Refusal('INVALID_REFERRAL', { fields: { referralCode: 'Invalid referral code' } })

/** Words that speak for the store, as they are and with a number: Admin1, store24. */
const RESERVED = [
  'admin',
  'administrator',
  'support',
  'owner',
  'help',
  'helpdesk',
  'moderator',
  'staff',
  'store',
  'shop',
  'seller',
  'official',
  'team',
  'manager',
  'billing',
  'payment',
  'payments',
  'refund',
  'refunds',
  'system',
  'security',
  'root',
  'service',
  'customercare',
]

/** A name without its signs, and with digits as the letters that they stand for: bo5s, boss_ and ßoss are boss. */
const alike = (name: Sql) =>
  sql`translate(regexp_replace(admin_name_skeleton(${name}), '[^[:alnum:]]', '', 'g'), '234578ß', 'zeastbb')`

/** A name without what is counted up before or behind it. */
const withoutNumber = (name: string): string => name.replaceAll(/^[\d\W_]+|[\d\W_]+$/g, '')

/**
 * Refuses names of the store and its admins, words that speak for it, and names that look like one.
 * @throws Refusal ACCOUNT_TAKEN
 */
async function refuseStoresName(db: Queries, username: string, siteName: string): Promise<void> {
  const isTaken = await db.holds(sql`
    select exists (select from (select username from admins union all select ${siteName}) as own (name)
                    where ${alike(sql`own.name`)} = ${alike(sql`${username}::text`)}
                      and ${alike(sql`own.name`)} <> '')
        or exists (select from unnest(${RESERVED}::text[]) as word
                    where ${alike(sql`word`)} in (${alike(sql`${username}::text`)},
                                                ${alike(sql`${withoutNumber(username)}::text`)}))`)
  if (isTaken) throw new Refusal('ACCOUNT_TAKEN')
}
