/**
 * Gives time as a parameter. Rules ask this clock and never the machine, so that a test can choose any moment. In
 * production it follows the database's clock, on which all nodes agree.
 */
import * as z from 'zod/mini'
import { sql, type Database, type Queries } from './database/database.ts'

export interface Clock {
  now(): Date
}

/** Reads this machine's clock, right or wrong. Use it for the machine and the times of its files, never for a rule. */
export const machineClock: Clock = { now: () => new Date() }

/** Asks the database for its time. For a command, which asks once; a running store has a clock. */
export const databaseTime = async (db: Queries): Promise<Date> =>
  (await db.one(sql(() => z.object({ at: z.date() }))`select clock_timestamp() as at`)).at

const SYNC_INTERVAL_MS = 60_000

/** Reads the machine's clock, corrected each minute by its distance from the database's clock. */
export async function databaseClock(db: Database, signal: AbortSignal): Promise<Clock> {
  let offsetMs = 0
  const sync = async () => {
    const before = Date.now()
    const at = await databaseTime(db)
    offsetMs = Math.round(at.getTime() - (before + Date.now()) / 2)
  }
  await sync()
  // Keeps the last offset while the database is away
  const timer = setInterval(() => void sync().catch(() => {}), SYNC_INTERVAL_MS)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  return { now: () => new Date(Date.now() + offsetMs) }
}

/** Clocks of nodes differ by far less. A time further ahead was written by a wrong clock, which was corrected since. */
export const AHEAD_MAX_MS = 3_600_000

/** The latest moment that a node with a good clock can have written as `ms` from now. */
export const latestAfter = (ms: number, now: Date): Date => new Date(now.getTime() + ms + AHEAD_MAX_MS)

/**
 * Returns the milliseconds since a moment, and Infinity if a clock that was ahead wrote it. So nothing waits for such a
 * moment, and nothing is new because of it.
 */
export function msSince(at: Date, now: Date): number {
  const ms = now.getTime() - at.getTime()
  return ms < -AHEAD_MAX_MS ? Infinity : ms
}

/** Makes a clock that moves only when a test moves it. */
export function manualClock(start: Date | string): Clock & { set(to: Date | string): void; advance(ms: number): void } {
  let at = new Date(start)
  return {
    now: () => new Date(at),
    set: (to) => {
      at = new Date(to)
    },
    advance: (ms) => {
      at = new Date(at.getTime() + ms)
    },
  }
}
