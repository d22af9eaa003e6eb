/** A buyer's own sessions: lists them and ends one. */
import { Refusal } from '../../contract/errors.ts'
import { USER_SESSION_IDLE_MS, USER_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import { OwnSession } from '../../contract/sessions.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { freeDevice, lockAccount } from '../users/access/accounts.ts'
import { endUserSessionById } from '../users/access/user-sessions.ts'
import { before } from '../admins/own-admin-sessions.ts'

/** @returns the caller's open sessions, newest first */
export function listSessions(db: Queries, { user, now }: Call<'user'>): Promise<OwnSession[]> {
  return db.rows(sql(OwnSession)`
    select id as _id, created_at, last_active_at, address, user_agent, token_hash = ${user.sessionHash} as current
      from user_sessions
     where user_id = ${user.id} and ended_at is null
       and last_active_at > ${before(now, USER_SESSION_IDLE_MS)}
       and created_at > ${before(now, USER_SESSION_LONGEST_MS)}
     order by created_at desc, id desc`)
}

/** Ends a session as a logout there would, and resets the device lock that goes with it. @throws Refusal NOT_FOUND */
export async function endSession(
  { db, events }: Services,
  id: string,
  { user, now, cookies }: Call<'user'>,
): Promise<{ message: string }> {
  const isOwn = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, user.id)
    const ended = await endUserSessionById(tx, { id, userId: user.id, reason: 'logout', now })
    if (!account || !ended) throw new Refusal('NOT_FOUND')
    if (account.deviceHash?.equals(ended.deviceHash)) await freeDevice(tx, account.id)
    return ended.tokenHash.equals(user.sessionHash)
  })
  if (isOwn) cookies.clear('chaabi_session')
  events.publish({ to: { user: user.id }, name: 'session-ended' })
  return { message: 'Session ended' }
}
