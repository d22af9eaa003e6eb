/** Admins' sessions. An admin may have several, one per browser, and a user session in the same browser. */
import * as z from 'zod/mini'
import { ADMIN_SESSION_IDLE_MS, ADMIN_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import { ADMIN_ROLES } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { endTelegramLinks } from '../messages/telegram/telegram-links.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import { literal, sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import type { Events } from '../platform/events.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { FORGOTTEN_AT_ONCE } from '../platform/jobs.ts'

const AdminSession = z.object({
  adminId: z.string(),
  username: z.string(),
  createdAt: z.date(),
  lastActiveAt: z.date(),
  provenAt: z.nullable(z.date()),
  role: z.enum(ADMIN_ROLES),
  language: z.nullable(z.string()),
  hasGivenPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  secondFactorRequired: z.boolean(),
  canProve: z.boolean(),
  isReplaced: z.boolean(),
})
/** A replaced token can still read for this long, because calls of other tabs may be on their way. */
export const REPLACED_READS_FOR_MS = 10_000

type AdminSession = z.output<typeof AdminSession>

/** @returns the session, unless it was ended, is too old, or its admin is disabled */
export async function findAdminSession(db: Queries, tokenHash: Buffer, now: Date): Promise<AdminSession | undefined> {
  const session = await db.maybe(sql(AdminSession)`
    select session.admin_id, admins.username, session.created_at,
           session.last_active_at, session.proven_at, session.can_prove,
           admins.role, admins.language, admins.password_given as has_given_password,
           admins.totp_sealed is not null as has_second_factor,
           coalesce((select second_factor_required from settings), false) as second_factor_required,
           session.token_hash <> ${tokenHash} as is_replaced
      from admin_sessions session join admins on admins.id = session.admin_id and admins.disabled_at is null
     where ${opensWith(tokenHash, now)} and session.ended_at is null`)
  if (!session) return undefined
  const idleMs = now.getTime() - session.lastActiveAt.getTime()
  const ageMs = now.getTime() - session.createdAt.getTime()
  return idleMs < ADMIN_SESSION_IDLE_MS && ageMs < ADMIN_SESSION_LONGEST_MS ? session : undefined
}

/** Matches the current token, or for a short time the one before it. */
function opensWith(tokenHash: Buffer, now: Date): Sql {
  const since = new Date(now.getTime() - REPLACED_READS_FOR_MS)
  return sql`
    (session.token_hash = ${tokenHash} or session.previous_hash = ${tokenHash} and session.renewed_at > ${since})`
}

interface NewAdminSession {
  tokenHash: Buffer
  adminId: string
  now: Date
  address: string
  userAgent: string
  deviceHash: Buffer
  /** True if the client that opens it asks its admin for proofs. */
  canProve: boolean
}

export async function openAdminSession(tx: Transaction, session: NewAdminSession): Promise<void> {
  const { tokenHash, adminId, now, address, userAgent, deviceHash, canProve } = session
  await tx.run(sql`
    insert into admin_sessions
           (id, token_hash, admin_id, created_at, last_active_at, address, user_agent, device_hash, can_prove)
    values (${newId()}, ${tokenHash}, ${adminId}, ${now}, ${now}, ${address}, ${userAgent}, ${deviceHash},
            ${canProve})`)
}

export async function endAdminSession(db: Queries, tokenHash: Buffer, now: Date): Promise<void> {
  await db.run(sql`
    update admin_sessions session set ended_at = ${now} where ${opensWith(tokenHash, now)} and ended_at is null`)
}

/** Records that a person has used the session. */
export async function keepAdminSession(db: Queries, tokenHash: Buffer, now: Date): Promise<void> {
  await db.run(sql`
    update admin_sessions set last_active_at = ${now} where token_hash = ${tokenHash} and ended_at is null`)
}

/**
 * Gives the session another token, so that a copy of the old one ends here.
 * @param isProven true if the session has just passed step-up
 * @param endsOld true where a password or a second factor has changed: a copy of the old token then reads no more
 * @returns the token
 * @throws Refusal NO_SESSION if it was replaced or ended in between
 */
export async function renewAdminSession(
  tx: Transaction,
  tokenHash: Buffer,
  { isProven, endsOld = false, now }: { isProven: boolean; endsOld?: boolean; now: Date },
): Promise<string> {
  const token = newToken()
  const renewed = await tx.run(sql`
    update admin_sessions
       set token_hash = ${hashToken(token)}, previous_hash = ${endsOld ? null : tokenHash},
           renewed_at = ${endsOld ? null : now},
           proven_at = case when ${isProven} then ${now} else proven_at end
     where token_hash = ${tokenHash} and ended_at is null`)
  if (renewed === 0) throw new Refusal('NO_SESSION')
  return token
}

/**
 * Hands a new token to the browser and closes the streams of the old one. Call it after the commit. It sends no end
 * of the session, because other tabs come back with the new cookie.
 */
export function replaceAdminToken(events: Events, cookies: Cookies, token: string, replaced?: Buffer): void {
  cookies.write('chaabi_admin', token, ADMIN_SESSION_LONGEST_MS)
  if (replaced) events.publish({ to: 'admins', name: 'session-replaced', data: { session: replaced.toString('hex') } })
}

/**
 * Ends the Telegram links, too: who held a session could have linked a chat of their own, which decides without one.
 * @param except a session that stays open
 */
export async function endAdminSessions(tx: Transaction, adminId: string, now: Date, except?: Buffer): Promise<void> {
  await endTelegramLinks(tx, { adminId }, now)
  await endOpenAdminSessions(tx, adminId, now, except)
}

/** Ends the sessions alone. */
export async function endOpenAdminSessions(
  tx: Transaction,
  adminId: string,
  now: Date,
  except?: Buffer,
): Promise<void> {
  await tx.run(sql`
    update admin_sessions set ended_at = ${now}
     where admin_id = ${adminId} and ended_at is null and token_hash <> ${except ?? Buffer.alloc(0)}`)
}

/** @returns true if the admin had such an open session */
export async function endAdminSessionById(tx: Transaction, adminId: string, id: string, now: Date): Promise<boolean> {
  const ended = await tx.run(sql`
    update admin_sessions set ended_at = ${now} where id = ${id} and admin_id = ${adminId} and ended_at is null`)
  return ended > 0
}

/** Ends all sessions of all admins, with their step-ups and Telegram links. */
export async function endEveryAdminSession(tx: Transaction, now: Date): Promise<void> {
  await endTelegramLinks(tx, 'everyone', now)
  await tx.run(sql`
    update admin_sessions set ended_at = coalesce(ended_at, ${now}), proven_at = null
     where ended_at is null or proven_at is not null`)
}

/**
 * Deletes a batch of sessions that began before a moment. Keeps the last one of each browser until the browser's
 * cookie ends, because the browser is known by it (sessions/known-devices.ts).
 * @param known the moment since which browsers are known
 * @returns how many
 */
export function forgetAdminSessions(db: Queries, { before, known }: { before: Date; known: Date }): Promise<number> {
  return db.run(sql`
    delete from admin_sessions where id = any(array(
      select id from admin_sessions session
       where created_at < ${before}
         and not (device_hash is not null and created_at >= ${known}
                  and not exists (select from admin_sessions newer
                                   where newer.admin_id = session.admin_id and newer.device_hash = session.device_hash
                                     and (newer.created_at, newer.id) > (session.created_at, session.id)))
       limit ${literal(FORGOTTEN_AT_ONCE)}))`)
}

/** Erases addresses and user agents of sessions that began before a moment. Known browsers stay. @returns how many */
export function eraseAdminTraces(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    update admin_sessions set address = '', user_agent = ''
     where created_at < ${before} and (address <> '' or user_agent <> '')`)
}
