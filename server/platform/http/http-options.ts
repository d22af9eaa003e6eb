import type { Logger } from 'pino'
import type { Endpoints } from '../../../contract/endpoint.ts'
import type { RefusalCode } from '../../../contract/errors.ts'
import type { LimitName } from '../../../contract/rate-limits.ts'
import type { Clock } from '../clock.ts'
import type { CachedReads, SnapshotCache } from '../database/snapshot-cache.ts'
import type { Authenticated, CallingDevice, CallingToken } from './call.ts'
import type { Cookies } from './cookies.ts'

/** A program's token, and where it was shown. */
export interface ShownToken {
  token: string
  now: Date
  address: string
  /** Absent for a change, because a kept row takes one more question. */
  cached: CachedReads | undefined
}

export interface HttpOptions {
  /** Endpoints by feature; `handlers` has the same shape. */
  api: Record<string, Endpoints>
  handlers: Record<string, Record<string, unknown>>
  clock: Clock
  log: Logger
  cache: SnapshotCache
  /** @param active true if a person did something, which keeps the session alive */
  authenticate(cookies: Cookies, now: Date, active: boolean, cached?: CachedReads): Promise<Authenticated>
  /** Returns the phone that shows this token. Without it no phone may call. */
  findDevice?(token: string): Promise<CallingDevice | null>
  /**
   * Returns what a reseller's token may do now, for a caller at this address. Without it no token works. One that is
   * unknown, ended or out of place gives null, after the same work.
   */
  findToken?(shown: ShownToken): Promise<CallingToken | null>
  /**
   * Counts a call.
   * @returns `settle`, to call with the outcome, because some limits count only some outcomes; and `isKnown`, which is
   *   true if the account was logged in before in this browser
   * @throws Refusal RATE_LIMITED
   */
  limit(
    name: LimitName,
    who: { address: string; account: string | undefined; cookies: Pick<Cookies, 'all'> },
  ): Promise<{ settle: (failure: RefusalCode | undefined) => Promise<void>; isKnown: boolean }>
  /** True behind HTTPS. Cookies are then Secure and have the __Host- prefix, as when a trusted proxy says https. */
  secure: boolean
  /** The origin that browsers see, if it differs from the Host header. */
  publicOrigin?: string | undefined
  trustProxy: string[] | boolean
  /** The operator's token; undefined if only this machine may ask for metrics. */
  metricsToken?: string | undefined
  /** Is called for a request that a proxy on this machine passes on, while no proxy is trusted. */
  onUntrustedProxy?(address: string): void
  /** Is called for every request after its answer. */
  onAnswered?(request: { method: string; route: string; status: number; tookMs: number }): void
  /** True in tests. An answer that breaks the contract, or an undeclared refusal, is then a 500. */
  strict: boolean
}
