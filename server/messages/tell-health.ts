/** Tells owners when the store's checks fail or warn, again while they do, and when they pass again. */
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { msSince } from '../platform/clock.ts'
import { sql, type Database, type Queries } from '../platform/database/database.ts'
import { readJobs, type Job } from '../platform/jobs.ts'
import { enqueue, hasChannel } from '../platform/outbox.ts'

const JOB = 'tell-health'
const LOOK_MS = 60_000
const AGAIN_MS = 12 * 3_600_000
const WARN_AGAIN_MS = 7 * DAY_MS
/** A warning that comes and goes is sent once in this time. */
const WARN_PAUSE_MS = HOUR_MS

interface Health {
  ok: boolean
  warnings: readonly string[]
}

/** @param readHealth what the panel would say now */
export const healthJob = (db: Database, readHealth: (now: Date) => Promise<Health>): Job => ({
  name: JOB,
  nextAfter: (now) => new Date(now.getTime() + LOOK_MS),
  async run(now) {
    const { ok, warnings } = await readHealth(now)
    const told = await tellHealth(db, ok, now)
    return { healthy: ok, told, warnings: await tellWarnings(db, warnings, now) }
  },
})

const Known = z.object({ warnings: z.array(z.string()) })

/** Tells of warnings that the look before did not have, and once a week while there are some. @returns what is known */
async function tellWarnings(db: Database, warnings: readonly string[], now: Date): Promise<string[]> {
  // Without figures, because a fault that stays changes them: "Last backup: 30.1 hours ago."
  const found = warnings.map((text) => text.replaceAll(/[\d.,]+/g, ''))
  const before = (await readJobs(db)).find(({ name }) => name === JOB)?.result
  const known = z.safeParse(Known, before).data?.warnings ?? []
  return db.transaction(async (tx) => {
    if (found.length === 0 || !(await hasChannel(tx))) return found
    const last = await newestOf(tx, ['health.warning'])
    const ageMs = last ? msSince(last.createdAt, now) : Infinity
    const isNew = found.some((each) => !known.includes(each))
    if (isNew && ageMs < WARN_PAUSE_MS) return found.filter((each) => known.includes(each))
    if (isNew || ageMs >= WARN_AGAIN_MS) enqueue(tx, { kind: 'health.warning', now })
    return found
  })
}

const Newest = z.object({ kind: z.string(), createdAt: z.date() })

const newestOf = (db: Queries, kinds: string[]) =>
  db.maybe(sql(Newest)`
    select kind, created_at from outbox_messages
     where kind = any (${kinds}::text[]) order by created_at desc limit 1`)

/** @returns true if there was something to tell */
export function tellHealth(db: Database, healthy: boolean, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await hasChannel(tx))) return false
    const last = await newestOf(tx, ['health.red', 'health.green'])
    const wasRed = last?.kind === 'health.red'
    const isDue = healthy ? wasRed : !wasRed || msSince(last.createdAt, now) >= AGAIN_MS
    if (isDue) enqueue(tx, { kind: healthy ? 'health.green' : 'health.red', now })
    return isDue
  })
}
