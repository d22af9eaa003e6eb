import * as z from 'zod/mini'
import { sql, type Database } from '../platform/database/database.ts'
import { keep } from '../platform/database/search.ts'

const HEARD_MS = 24 * 3_600_000

/** True while a phone's alerts approve requests, and one came within a day. */
export async function readCheckedOnArrival(db: Database, now: Date): Promise<boolean> {
  const { works } = await db.one(
    z.object({ works: z.boolean() }),
    sql`
    select exists (select from bank_rules where mode <> 'propose' and trusts = 'phone')
           and exists (select from bank_devices
                        where ended_at is null and paused_at is null
                          and last_seen_at > ${new Date(now.getTime() - HEARD_MS)}) as works`,
  )
  return works
}

/** The same, up to a minute old, because every page of the store begins with it. */
export function keepCheckedOnArrival(db: Database, now: Date): Promise<boolean> {
  // `keep` caches only figures of many rows
  return keep(db, 'checked on arrival', async () => ({ value: await readCheckedOnArrival(db, now), rows: Infinity }))
}
