/**
 * Time as a parameter. Rules ask this clock and never the machine, so that a test can stand at any moment;
 * in production it follows the database's clock, on which all nodes agree.
 */
import * as z from 'zod/mini'
import { sql, type Database } from './database/database.ts'

export interface Clock {
  now(): Date
}

/** What this machine believes, right or wrong: for checking it, never for a rule. */
export const machineClock: Clock = { now: () => new Date() }

const SYNC_INTERVAL_MS = 60_000

/** The machine's clock, corrected each minute by its distance from the database's. */
export async function databaseClock(db: Database, signal: AbortSignal): Promise<Clock> {
  let offsetMs = 0
  const sync = async () => {
    const before = Date.now()
    const { at } = await db.one(z.object({ at: z.date() }), sql`select clock_timestamp() as at`)
    offsetMs = Math.round(at.getTime() - (before + Date.now()) / 2)
  }
  await sync()
  // A database that is away for a moment leaves the last offset standing
  const timer = setInterval(() => void sync().catch(() => {}), SYNC_INTERVAL_MS)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  return { now: () => new Date(Date.now() + offsetMs) }
}

/** A clock that stands where it is put. */
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
