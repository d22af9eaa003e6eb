/** The services that features use. Each `…Routes` function gets them. */
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { Events } from './events.ts'
import type { Metrics } from './watching/metrics.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Sealer } from './secrets/sealing.ts'

export interface Services {
  db: Database
  clock: Clock
  sealer: Sealer
  events: Events
  metrics: Metrics
  limits: RateLimits
  /** The folder of the built-in database. */
  ownDisk?: string | undefined
  /** Aborts when the store closes, to end endless work. */
  ended: AbortSignal
}
