/**
 * Fills the shelves, on every node: looks at suppliers, orders what is missing, asks for what was ordered, and
 * compares. A supplier that hangs delays only its own.
 */
import { SECOND_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'
import { ask } from './ask.ts'
import { compare, takeCompares } from './compare.ts'
import { endHopeless, keepOffers, orderWhatIsMissing } from './demand.ts'
import { serveFromShelf } from './serve-shelf.ts'
import type { Supplying } from './supplying.ts'
import { takeOrders } from './take-orders.ts'
import { lookAt, takeLooks } from './watch.ts'

const LOOK_INTERVAL_MS = 5 * SECOND_MS
/** Calls of one node at a time. */
const AT_ONCE = 8
/** For all calls of one look or comparison. Its next turn comes after a minute, so a supplier has one of each. */
const VISIT_MS = 50 * SECOND_MS

/** One round of work. @returns what was begun */
async function look(supplying: Supplying, room: number, onError: (error: unknown) => void): Promise<Promise<void>[]> {
  const { db, hooks, clock } = supplying
  if (!(await db.holds(sql`select exists (select from supply_links)`))) return []
  await serveFromShelf(supplying, hooks, clock.now())
  await orderWhatIsMissing(db, clock.now())
  await keepOffers(db, clock.now())
  await endHopeless(db, clock.now())
  const orders = room > 0 ? await takeOrders(supplying, room, clock.now()) : []
  const links = room > orders.length ? await takeLooks(db, room - orders.length, clock.now()) : []
  const left = room - orders.length - links.length
  const compares = left > 0 ? await takeCompares(db, left, clock.now()) : []
  const visit = () => ({ ...supplying, ended: AbortSignal.any([supplying.ended, AbortSignal.timeout(VISIT_MS)]) })
  // What fails here is tried again, when its lease has run out or at the next look
  return [
    ...orders.map((order) => ask(supplying, order).catch(onError)),
    ...links.map((link) => lookAt(visit(), link).catch(onError)),
    ...compares.map((link) => compare(visit(), link).catch(onError)),
  ]
}

/** Works until the store ends. @returns resolves when nothing is under way any more */
export async function startSupply(supplying: Supplying, onError: (error: unknown) => void): Promise<void> {
  const { events, ended: signal } = supplying
  const running = new Set<Promise<void>>()
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  const stopListening = events.subscribe(({ name }) => name === 'wanted' && wake())
  while (!signal.aborted) {
    const woken = new Promise<void>((resolve) => (wake = resolve))
    // The database may be away. The next look tries again
    const begun = await look(supplying, AT_ONCE - running.size, onError).catch((error: unknown): Promise<void>[] => {
      onError(error)
      return []
    })
    for (const each of begun) {
      running.add(each)
      void each.then(() => running.delete(each))
    }
    const timer = setTimeout(wake, LOOK_INTERVAL_MS).unref()
    await Promise.race([woken, ...(begun.length > 0 ? [Promise.all(begun)] : [])])
    clearTimeout(timer)
  }
  stopListening()
  await Promise.all(running)
}

/** Does all that is due now. */
export async function supplyNow(supplying: Supplying): Promise<void> {
  const errors: unknown[] = []
  for (;;) {
    const begun = await look(supplying, AT_ONCE, (error) => errors.push(error))
    await Promise.all(begun)
    if (errors.length > 0) throw errors[0]
    if (begun.length === 0) return
  }
}
