/** Browsers in which an admin has logged in before. Each is known until its device cookie ends. */
import * as z from 'zod/mini'
import { sql, type Query } from '../platform/database/database.ts'

export const Holder = z.object({ id: z.string(), isKnown: z.boolean() })
export const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @param written an id, or a username in letters of any case */
export function findAdminHolder(written: string, deviceHash: Buffer | null): Query<typeof Holder> {
  const where = ID.test(written) ? sql`admins.id = ${written}` : sql`lower(admins.username) = lower(${written})`
  return sql(Holder)`
    select admins.id, exists (select from admin_sessions session
                               where session.admin_id = admins.id
                                 and session.device_hash = ${deviceHash}::bytea) as is_known
      from admins where ${where}`
}
