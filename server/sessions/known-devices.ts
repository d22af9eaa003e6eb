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
import { deviceHashesOf } from '../platform/http/device-cookie.ts'

const OF_BUYERS: ReadonlySet<LimitName> = new Set(['login', 'reset-device', 'forgot-password'])

/** @param written the id of a session's account, or the name that was typed: a username, or a buyer's e-mail */
export async function triesOf(
  db: Queries,
  name: LimitName,
  { account: written, address, cookies }: { account: string; address: string; cookies: Pick<Call['cookies'], 'all'> },
): Promise<Counted> {
  const find = name === 'admin-login' ? findAdminHolder : OF_BUYERS.has(name) ? findHolder : null
  if (!find) return { account: written, address }
  const holder = await db.maybe(find(written, deviceHashesOf(cookies)))
  return { account: holder?.id ?? written, address, device: holder?.known?.toString('base64url') }
}

function findHolder(written: string, devices: readonly Buffer[]): Query<typeof Holder> {
  const where = ID.test(written)
    ? sql`users.id = ${written}`
    : written.includes('@')
      ? sql`lower(users.email) = lower(${written})`
      : sql`lower(users.username) = lower(${written})`
  return sql(Holder)`
    select users.id, (select device from unnest(${devices}::bytea[]) device
                       where users.device_hash = device
                          or exists (select from user_sessions session
                                      where session.user_id = users.id and session.device_hash = device)
                       limit 1) as known
      from users where ${where} and users.deleted_at is null`
}
