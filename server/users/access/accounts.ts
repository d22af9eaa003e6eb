/**
 * A user's account as logging in sees it: the name, the password, and the one device. The first login makes its
 * browser the account's device. No other device can log in until a logout there, or a reset.
 *
 * A login without a device cookie sends one with its answer, which the browser may never get, or not keep. Its lock
 * holds in full once a call shows that cookie, and else for two minutes only. Such a lock takes nobody's place: it can
 * only stand where no other lock did.
 */
import * as z from 'zod/mini'
import type { Language } from '../../../contract/languages.ts'
import { UNSHOWN_DEVICE_HOLDS_MS } from '../../../contract/limits.ts'
import type { AuditNaming } from '../../audit/audit-names.ts'
import { msSince } from '../../platform/clock.ts'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'

const Account = z.object({
  id: z.string(),
  username: z.string(),
  passwordHash: z.string(),
  /** SHA-256 of the device's cookie; null while no device has the lock. */
  deviceHash: z.nullable(z.instanceof(Buffer)),
  lockedAt: z.nullable(z.date()),
  /** When the device was sent its cookie, while no call has shown it. */
  unshownSince: z.nullable(z.date()),
  /** The moment at which the account is erased; null unless its owner asked for that. */
  closesAt: z.nullable(z.date()),
  /** Why an admin has blocked it; null unless one has. */
  blockedReason: z.nullable(z.string()),
})
export type Account = z.output<typeof Account>

const COLUMNS = sql`id, username, password_hash, device_hash,
                    locked_at, unshown_since, closes_at, blocked_reason`

/** @param name a username or an e-mail, in letters of any case; a username has no @ */
export function findAccount(db: Queries, name: string): Promise<Account | undefined> {
  const column = name.includes('@') ? sql`lower(email)` : sql`lower(username)`
  return db.maybe(sql(Account)`select ${COLUMNS} from users where ${column} = lower(${name}) and deleted_at is null`)
}

interface NewAccount {
  id: string
  email: string
  username: string
  passwordHash: string
  referralCode: string
  now: Date
}

/** @throws a violation of users_email, users_username or, for a name that looks like another, users_name_skeleton */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<void> {
  const { id, email, username, passwordHash, referralCode, now } = account
  await tx.run(sql`
    insert into users (id, email, username, name_skeleton, password_hash, referral_code, terms_accepted_at, created_at)
    values (${id}, ${email}, ${username}, username_skeleton(${username}),
            ${passwordHash}, ${referralCode}, ${now}, ${now})`)
}

/**
 * Locks an account against everything else that would log in, log out or close it. Purchases, which only refer to
 * the row, go on.
 */
export function lockAccount(tx: Transaction, id: string): Promise<Account | undefined> {
  return tx.maybe(sql(Account)`select ${COLUMNS} from users where id = ${id} and deleted_at is null for no key update`)
}

/** True if another device may log in: none has the lock, or one that has not shown its cookie in time. */
export function isFree({ deviceHash, unshownSince }: Account, now: Date): boolean {
  return deviceHash === null || (unshownSince !== null && msSince(unshownSince, now) >= UNSHOWN_DEVICE_HOLDS_MS)
}

/**
 * Makes a device the account's one device. The account must be locked, and free. Of devices in a row that show nothing
 * the first one counts for the day until a reset, so that they can't put it off for ever.
 */
export async function holdDevice(
  tx: Transaction,
  { id, lockedAt }: Account,
  { hash, isShown, now }: { hash: Buffer; isShown: boolean; now: Date },
): Promise<void> {
  const [since, unshownSince] = isShown ? [now, null] : [lockedAt ?? now, now]
  await tx.run(sql`
    update users set device_hash = ${hash}, locked_at = ${since}, unshown_since = ${unshownSince} where id = ${id}`)
}

/** Notes that the account's device has shown its cookie. Skips a locked account: the next call shows it, too. */
export async function noteShown(db: Queries, id: string, deviceHash: Buffer): Promise<void> {
  await db.run(sql`
    with unshown as (
      select id from users
       where id = ${id} and device_hash = ${deviceHash} and unshown_since is not null
         for no key update skip locked
    )
    update users set unshown_since = null from unshown where users.id = unshown.id`)
}

const FREE = sql`device_hash = null, locked_at = null, unshown_since = null`

/** Lets any device log in next. The account must be locked in this transaction. */
export async function freeDevice(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`update users set ${FREE} where id = ${id}`)
}

/** Lets any device log in next, to every account. */
export async function freeEveryDevice(tx: Transaction): Promise<void> {
  await tx.run(sql`update users set ${FREE} where device_hash is not null`)
}

/** Marks an account to be erased at that moment; null keeps it. The account must be locked in this transaction. */
export async function setClosing(tx: Transaction, id: string, closesAt: Date | null): Promise<void> {
  await tx.run(sql`update users set closes_at = ${closesAt} where id = ${id}`)
}

/** Lets no account be erased before a moment. */
export async function postponeClosings(tx: Transaction, until: Date): Promise<void> {
  await tx.run(sql`update users set closes_at = ${until} where closes_at < ${until} and deleted_at is null`)
}

/** Blocks an account; null lets its buyer in again. The account must be locked in this transaction. */
export async function setBlocked(tx: Transaction, id: string, blocked: { reason: string; at: Date } | null) {
  await tx.run(sql`
    update users set blocked_at = ${blocked?.at ?? null}, blocked_reason = ${blocked?.reason ?? null} where id = ${id}`)
}

export async function setPassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.run(sql`update users set password_hash = ${passwordHash} where id = ${id}`)
}

/** Keeps the language that the user has chosen. */
export async function keepUsersLanguage(db: Queries, id: string, language: Language): Promise<void> {
  await db.run(sql`
    update users set language = ${language}
     where id = ${id} and deleted_at is null and language is distinct from ${language}`)
}

/** Takes the browser's language for a user who has never chosen one. */
export async function takeLanguage(tx: Transaction, id: string, language: Language | undefined): Promise<void> {
  if (language) await tx.run(sql`update users set language = ${language} where id = ${id} and language is null`)
}

/** How the audit log names it. */
export const userNames: AuditNaming = {
  rows: sql`select users.id, username, case when deleted_at is null then email else '' end, null::bigint
              from wanted join users using (id)`,
}
