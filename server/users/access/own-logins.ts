/** What the store keeps about a buyer's logins, for that buyer. */
import * as z from 'zod/mini'
import { Moment } from '../../../contract/fields.ts'
import { Login, type MyData } from '../../../contract/privacy.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import { inPages } from '../../platform/database/in-pages.ts'

export async function readDeviceLock(db: Queries, userId: string): Promise<string | null> {
  const row = await db.maybe(
    sql(() => z.object({ lockedAt: z.nullable(Moment) }))`select locked_at from users where id = ${userId}`,
  )
  return row?.lockedAt ?? null
}

const LoginRow = z.extend(Login, { _id: z.string() })

/** Newest first. */
export async function* listLogins(db: Queries, userId: string): AsyncGenerator<MyData['sessions'][number]> {
  const logins = inPages((page) =>
    db.rows(sql(LoginRow)`
      select id as _id, created_at, last_active_at, ended_at, end_reason, address, user_agent
        from user_sessions where user_id = ${userId} and ${page}`),
  )
  for await (const { _id, ...login } of logins) yield login
}
