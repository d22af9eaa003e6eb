/** Figures of the store: the number of listeners, and the state of its books, the same at every node. */
import type { Services } from '../platform/services.ts'
import { countStreams } from '../live/events-route.ts'
import { readHealthReport } from './health-report.ts'

const MS_PER_S = 1_000

export function measureStore({ metrics, db, clock, events }: Services): void {
  metrics.gauge('chaabi_event_streams', 'Pages that listen to this node', () => countStreams(events))
  const report = () => readHealthReport(db, clock.now())
  metrics.gauge('chaabi_store_healthy', 'Whether the last nightly check found everything in order', async () =>
    (await report()).ok ? 1 : 0,
  )
  metrics.gauge('chaabi_store_checked_timestamp_seconds', 'When the store was last checked', async () => {
    const { checkedAt } = await report()
    return checkedAt === null ? undefined : Date.parse(checkedAt) / MS_PER_S
  })
  metrics.gauge(
    'chaabi_invariants_broken',
    'Invariants that the last nightly check found broken',
    async () => (await report()).broken.length,
  )
  metrics.gauge(
    'chaabi_jobs_stuck',
    'Jobs that fail again and again, or that nobody takes',
    async () => (await report()).jobs.filter((job) => job.stuck).length,
  )
}
