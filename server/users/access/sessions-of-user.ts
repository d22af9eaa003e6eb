/** A user's sessions, as an admin sees and ends them. */
import { Refusal } from '../../../contract/errors.ts'
import { USER_SESSION_IDLE_MS, USER_SESSION_LONGEST_MS } from '../../../contract/limits.ts'
import { UserSession } from '../../../contract/users.ts'
import { audit, type By } from '../../audit/audit.ts'
import { sql, type Database } from '../../platform/database/database.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from './accounts.ts'
import { endUserSessionById } from './user-sessions.ts'

/** @throws Refusal NOT_FOUND when there is no such open account */
export async function listSessionsOfUser(
  db: Database,
  userId: string,
  now: Date,
): Promise<{ sessions: UserSession[] }> {
  await refuseUnknown(db, userId)
  const sessions = await db.rows(sql(UserSession)`
    select id as _id, created_at, last_active_at, address, user_agent
      from user_sessions
     where user_id = ${userId} and ended_at is null
       and last_active_at > ${before(now, USER_SESSION_IDLE_MS)}
       and created_at > ${before(now, USER_SESSION_LONGEST_MS)}
     order by last_active_at desc, id`)
  return { sessions }
}

/**
 * Ends one session and tells its browser. The device keeps the lock, and can log in again.
 * @throws Refusal NOT_FOUND when the user has no such open session
 */
export async function endSessionOfUser(
  { db, events }: Services,
  { id, sessionId }: { id: string; sessionId: string },
  by: By,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, id)
    const ended = await endUserSessionById(tx, { id: sessionId, userId: id, reason: 'admin', now: by.now })
    if (!account || !ended) throw new Refusal('NOT_FOUND')
    await audit(tx, by, { action: 'user.end-session', subject: `${account.username} (${id})` })
  })
  events.publish({ to: { user: id }, name: 'session-ended' })
  return { message: 'Session ended' }
}

/** @throws Refusal NOT_FOUND for an unknown id, or a closed account */
export async function refuseUnknown(db: Database, userId: string): Promise<void> {
  const user = await db.text(sql`select id from users where id = ${userId} and deleted_at is null`)
  if (!user) throw new Refusal('NOT_FOUND')
}

const before = (now: Date, ms: number) => new Date(now.getTime() - ms)
