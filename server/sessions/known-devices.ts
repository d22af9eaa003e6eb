/**
 * Whose tries a limited call uses up. A browser in which the account has been logged in before has tries of its
 * own, so a stranger who guesses at the account cannot lock its owner out: neither from elsewhere, nor from the same
 * address, behind which there may be a whole phone network.
 */
import * as z from 'zod/mini'
import type { LimitName } from '../../contract/endpoint.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { deviceHashOf } from '../platform/http/device-cookie.ts'

const Holder = z.object({ id: z.string(), isKnown: z.boolean() })
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Tries {
  account: string
  /** Undefined where only the account's own device counts. */
  address: string | undefined
}

/** @param written the id of a session's account, or the name that was typed: a username, or a buyer's e-mail */
export async function triesOf(
  db: Queries,
  name: LimitName,
  { account: written, address, cookies }: { account: string; address: string; cookies: Pick<Call['cookies'], 'read'> },
): Promise<Tries> {
  const find =
    name === 'admin-login' ? findAdminHolder : name === 'login' || name === 'reset-device' ? findHolder : null
  if (!find) return { account: written, address }
  const deviceHash = deviceHashOf(cookies)
  const holder = await db.maybe(Holder, find(written, deviceHash ?? null))
  if (!holder) return { account: written, address }
  if (!holder.isKnown || !deviceHash) return { account: holder.id, address }
  return { account: `${holder.id}/${deviceHash.toString('base64url')}`, address: undefined }
}

function findHolder(written: string, deviceHash: Buffer | null): Sql {
  const where = ID.test(written)
    ? sql`users.id = ${written}`
    : written.includes('@')
      ? sql`lower(users.email) = lower(${written})`
      : sql`lower(users.username) = lower(${written})`
  return sql`
    select users.id, coalesce(users.device_hash = ${deviceHash}::bytea, false)
                     or exists (select from user_sessions session
                                 where session.user_id = users.id and session.device_hash = ${deviceHash}::bytea) as "isKnown"
      from users where ${where} and users.deleted_at is null`
}

function findAdminHolder(written: string, deviceHash: Buffer | null): Sql {
  const where = ID.test(written) ? sql`admins.id = ${written}` : sql`lower(admins.username) = lower(${written})`
  return sql`
    select admins.id, exists (select from admin_sessions session
                               where session.admin_id = admins.id and session.device_hash = ${deviceHash}::bytea) as "isKnown"
      from admins where ${where}`
}
