/** Figures of the store: the number of listeners, and the state of its books, the same at every node. */
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { countStreams } from '../live/events-route.ts'
import { VERSION } from './health.ts'
import { readHealthReport } from './health-report.ts'

const MS_PER_S = 1_000

export function measureStore({ metrics, db, clock, events }: Services): void {
  metrics.gauge('chaabi_event_streams', 'Pages that listen to this node', () => countStreams(events))
  metrics.gauge('chaabi_build_info', 'The version of the store and of Node', () => [
    { labels: { version: VERSION, node: process.versions.node }, value: 1 },
  ])
  metrics.gauge('chaabi_topups_waiting', 'Top-ups that nobody has decided', () =>
    db.count(sql`select count(*) from topup_requests where status = 'pending'`),
  )
  metrics.gauge('chaabi_topup_waiting_seconds', 'How long the oldest of them has waited', () =>
    db.count(sql`
      select coalesce(extract(epoch from ${clock.now()} - min(created_at)), 0)::bigint
        from topup_requests where status = 'pending'`),
  )
  metrics.gauge('chaabi_outbox_waiting', 'Messages that are due and not sent, by each way', () =>
    db.count(sql`
      select (select count(*) from outbox_messages where spread_at is null and not_before <= ${clock.now()})
           + (select count(*) from outbox_deliveries where state = 'waiting' and next_at <= ${clock.now()})`),
  )
  metrics.gauge('chaabi_database_start_timestamp_seconds', 'When the database was started last', () =>
    db.count(sql`select extract(epoch from pg_postmaster_start_time())::bigint`),
  )
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
