import * as z from 'zod/mini'
import type { reports } from '../../contract/reports.ts'
import type { Database } from '../platform/database/database.ts'
import { isStuck, readJobs, type JobState } from '../platform/jobs.ts'

/** What is not in order, in words, worst first. */
const Examination = z.object({ broken: z.array(z.string()), warnings: z.array(z.string()) })
export type Examination = z.output<typeof Examination>
type HealthReport = z.output<typeof reports.healthReport.output>

/** The job that looks at the books and at what keeps them in order. */
export const CHECK_JOB = 'check-books'
/** It is done each night: after two without it nobody knows any more. */
const CHECK_AGE_MS_MAX = 2 * 24 * 3_600_000

/**
 * What the last nightly check found, whether it was done of late, and whether the jobs are done.
 * @param faults what was noticed since; comes first
 */
export async function readHealthReport(db: Database, now: Date, faults: readonly string[] = []): Promise<HealthReport> {
  const states = await readJobs(db)
  const check = states.find((job) => job.name === CHECK_JOB)
  const checked = z.safeParse(Examination, check?.result)
  const { broken: found, warnings } = checked.success ? checked.data : { broken: [], warnings: [] }
  const broken = [...faults, ...found]
  const checkedAt = checked.success ? (check?.finishedAt ?? null) : null
  const jobs = states.map((job) => ({
    name: job.name,
    nextAt: job.nextAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
    failures: job.failures,
    error: job.error,
    stuck: isStuck(job, now),
  }))
  const isOld = check !== undefined && isTooOld(check, now)
  return {
    ok: broken.length === 0 && !isOld && !jobs.some((job) => job.stuck),
    checkedAt: checkedAt?.toISOString() ?? null,
    isOld,
    broken,
    warnings,
    jobs,
  }
}

/** A check that was never done to its end is as old as its first turn. */
function isTooOld({ failures, finishedAt, startedAt, nextAt }: JobState, now: Date): boolean {
  return failures > 1 || now.getTime() - (finishedAt ?? startedAt ?? nextAt).getTime() > CHECK_AGE_MS_MAX
}

/** @param address of the proxy, as TRUST_PROXY takes it */
export const untrustedProxy = (address: string): string =>
  'A proxy on this machine passes visitors on, but TRUST_PROXY is not set. They all share one rate limit, so one ' +
  `visitor’s mistakes can lock out everybody. Set TRUST_PROXY=${address.replace(/^::ffff:/, '')} and restart the store.`
