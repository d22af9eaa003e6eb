/** Tells owners when the store's checks fail, again while they do, and when they pass again. */
import * as z from 'zod/mini'
import { sql, type Database } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue, hasChannel } from '../platform/outbox.ts'

const LOOK_MS = 60_000
const AGAIN_MS = 12 * 3_600_000

/** @param isHealthy what the panel would say now */
export const healthJob = (db: Database, isHealthy: (now: Date) => Promise<boolean>): Job => ({
  name: 'tell-health',
  nextAfter: (now) => new Date(now.getTime() + LOOK_MS),
  async run(now) {
    const healthy = await isHealthy(now)
    return { healthy, told: await tellHealth(db, healthy, now) }
  },
})

/** @returns true if there was something to tell */
export function tellHealth(db: Database, healthy: boolean, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await hasChannel(tx))) return false
    const last = await tx.maybe(
      z.object({ kind: z.string(), createdAt: z.date() }),
      sql`
      select kind, created_at as "createdAt" from outbox_messages
       where kind in ('health.red', 'health.green') order by created_at desc limit 1`,
    )
    const wasRed = last?.kind === 'health.red'
    const isDue = healthy ? wasRed : !wasRed || last.createdAt.getTime() + AGAIN_MS <= now.getTime()
    if (isDue) enqueue(tx, { kind: healthy ? 'health.green' : 'health.red', now })
    return isDue
  })
}
