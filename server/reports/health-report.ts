import * as z from 'zod/mini'
import type { reports } from '../../contract/reports.ts'
import type { Database } from '../platform/database.ts'
import { isStuck, readJobs } from '../platform/jobs.ts'

const Checked = z.object({ broken: z.array(z.object({ invariant: z.string(), rows: z.array(z.string()) })) })
type HealthReport = z.output<typeof reports.healthReport.output>

/** The job that checks the invariants. */
const CHECK_JOB = 'check-books'

/** What the last nightly check found, and whether the jobs are done. */
export async function readHealthReport(db: Database, now: Date): Promise<HealthReport> {
  const states = await readJobs(db)
  const check = states.find((job) => job.name === CHECK_JOB)
  const checked = z.safeParse(Checked, check?.result)
  const broken = checked.success ? checked.data.broken : []
  const jobs = states.map((job) => ({
    name: job.name,
    nextAt: job.nextAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
    failures: job.failures,
    error: job.error,
    stuck: isStuck(job, now),
  }))
  return {
    ok: broken.length === 0 && !jobs.some((job) => job.stuck),
    checkedAt: checked.success ? (check?.finishedAt?.toISOString() ?? null) : null,
    broken,
    jobs,
  }
}
