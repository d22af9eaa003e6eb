/** Sends live updates: one server-sent event stream for each open page. */
import type { Events } from '../platform/events.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { Hub } from './hub.ts'

/** One hub for each store, because tests make stores of their own. Made with the first stream. */
const hubs = new WeakMap<Events, Hub>()

/** Counts the open streams of this node. */
export function countStreams(events: Events): number {
  return hubs.get(events)?.count() ?? 0
}

/**
 * Answers with the caller's event stream, which stays open until the caller goes, the session ends or the store closes.
 * It does not keep the session alive.
 * @throws Refusal RATE_LIMITED for too many streams of one session, SERVICE_UNAVAILABLE when the store closes
 */
export function streamEvents(services: Services, call: Pick<Call, 'user' | 'admin' | 'takeOver'>): void {
  let hub = hubs.get(services.events)
  if (!hub) {
    hub = new Hub(services)
    hubs.set(services.events, hub)
  }
  hub.open(call)
}
