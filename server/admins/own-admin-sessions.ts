/** An admin's own sessions: listing them, and ending one. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { ADMIN_SESSION_IDLE_MS, ADMIN_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import type { OwnSession } from '../../contract/sessions.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { endAdminSessionById } from './admin-sessions.ts'

/** A row of `user_sessions` or `admin_sessions`, as its owner sees it. */
export const OwnSessionRow = z.object({
  id: z.string(),
  createdAt: z.date(),
  lastActiveAt: z.date(),
  address: z.string(),
  userAgent: z.string(),
  current: z.boolean(),
})

/** @returns the caller's open admin sessions, newest first */
export async function listAdminSessions(db: Queries, { admin, now }: Call<'admin'>): Promise<OwnSession[]> {
  const rows = await db.rows(
    OwnSessionRow,
    sql`
    select id, created_at as "createdAt", last_active_at as "lastActiveAt", address, user_agent as "userAgent",
           token_hash = ${admin.sessionHash} as current
      from admin_sessions
     where admin_id = ${admin.id} and ended_at is null
       and last_active_at > ${before(now, ADMIN_SESSION_IDLE_MS)}
       and created_at > ${before(now, ADMIN_SESSION_LONGEST_MS)}
     order by created_at desc, id desc`,
  )
  return rows.map(toOwnSession)
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

export function toOwnSession({ id, createdAt, lastActiveAt, ...session }: z.output<typeof OwnSessionRow>): OwnSession {
  return { _id: id, createdAt: createdAt.toISOString(), lastActiveAt: lastActiveAt.toISOString(), ...session }
}
