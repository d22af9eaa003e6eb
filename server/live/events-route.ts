/** Sends live updates: one server-sent event stream for each open page. */
import type { Events } from '../platform/events.ts'
import type { Services } from '../platform/services.ts'
import { Hub } from './hub.ts'

/** One hub for each store, because tests make stores of their own. */
const hubs = new WeakMap<Events, Hub>()

/** Counts the open streams of this node. */
export function countStreams(events: Events): number {
  return hubs.get(events)?.count() ?? 0
}

/** Made before the first page comes, because a page gets what happened since it was served. */
export function hubOf(services: Services): Hub {
  let hub = hubs.get(services.events)
  if (!hub) {
    hub = new Hub(services)
    hubs.set(services.events, hub)
  }
  return hub
}
