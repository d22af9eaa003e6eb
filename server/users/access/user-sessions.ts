/**
 * Users' sessions. An ended session is kept with its reason, so that its browser reads why on every call until it
 * logs in again.
 *
 * | ended by                                   | what its browser reads                      |
 * |--------------------------------------------|----------------------------------------------|
 * | logout, a closed account, too old          | NO_SESSION                                   |
 * | reset, newer login, password, an admin     | SESSION_EXPIRED                              |
 * | the same, and another device has the lock  | DEVICE_MISMATCH                              |
 * | nothing, but the device's cookie is not its| DEVICE_MISMATCH                              |
 */
import * as z from 'zod/mini'
import { USER_SESSION_IDLE_MS, USER_SESSION_LONGEST_MS } from '../../../contract/limits.ts'
import { literal, sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import { FORGOTTEN_AT_ONCE } from '../../platform/jobs.ts'

const EndReason = z.enum(['logout', 'replaced', 'reset', 'password', 'closed', 'admin'])
type EndReason = z.output<typeof EndReason>

const UserSession = z.object({
  userId: z.string(),
  username: z.string(),
  deviceHash: z.instanceof(Buffer),
  /** The device that has the lock now. */
  holderHash: z.nullable(z.instanceof(Buffer)),
  /** True until a call shows the cookie of that device. */
  isUnshown: z.boolean(),
  createdAt: z.date(),
  lastActiveAt: z.date(),
  endReason: z.nullable(EndReason),
})
export type UserSession = z.output<typeof UserSession>
/** With its token's place in the list. */
const FoundSession = z.extend(UserSession, { ordinal: z.number() })

/** @returns the session of an open account, ended or not */
export async function findUserSession(db: Queries, tokenHash: Buffer): Promise<UserSession | undefined> {
  return (await findUserSessions(db, [tokenHash]))[0]
}

/** @returns for each token the session of an open account, ended or not */
export async function findUserSessions(
  db: Queries,
  tokenHashes: readonly Buffer[],
): Promise<(UserSession | undefined)[]> {
  const rows = await db.rows(sql(FoundSession)`
    select wanted.ordinal, session.user_id, users.username, session.device_hash,
           users.device_hash as holder_hash, users.unshown_since is not null as is_unshown, session.created_at,
           session.last_active_at, session.end_reason
      from unnest(${tokenHashes}::bytea[]) with ordinality as wanted (token_hash, ordinal)
     cross join lateral (select * from user_sessions where token_hash = wanted.token_hash limit 1) session
      join users on users.id = session.user_id and users.deleted_at is null`)
  const sessions = Array<UserSession | undefined>(tokenHashes.length).fill(undefined)
  for (const { ordinal, ...session } of rows) sessions[ordinal - 1] = session
  return sessions
}

type SessionRefusal = 'NO_SESSION' | 'SESSION_EXPIRED' | 'DEVICE_MISMATCH'

/**
 * Returns the reason to refuse a session; undefined while it is open.
 * @param devices hashes of the device cookies in the same call
 */
export function refusalOf(
  session: Omit<UserSession, 'userId' | 'username'>,
  devices: readonly Buffer[],
  now: Date,
): SessionRefusal | undefined {
  if (session.endReason === 'logout' || session.endReason === 'closed') return 'NO_SESSION'
  if (session.endReason !== null) {
    const isHeldElsewhere = session.holderHash !== null && !session.holderHash.equals(session.deviceHash)
    return isHeldElsewhere ? 'DEVICE_MISMATCH' : 'SESSION_EXPIRED'
  }
  const idleMs = now.getTime() - session.lastActiveAt.getTime()
  const ageMs = now.getTime() - session.createdAt.getTime()
  if (idleMs >= USER_SESSION_IDLE_MS || ageMs >= USER_SESSION_LONGEST_MS) return 'NO_SESSION'
  return devices.some((hash) => hash.equals(session.deviceHash)) ? undefined : 'DEVICE_MISMATCH'
}

interface NewUserSession {
  tokenHash: Buffer
  userId: string
  deviceHash: Buffer
  now: Date
  address: string
  userAgent: string
}

/**
 * Ended sessions and devices kept per user. They are bounded, because the right password may log in any number of
 * times.
 */
const ENDED_KEPT = 50
const DEVICES_KEPT = 10

/** A browser gets messages until a logout, even after its session is too old, because a key may expire later. */
const TAKES_MESSAGES = sql`exists (select from push_subscriptions where user_session = user_sessions.token_hash)`

/**
 * Opens a session. Deletes the user's sessions that are too old for any browser's cookie. Of the ended ones it
 * keeps the latest, and the latest of each of the last devices, because their browsers are known by it
 * (server/sessions/known-devices.ts).
 */
export async function openUserSession(tx: Transaction, session: NewUserSession): Promise<void> {
  const { tokenHash, userId, deviceHash, now, address, userAgent } = session
  const forgotten = new Date(now.getTime() - USER_SESSION_LONGEST_MS)
  await tx.run(sql`
    delete from user_sessions
     where user_id = ${userId}
       and (created_at < ${forgotten} and not ${TAKES_MESSAGES}
            or token_hash in (select token_hash from user_sessions
                               where user_id = ${userId} and ended_at is not null
                               order by ended_at desc, created_at desc, token_hash offset ${literal(ENDED_KEPT)})
            and token_hash not in (select token_hash
                                     from (select distinct on (device_hash) token_hash, ended_at from user_sessions
                                            where user_id = ${userId} and ended_at is not null
                                            order by device_hash, ended_at desc, created_at desc,
                                                     token_hash) last_of_device
                                    order by ended_at desc, token_hash limit ${literal(DEVICES_KEPT)}))`)
  await tx.run(sql`
    insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at, address, user_agent)
    values (${tokenHash}, ${userId}, ${deviceHash}, ${now}, ${now}, ${address}, ${userAgent})`)
}

/** True if no session that is still kept was opened on this device. Nobody gets a mail before the address is proven. */
export function isNewsOfDevice(tx: Transaction, userId: string, deviceHash: Buffer): Promise<boolean> {
  return tx.holds(sql`
    select email_proven_at is not null
           and not exists (select from user_sessions
                            where user_id = ${userId} and device_hash = ${deviceHash})
      from users where id = ${userId}`)
}

/** @returns the number of sessions that were open */
export function endUserSessions(tx: Transaction, userId: string, reason: EndReason, now: Date): Promise<number> {
  return tx.run(sql`
    update user_sessions set ended_at = ${now}, end_reason = ${reason} where user_id = ${userId} and ended_at is null`)
}

/** @returns the session's user; undefined when it was not open */
export function endUserSession(
  tx: Transaction,
  tokenHash: Buffer,
  reason: EndReason,
  now: Date,
): Promise<string | undefined> {
  return tx.text(sql`
    update user_sessions set ended_at = ${now}, end_reason = ${reason}
     where token_hash = ${tokenHash} and ended_at is null
    returning user_id`)
}

const EndedSession = z.object({ deviceHash: z.instanceof(Buffer), tokenHash: z.instanceof(Buffer) })

/** @returns the ended session; undefined when the user has no such open session */
export function endUserSessionById(
  tx: Transaction,
  { id, userId, reason, now }: { id: string; userId: string; reason: EndReason; now: Date },
): Promise<z.output<typeof EndedSession> | undefined> {
  return tx.maybe(sql(EndedSession)`
    update user_sessions set ended_at = ${now}, end_reason = ${reason}
     where id = ${id} and user_id = ${userId} and ended_at is null
    returning device_hash, token_hash`)
}

/**
 * Records that people have used these sessions. Skips locked rows, because another call is writing them or ending
 * them.
 */
export async function keepUserSessions(db: Queries, tokenHashes: readonly Buffer[], now: Date): Promise<void> {
  await db.run(sql`
    with free as (
      select token_hash from user_sessions
       where token_hash = any(${tokenHashes}::bytea[]) and ended_at is null
         for update skip locked
    )
    update user_sessions set last_active_at = ${now} from free where user_sessions.token_hash = free.token_hash`)
}

/** Ends all open sessions of all users, as an admin would. */
export async function endEveryUserSession(tx: Transaction, now: Date): Promise<void> {
  await tx.run(sql`update user_sessions set ended_at = ${now}, end_reason = 'admin' where ended_at is null`)
}

/**
 * Deletes a batch of sessions that began before a moment.
 * @param known the moment since which a browser that takes messages keeps its row
 * @returns how many
 */
export function forgetUserSessions(db: Queries, { before, known }: { before: Date; known: Date }): Promise<number> {
  return db.run(sql`
    delete from user_sessions where token_hash = any(array(
      select token_hash from user_sessions
       where created_at < ${before} and not (created_at >= ${known} and ended_at is null and ${TAKES_MESSAGES})
       limit ${literal(FORGOTTEN_AT_ONCE)}))`)
}

/** Erases the traces of sessions that began before a moment. @returns how many */
export function eraseUserTraces(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    update user_sessions set address = '', user_agent = ''
     where created_at < ${before} and (address <> '' or user_agent <> '')`)
}

/** Erases the user's addresses and browsers, when the account is closed. */
export async function eraseTraces(tx: Transaction, userId: string): Promise<void> {
  await tx.run(sql`update user_sessions set address = '', user_agent = '' where user_id = ${userId}`)
}
