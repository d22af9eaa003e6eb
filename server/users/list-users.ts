import * as z from 'zod/mini'
import { USERS_PAGE_SIZE } from '../../contract/limits.ts'
import type { AdminUser, users } from '../../contract/users.ts'
import { literal, planned, sql, type Database, type Sql } from '../platform/database.ts'
import { contains, countFound, keep, keyOf, type Total } from '../platform/search.ts'
import { readAdminUsers } from './user-rows.ts'

type Search = z.output<(typeof users.list)['input']>

/** A page of users, newest first: ids come first, and all else is read for the page alone. */
export async function listUsers(
  db: Database,
  { limit = USERS_PAGE_SIZE, skip = 0, search = '' }: Search,
  now: Date,
): Promise<{ users: AdminUser[] } & Total> {
  const condition = search === '' ? sql`deleted_at is null` : sql`deleted_at is null and ${isMeant(search)}`
  const [rows, total] = await Promise.all([
    db.rows(
      z.object({ id: z.string() }),
      planned(sql`
      select id
        from users
       where ${condition}
       order by created_at desc, id desc
       limit ${literal(limit)} offset ${skip}`),
    ),
    search === '' ? countAll(db) : countFound(db, [sql`select id from users where ${condition}`]),
  ])
  const ids = rows.map((row) => row.id)
  return { users: await readAdminUsers(db, ids, now), ...total }
}

function isMeant(search: string): Sql {
  return sql`(${contains(sql`lower(username)`, search)} or ${contains(sql`lower(email)`, search)})`
}

function countAll(db: Database): Promise<Total> {
  const statement = sql`select count(*) as total from users where deleted_at is null`
  return keep(db, keyOf(statement), async () => {
    const { total } = await db.one(z.object({ total: z.number() }), statement)
    return { value: { total }, rows: total }
  })
}
