/** Measures the process itself: its memory, its event loop, and what it waits for at the database. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { warnSparsely } from './log.ts'
import type { Metrics } from './metrics.ts'

const RESOLUTION_MS = 20
const PER_SECOND = 1e9

/** @param signal ends the measuring */
export function measureProcess(metrics: Metrics, db: Database, log: Logger, signal: AbortSignal): void {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  loop.enable()
  signal.addEventListener('abort', () => loop.disable())
  metrics.gauge('chaabi_event_loop_delay_seconds', 'Delay of the event loop since it was last asked for', () => {
    const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / PER_SECOND : 0)
    const reading = [
      // The label `quantile` is for summaries only
      ...[50, 99].map((share) => ({ labels: { stat: `p${share}` }, value: seconds(loop.percentile(share)) })),
      { labels: { stat: 'max' }, value: seconds(loop.max) },
    ]
    loop.reset()
    return reading
  })
  metrics.gauge('chaabi_memory_bytes', 'Memory of the process', () => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    return Object.entries({ resident: rss, heap_used: heapUsed, heap_total: heapTotal, external }).map(
      ([kind, value]) => ({ labels: { kind }, value }),
    )
  })
  metrics.gauge('chaabi_uptime_seconds', 'Since the process began', () => process.uptime())
  metrics.gauge('chaabi_database_connections', 'Connections of the pool, and callers who wait for one', () => {
    const { inUse, idle, waiting } = db.connections()
    return Object.entries({ in_use: inUse, idle, waiting }).map(([state, value]) => ({ labels: { state }, value }))
  })
  metrics.gauge('chaabi_database_silent', 'Whether the database says nothing at all', () =>
    db.connections().isSilent ? 1 : 0,
  )
  measureStatements(metrics, db, log, signal)
}

/** Counts statements that were slow, and logs their texts, which hold no values. */
function measureStatements(metrics: Metrics, db: Database, log: Logger, signal: AbortSignal): void {
  const count = metrics.counter('chaabi_slow_statements_total', 'Statements that took half a second or more').of({})
  const tell = warnSparsely('info')
  db.onSlow(({ text, ms }) => {
    count()
    tell(log, { ms: Math.round(ms) }, `slow statement: ${text.replaceAll(/\s+/g, ' ').trim()}`)
  }, signal)
}
