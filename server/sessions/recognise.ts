import type { Database } from '../platform/database.ts'
import type { Call, Recognised } from '../platform/http.ts'
import { hashToken } from '../platform/ids.ts'
import { findUserSession, keepUserSession, refusalOf } from '../users/user-sessions.ts'
import { findAdminSession, keepAdminSession } from './admin-sessions.ts'
import { deviceHashOf } from './device-cookie.ts'

/** A session's last use is written down at most so often. */
const KEEP_EVERY_MS = 60_000

type Cookies = Pick<Call['cookies'], 'read'>

/**
 * Who the cookies speak for. A browser has one session as a rule, and then this is one query.
 * @param active whether a person did something: pages that poll do not keep a session alive
 */
export async function recognise(db: Database, cookies: Cookies, now: Date, active: boolean): Promise<Recognised> {
  const [user, admin] = await Promise.all([
    recogniseUser(db, cookies, now, active),
    recogniseAdmin(db, cookies, now, active),
  ])
  return { user, admin }
}

async function recogniseUser(db: Database, cookies: Cookies, now: Date, active: boolean): Promise<Recognised['user']> {
  const token = cookies.read('chaabi_session')
  if (token === undefined) return null
  const sessionHash = hashToken(token)
  const session = await findUserSession(db, sessionHash)
  if (!session) return null
  const refusal = refusalOf(session, deviceHashOf(cookies), now)
  if (refusal !== undefined) return refusal
  if (active && isDue(session.lastActiveAt, now)) await keepUserSession(db, sessionHash, now)
  return { id: session.userId, username: session.username, sessionHash }
}

async function recogniseAdmin(
  db: Database,
  cookies: Cookies,
  now: Date,
  active: boolean,
): Promise<Recognised['admin']> {
  const token = cookies.read('chaabi_admin')
  if (token === undefined) return null
  const sessionHash = hashToken(token)
  const session = await findAdminSession(db, sessionHash, now)
  if (!session) return null
  if (active && isDue(session.lastActiveAt, now)) await keepAdminSession(db, sessionHash, now)
  const { adminId: id, username, role, hasSecondFactor, secondFactorRequired, provenAt } = session
  return { id, username, sessionHash, role, hasSecondFactor, secondFactorRequired, provenAt }
}

function isDue(lastActiveAt: Date, now: Date): boolean {
  return now.getTime() - lastActiveAt.getTime() >= KEEP_EVERY_MS
}
