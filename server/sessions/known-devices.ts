/**
 * Chooses the account and browser that a limited call counts for. A browser in which the account has logged in
 * before has tries of its own. So a stranger who guesses at the account can't lock its owner out, not even from the
 * same address, which a whole phone network may share.
 */
import type { LimitName } from '../../contract/rate-limits.ts'
import { findAdminHolder, Holder, ID } from '../admins/known-admin-devices.ts'
import { sql, type Queries, type Query } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Counted } from '../platform/rate-limits.ts'
import { deviceHashOf } from '../platform/http/device-cookie.ts'

const OF_BUYERS: ReadonlySet<LimitName> = new Set(['login', 'reset-device', 'forgot-password'])

/** @param written the id of a session's account, or the name that was typed: a username, or a buyer's e-mail */
export async function triesOf(
  db: Queries,
  name: LimitName,
  { account: written, address, cookies }: { account: string; address: string; cookies: Pick<Call['cookies'], 'read'> },
): Promise<Counted> {
  const find = name === 'admin-login' ? findAdminHolder : OF_BUYERS.has(name) ? findHolder : null
  if (!find) return { account: written, address }
  const deviceHash = deviceHashOf(cookies)
  const holder = await db.maybe(find(written, deviceHash ?? null))
  const device = holder?.isKnown ? deviceHash?.toString('base64url') : undefined
  return { account: holder?.id ?? written, address, device }
}

function findHolder(written: string, deviceHash: Buffer | null): Query<typeof Holder> {
  const where = ID.test(written)
    ? sql`users.id = ${written}`
    : written.includes('@')
      ? sql`lower(users.email) = lower(${written})`
      : sql`lower(users.username) = lower(${written})`
  return sql(Holder)`
    select users.id, coalesce(users.device_hash = ${deviceHash}::bytea, false)
                     or exists (select from user_sessions session
                                 where session.user_id = users.id
                                 and session.device_hash = ${deviceHash}::bytea) as is_known
      from users where ${where} and users.deleted_at is null`
}
