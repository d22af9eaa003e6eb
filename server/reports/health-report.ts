import * as z from 'zod/mini'
import { reports } from '../../contract/reports.ts'
import { withCommands } from '../platform/command-words.ts'
import { msSince } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { hasCaughtUp, isStuck, readJobs, type JobState } from '../platform/jobs.ts'

const Values = z.record(z.string(), z.union([z.string(), z.number()]))
/** Faults of the books, in words, worst first. `says` has the text and the values of those with values. */
const Examination = z.object({
  broken: z.array(z.string()),
  warnings: z.array(z.string()),
  says: z.optional(z.record(z.string(), z.tuple([z.string(), Values]))),
  /** What to do on the server. */
  hows: z.optional(z.record(z.string(), z.tuple([z.string(), Values]))),
  /** Of the invariants that are broken. */
  marks: z.optional(z.array(z.string())),
})
export type Examination = z.output<typeof Examination>
const NOTHING: Examination = { broken: [], warnings: [] }
type HealthReport = z.output<typeof reports.healthReport.output>

/** The nightly job that checks the books and the settings that protect them. */
export const CHECK_JOB = 'check-books'
/** The check runs each night. After two nights without it, its result no longer counts. */
const CHECK_AGE_MS_MAX = 2 * 24 * 3_600_000

/**
 * Returns the results of the last nightly check, its age, and the state of the jobs.
 * @param noticed since; it comes first
 */
export async function readHealthReport(db: Database, now: Date, noticed = NOTHING): Promise<HealthReport> {
  const states = await readJobs(db)
  const check = states.find((job) => job.name === CHECK_JOB)
  const checked = z.safeParse(Examination, check?.result)
  const { broken, warnings, says = {}, hows = {} } = bothOf(noticed, checked.data)
  const jobs = states.map((job) => ({ ...job, stuck: isStuck(job, now) }))
  const isOld = check !== undefined && hasCaughtUp() && isTooOld(check, now)
  return z.decode(reports.healthReport.output, {
    ok: broken.length === 0 && !isOld && !jobs.some((job) => job.stuck),
    checkedAt: checked.success ? (check?.finishedAt ?? null) : null,
    isOld,
    broken: unique(broken),
    warnings: unique(warnings),
    says: saidBy(says),
    hows: saidBy(hows),
    jobs,
    doctor: withCommands('npm run doctor'),
  })
}

/** Returns the faults of both, those of the first one first. */
export const bothOf = (one: Examination = NOTHING, other: Examination = NOTHING): Examination => ({
  broken: [...one.broken, ...other.broken],
  warnings: [...one.warnings, ...other.warnings],
  says: { ...other.says, ...one.says },
  hows: { ...other.hows, ...one.hows },
})

const saidBy = (texts: NonNullable<Examination['says']>) =>
  Object.fromEntries(
    Object.entries(texts).map(([text, [id, values]]) => {
      const own = Object.entries(values).map(([name, value]) => [name, withCommands(String(value))])
      return [withCommands(text), { text: id, values: Object.fromEntries(own) as Record<string, string> }]
    }),
  )

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].map((text) => withCommands(text))

/** True for an old check. One that never finished is as old as its first turn. */
function isTooOld({ failures, finishedAt, startedAt, nextAt }: JobState, now: Date): boolean {
  return failures > 1 || msSince(finishedAt ?? startedAt ?? nextAt, now) > CHECK_AGE_MS_MAX
}

/** Marks a text for the person who looks after the server, which may name commands and files. */
export const how = (text: string, values: z.output<typeof Values> = {}): [string, z.output<typeof Values>] => [
  text,
  values,
]

/** @param address of the proxy, as TRUST_PROXY takes it */
export function untrustedProxy(address: string): Examination {
  const text = 'All visitors share one rate limit, so one visitor’s mistakes can lock out everybody.'
  const setting = `TRUST_PROXY=${address.replace(/^::ffff:/, '')}`
  const way = how('A proxy on this machine passes visitors on. Set {setting} and restart the store.', { setting })
  return { broken: [text], warnings: [], says: { [text]: [text, {}] }, hows: { [text]: way } }
}
