import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { AgreedRegistration } from '../../contract/sessions.ts'
import { recordConsent } from '../consents/consents.ts'
import { sql, violates, type Database, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import { claimReferral, isClaimable, recordReferralUse } from '../referrals/referral-codes.ts'
import { insertAccount } from '../users/accounts.ts'
import { credit, openWallet } from '../wallet/credit-and-debit.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { readSiteName } from '../settings/site-name.ts'

/**
 * Creates an account, without a session.
 *
 * The use of the referral code, the account, its wallet and its reward are one transaction. A code is never used
 * more often than it allows, and no use is lost without an account.
 * @throws Refusal INVALID_INPUT for a guessable password, INVALID_REFERRAL, or ACCOUNT_TAKEN
 */
export async function register(
  db: Database,
  { email, username, password, referralCode, termsVersion }: z.output<typeof AgreedRegistration>,
  { now, turn }: Pick<Call, 'now' | 'turn'>,
): Promise<{ message: string }> {
  refuseGuessable(password, { field: 'password', names: [username, await readSiteName(db)] })
  // Refuses a made-up code before the costly hash
  if (!(await isClaimable(db, referralCode))) throw wrongReferral()
  const passwordHash = await hashPassword(password, turn)
  const userId = newId()
  try {
    await db.transaction(async (tx) => {
      const referral = await claimReferral(tx, referralCode)
      if (!referral) throw wrongReferral()
      await refuseAdminsName(tx, username)
      await insertAccount(tx, { id: userId, email, username, passwordHash, referralCode: referral.code, now })
      recordConsent(tx, { userId, termsVersion, now })
      await recordReferralUse(tx, referral.id, userId, now)
      // Needs no lock, because no other transaction sees this wallet yet
      await openWallet(tx, userId)
      if (referral.reward > 0) {
        credit(tx, {
          userId,
          amount: referral.reward,
          kind: 'referral_reward',
          description: `Referral reward (${referral.code})`,
          referralCode: referral.code,
          expiresAt: null,
          now,
        })
      }
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

/**
 * Refuses names of the store's admins, and names that look like one.
 * @throws Refusal ACCOUNT_TAKEN
 */
async function refuseAdminsName(tx: Transaction, username: string): Promise<void> {
  const { isTaken } = await tx.one(
    z.object({ isTaken: z.boolean() }),
    sql`
    select exists (select from admins
                    where admin_name_skeleton(username) = admin_name_skeleton(${username})) as "isTaken"`,
  )
  if (isTaken) throw new Refusal('ACCOUNT_TAKEN')
}
