/**
 * Runs work by the clock, shared by all nodes. Each job is a row, which the first node that finds it due takes with
 * `for update skip locked`. Taking it moves its next time on, so no lock is held while it runs. A node that dies in the
 * middle loses one turn. So jobs must be safe to run twice.
 */
import * as z from 'zod/mini'
import { awakeForMs, noticePauses } from './awake.ts'
import { AHEAD_MAX_MS, type Clock } from './clock.ts'
import { sql, type Database, type Queries } from './database/database.ts'

export interface Job {
  name: string
  /** Returns the first moment after `now` when it is due again. */
  nextAfter(now: Date): Date
  /**
   * @param signal aborts when the store stops. Long work ends then, if need be with an error
   * @returns a result to keep, as JSON
   */
  run(now: Date, signal: AbortSignal): Promise<unknown>
}

/** This many rows are deleted in far less than the statement timeout. */
export const FORGOTTEN_AT_ONCE = 5_000

/** Erases in steps of that many, each of which commits. @returns the number of rows */
export async function inSteps(signal: AbortSignal, forgetSome: () => Promise<number>): Promise<number> {
  for (let forgotten = 0; ;) {
    const rows = await forgetSome()
    forgotten += rows
    if (rows < FORGOTTEN_AT_ONCE || signal.aborted) return forgotten
  }
}

const LOOK_INTERVAL_MS = 5_000
const ERROR_LENGTH_MAX = 500
/** A job is stuck if it is overdue for this long, or has failed this often in a row. */
const OVERDUE_MS = 15 * 60_000
const FAILURES_MAX = 3

interface RunnerOptions {
  clock: Clock
  signal: AbortSignal
  onError(error: unknown, job: string): void
}

/** Looks for due jobs every few seconds until `signal` aborts. @returns `ended` resolves when none runs any more */
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
      // The database may be away. The next look tries again
      onError(error, 'looking for jobs')
    }
    if (signal.aborted) return
    timer = setTimeout(() => {
      running = look()
    }, LOOK_INTERVAL_MS)
    timer.unref()
  }
  noticePauses(clock, signal)
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
        update jobs set finished_at = ${clock.now()}, failures = 0, error = null,
                        result = ${JSON.stringify(result ?? null)}::jsonb
         where name = ${job.name}`)
    } catch (error) {
      if (signal.aborted) {
        // The job has not failed. The next start runs it again
        await db.run(sql`update jobs set next_at = ${startedAt} where name = ${job.name}`)
        return
      }
      onError(error, job.name)
      const message = error instanceof Error ? error.message : String(error)
      await db.run(sql`
        update jobs set finished_at = ${clock.now()}, failures = failures + 1,
                        error = ${message.slice(0, ERROR_LENGTH_MAX)}
         where name = ${job.name}`)
    }
  }
}

/** What a clock that was ahead has put off is due, or its next turn would come when that time does. */
async function take(db: Database, job: Job, now: Date): Promise<boolean> {
  const latest = job.nextAfter(new Date(now.getTime() + AHEAD_MAX_MS))
  const taken = await db.run(sql`
    update jobs set started_at = ${now}, next_at = ${job.nextAfter(now)}
     where name = (select name from jobs where name = ${job.name} and (next_at <= ${now} or next_at > ${latest})
                      for update skip locked)`)
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
export type JobState = z.output<typeof StateRow>

export function readJobs(db: Queries): Promise<JobState[]> {
  return db.rows(sql(StateRow)`
    select name, next_at, started_at, finished_at, failures, error, result
      from jobs order by name`)
}

/**
 * True if a job fails again and again, or no node takes it.
 * @param awakeMs how long the store has run. What became due before has not had its turn yet
 */
export function isStuck(job: Pick<JobState, 'failures' | 'nextAt'>, now: Date, awakeMs = awakeForMs()): boolean {
  return job.failures >= FAILURES_MAX || Math.min(now.getTime() - job.nextAt.getTime(), awakeMs) > OVERDUE_MS
}

/** Long enough awake to have taken every job that was due. */
export const hasCaughtUp = (): boolean => awakeForMs() > OVERDUE_MS
