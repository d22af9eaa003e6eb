/** Browsers in which an admin has logged in before. Each is known until its device cookie ends. */
import * as z from 'zod/mini'
import { sql, type Query } from '../platform/database/database.ts'

export const Holder = z.object({
  id: z.string(),
  /** Of the devices that were asked for one in which this account has logged in before. */
  known: z.nullable(z.instanceof(Buffer)),
})
export const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @param written an id, or a username in letters of any case */
export function findAdminHolder(written: string, devices: readonly Buffer[]): Query<typeof Holder> {
  const where = ID.test(written) ? sql`admins.id = ${written}` : sql`lower(admins.username) = lower(${written})`
  return sql(Holder)`
    select admins.id, (select device_hash from admin_sessions session
                        where session.admin_id = admins.id
                          and session.device_hash = any(${devices}::bytea[])
                        limit 1) as known
      from admins where ${where}`
}
