import type * as z from 'zod/mini'
import { LAPSING_SOON_DAYS, USERS_PAGE_SIZE } from '../../contract/limits.ts'
import type { AdminUser, users } from '../../contract/users.ts'
import { DAY_MS } from '../../contract/time.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { allOf, literal, planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import { contains, countFound, keep, phonePart, type Total } from '../platform/database/search.ts'
import { readAdminUsers } from './user-rows.ts'

type Search = z.output<(typeof users.list)['input']>

/** Lists a page of users. Finds the ids first, and reads all else for the page alone. */
export async function listUsers(
  db: Database,
  { limit = USERS_PAGE_SIZE, skip = 0, search = '', holding, joined, group }: Search,
  now: Date,
): Promise<{ users: AdminUser[] } & Total> {
  const isMeant = allOf([
    sql`users.deleted_at is null`,
    ...(search === '' ? [] : [isFound(search)]),
    ...(group === undefined ? [] : [sql`users.group_id = ${group}`]),
    ...(joined === undefined ? [] : [sql`${indianDay(sql`users.created_at`)} = ${joined}::date`]),
  ])
  const { from, order } = holding === undefined ? ALL : HOLDING[holding](now)
  const [ids, total] = await Promise.all([
    db.texts(
      planned(sql`select id from ${from} where ${isMeant} order by ${order} limit ${literal(limit)} offset ${skip}`),
    ),
    search === ''
      ? countAll(db, sql`${from} where ${isMeant}`, `${holding ?? 'everyone'} ${joined ?? ''} ${group ?? ''}`)
      : countFound(db, [sql`select id from ${from} where ${isMeant}`]),
  ])
  return { users: await readAdminUsers(db, ids, now), ...total }
}

interface Order {
  from: Sql
  order: Sql
}

/** Newest first. */
const ALL: Order = { from: sql`users`, order: sql`users.created_at desc, users.id desc` }

const HOLDING: Record<NonNullable<Search['holding']>, (now: Date) => Order> = {
  money: () => ({
    from: sql`users join wallets on wallets.user_id = users.id and wallets.balance_paise > 0`,
    order: sql`wallets.balance_paise desc, users.id`,
  }),
  blocked: () => ({
    from: sql`(select id, username, email, created_at, deleted_at, blocked_at, group_id
                 from users where blocked_at is not null) users`,
    order: sql`users.blocked_at desc, users.id`,
  }),
  lapsing: (now) => ({
    from: sql`users join (select user_id, min(expires_at) as soonest
                            from wallet_lots
                           where is_open and expires_at > ${now}
                             and expires_at <= ${new Date(now.getTime() + LAPSING_SOON_DAYS * DAY_MS)}
                           group by user_id) lapsing on lapsing.user_id = users.id`,
    order: sql`lapsing.soonest, users.id`,
  }),
}

/** By name or email, and by the phone of any top-up request. */
function isFound(search: string): Sql {
  const hasName = sql`(${contains(sql`lower(username)`, search)} or ${contains(sql`lower(email)`, search)})`
  const digits = phonePart(search) ?? ''
  if (digits.length < PHONE_PART_MIN) return hasName
  // Two searches by index. As one condition with `or`, it would read every user
  return sql`users.id in (
    select id from users where ${hasName}
     union all
    select user_id from topup_requests where ${contains(sql`phone`, digits)})`
}

/** Fewer digits find half the store. */
const PHONE_PART_MIN = 4

/** @param what names the figure in the cache, because the statement holds the present moment */
function countAll(db: Database, from: Sql, what: string): Promise<Total> {
  const statement = sql`select count(*) as total from ${from}`
  return keep(db, `users: ${what}`, async () => {
    const total = await db.count(statement)
    return { value: { total }, rows: total }
  })
}
