/** Controlled interleavings: a test holds a lock, lets others run into it, and then lets go. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Database } from '../server/platform/database/database.ts'

const GIVE_UP_AFTER_MS = 2_500

/** Waits until so many transactions of this database wait for a lock. */
export async function untilBlocked(db: Database, waiters = 1): Promise<void> {
  const started = performance.now()
  for (;;) {
    const blocked = await db.count(sql`
      select count(distinct pid)
        from pg_locks join pg_stat_activity using (pid)
       where not granted and datname = current_database()`)
    if (blocked >= waiters) return
    if (performance.now() - started > GIVE_UP_AFTER_MS) throw new Error(`Only ${blocked} of ${waiters} are waiting`)
    await sleep(5)
  }
}
