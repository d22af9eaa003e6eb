/**
 * Work done by the clock, shared by all nodes: each job is a row, taken with `for update skip locked` by whichever
 * node finds it due. Taking it moves its next time on, so no lock is held while it runs, and a node that dies in
 * the middle costs one turn. Jobs must therefore bear being done twice.
 */
import * as z from 'zod/mini'
import type { Clock } from './clock.ts'
import { sql, type Database, type Queries } from './database/database.ts'

export interface Job {
  name: string
  /** The first moment after `now` at which it is due again. */
  nextAfter(now: Date): Date
  /**
   * @param signal aborts when the store is told to stop: what takes long ends then, also by an error
   * @returns what is worth keeping of it, as JSON
   */
  run(now: Date, signal: AbortSignal): Promise<unknown>
}

export interface JobState {
  name: string
  nextAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  failures: number
  error: string | null
  result: unknown
}

/** So many rows are deleted in far less than a statement may take. */
export const FORGOTTEN_AT_ONCE = 5_000

const LOOK_INTERVAL_MS = 5_000
const ERROR_LENGTH_MAX = 500
/** A job that is this long overdue, or has failed so often in a row, is stuck. */
const OVERDUE_MS = 15 * 60_000
const FAILURES_MAX = 3

interface RunnerOptions {
  clock: Clock
  signal: AbortSignal
  onError(error: unknown, job: string): void
}

/** Looks for due jobs every few seconds, from now until `signal` aborts. @returns resolves when none runs any more */
export function startJobs(db: Database, jobs: readonly Job[], options: RunnerOptions): { ended: Promise<void> } {
  const { clock, signal, onError } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      void running.then(resolve)
    })
  })
  const look = async (): Promise<void> => {
    try {
      await runDueJobs(db, jobs, clock, onError, signal)
    } catch (error) {
      // The database is away: the next look finds it back
      onError(error, 'looking for jobs')
    }
    if (signal.aborted) return
    timer = setTimeout(() => {
      running = look()
    }, LOOK_INTERVAL_MS)
    timer.unref()
  }
  running = look()
  return { ended }
}

/** Runs every job that is due, one after the other. */
export async function runDueJobs(
  db: Database,
  jobs: readonly Job[],
  clock: Clock,
  onError: (error: unknown, job: string) => void = () => {},
  signal = new AbortController().signal,
): Promise<void> {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const now = clock.now()
  await db.run(sql`
    insert into jobs (name, next_at) select name, ${now} from unnest(${[...byName.keys()]}::text[]) as job (name)
    on conflict do nothing`)
  for (const job of jobs) {
    if (signal.aborted) return
    const startedAt = clock.now()
    if (!(await take(db, job, startedAt))) continue
    try {
      const result = await job.run(startedAt, signal)
      await db.run(sql`
        update jobs set finished_at = ${clock.now()}, failures = 0, error = null, result = ${JSON.stringify(result ?? null)}::jsonb
         where name = ${job.name}`)
    } catch (error) {
      if (signal.aborted) {
        // It has not failed: whoever starts next does it anew
        await db.run(sql`update jobs set next_at = ${startedAt} where name = ${job.name}`)
        return
      }
      onError(error, job.name)
      const message = error instanceof Error ? error.message : String(error)
      await db.run(sql`
        update jobs set finished_at = ${clock.now()}, failures = failures + 1, error = ${message.slice(0, ERROR_LENGTH_MAX)}
         where name = ${job.name}`)
    }
  }
}

async function take(db: Database, job: Job, now: Date): Promise<boolean> {
  const taken = await db.run(sql`
    update jobs set started_at = ${now}, next_at = ${job.nextAfter(now)}
     where name = (select name from jobs where name = ${job.name} and next_at <= ${now} for update skip locked)`)
  return taken === 1
}

const StateRow = z.object({
  name: z.string(),
  nextAt: z.date(),
  startedAt: z.nullable(z.date()),
  finishedAt: z.nullable(z.date()),
  failures: z.number(),
  error: z.nullable(z.string()),
  result: z.unknown(),
})

export function readJobs(db: Queries): Promise<JobState[]> {
  return db.rows(
    StateRow,
    sql`
    select name, next_at as "nextAt", started_at as "startedAt", finished_at as "finishedAt", failures, error, result
      from jobs order by name`,
  )
}

/** Whether a job fails again and again, or is not taken by anyone. */
export function isStuck(job: Pick<JobState, 'failures' | 'nextAt'>, now: Date): boolean {
  return job.failures >= FAILURES_MAX || now.getTime() - job.nextAt.getTime() > OVERDUE_MS
}
