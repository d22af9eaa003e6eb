import type { Database } from '../platform/database/database.ts'
import type { Call, Authenticated } from '../platform/http/http.ts'
import { hashToken } from '../platform/ids.ts'
import { coalesce } from '../platform/load/coalesce.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { noteShown } from '../users/access/accounts.ts'
import { findUserSessions, keepUserSessions, refusalOf, type UserSession } from '../users/access/user-sessions.ts'
import { findAdminSession, keepAdminSession } from '../admins/admin-sessions.ts'
import { deviceHashesOf } from '../platform/http/device-cookie.ts'

const NOBODY: Authenticated = { user: null, admin: null }

/** A session's last use is written at most this often. */
const KEEP_EVERY_MS = 60_000

type Cookies = Pick<Call['cookies'], 'all'>
type FindUserSession = (tokenHash: Buffer) => Promise<UserSession | undefined>
type KeepUserSession = (used: { tokenHash: Buffer; now: Date }) => Promise<void>

/**
 * Returns the check of a call's cookies. Every call asks the database, and calls of the same moment share the
 * query. With `cached`, unchanged rows are not read again.
 * @returns takes `active`: true if a person acted, because pages that poll must not keep a session alive
 */
export function authenticator(
  db: Database,
): (cookies: Cookies, now: Date, active: boolean, cached?: CachedReads) => Promise<Authenticated> {
  const find = coalesce((tokenHashes: readonly Buffer[]) => findUserSessions(db, tokenHashes))
  // Commits for all at once, because many that come back at one moment would wait for each other
  const keep: KeepUserSession = coalesce(async (used) => {
    const latest = new Date(Math.max(...used.map(({ now }) => now.getTime())))
    await keepUserSessions(
      db,
      used.map(({ tokenHash }) => tokenHash),
      latest,
    )
    return used.map(() => undefined)
  })
  return async (cookies, now, active, cached) => {
    const [buyers, admins] = [cookies.all('chaabi_session'), cookies.all('chaabi_admin')]
    if (buyers.length === 0 && admins.length === 0) return NOBODY
    const findKept: FindUserSession = (hash) =>
      cached ? cached.readRow(`session ${hash.toString('base64url')}`, () => find(hash)) : find(hash)
    const [user, admin] = await Promise.all([
      firstGood(buyers, (token) => authenticateUser({ find: findKept, keep, db }, { token, cookies }, now, active)),
      firstGood(admins, (token) => authenticateAdmin(db, token, now, active)),
    ])
    return { user, admin }
  }
}

/** Of several cookies of one name the first that opens a session, else what the first has to say. */
async function firstGood<T extends object | string | null>(
  tokens: readonly string[],
  check: (token: string) => Promise<T>,
): Promise<T | null> {
  let told: T | null = null
  for (const token of tokens) {
    const found = await check(token)
    if (typeof found === 'object' && found !== null) return found
    told ??= found
  }
  return told
}

async function authenticateUser(
  { find, keep, db }: { find: FindUserSession; keep: KeepUserSession; db: Database },
  { token, cookies }: { token: string; cookies: Cookies },
  now: Date,
  active: boolean,
): Promise<Authenticated['user']> {
  const sessionHash = hashToken(token)
  const session = await find(sessionHash)
  if (!session) return null
  const refusal = refusalOf(session, deviceHashesOf(cookies), now)
  if (refusal !== undefined) return refusal
  const isUsed = active && isDue(session.lastActiveAt, now)
  if (session.isUnshown || isUsed)
    await Promise.all([
      session.isUnshown && noteShown(db, session.userId, session.deviceHash),
      isUsed && keep({ tokenHash: sessionHash, now }),
    ])
  return { id: session.userId, username: session.username, sessionHash }
}

async function authenticateAdmin(
  db: Database,
  token: string,
  now: Date,
  active: boolean,
): Promise<Authenticated['admin']> {
  const sessionHash = hashToken(token)
  const session = await findAdminSession(db, sessionHash, now)
  if (!session) return null
  if (active && isDue(session.lastActiveAt, now)) await keepAdminSession(db, sessionHash, now)
  const { adminId: id, username, role, hasSecondFactor, secondFactorRequired, canProve, isReplaced } = session
  // Drops the step-up of a replaced token, because it belongs to the new one
  const provenAt = isReplaced ? null : session.provenAt
  const rights = { role, hasSecondFactor, secondFactorRequired, canProve }
  return { id, username, sessionHash, ...rights, provenAt, isReplaced }
}

function isDue(lastActiveAt: Date, now: Date): boolean {
  return now.getTime() - lastActiveAt.getTime() >= KEEP_EVERY_MS
}
