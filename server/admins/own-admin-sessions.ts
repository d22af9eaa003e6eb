/** An admin's own sessions: listing them, and ending one. */
import { Refusal } from '../../contract/errors.ts'
import { ADMIN_SESSION_IDLE_MS, ADMIN_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import { OwnSession } from '../../contract/sessions.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { endAdminSessionById } from './admin-sessions.ts'

/** @returns the caller's open admin sessions, newest first */
export function listAdminSessions(db: Queries, { admin, now }: Call<'admin'>): Promise<OwnSession[]> {
  return db.rows(sql(OwnSession)`
    select id as _id, created_at, last_active_at, address, user_agent, token_hash = ${admin.sessionHash} as current
      from admin_sessions
     where admin_id = ${admin.id} and ended_at is null
       and last_active_at > ${before(now, ADMIN_SESSION_IDLE_MS)}
       and created_at > ${before(now, ADMIN_SESSION_LONGEST_MS)}
     order by created_at desc, id desc`)
}

/** @throws Refusal NOT_FOUND */
export async function endOwnAdminSession(
  { db, events }: Services,
  id: string,
  call: Call<'admin'>,
): Promise<{ message: string }> {
  const { admin, now } = call
  await db.transaction(async (tx) => {
    if (!(await endAdminSessionById(tx, admin.id, id, now))) throw new Refusal('NOT_FOUND')
    await audit(tx, call, { action: 'admin.end-session', subject: `${admin.username} (${admin.id})` })
  })
  events.publish({ to: 'admins', name: 'session-ended' })
  return { message: 'Session ended' }
}

export const before = (now: Date, ms: number) => new Date(now.getTime() - ms)
