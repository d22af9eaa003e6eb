/**
 * Takes in purchases. While one transaction runs, arriving purchases gather and share the next one. Under load they
 * split the cost of a commit, and without load nobody waits.
 *
 * One order never harms its neighbours. If another transaction holds a buyer's wallet or keys, the order is served
 * in isolation, in a transaction that waits for them. If a transaction fails, each of its orders is tried alone, so
 * that only the faulty one fails. All get an answer in time, even when the database doesn't respond.
 */
import { Refusal } from '../../contract/errors.ts'
import { anyShard, SHARDS } from '../keys/stock-counters.ts'
import type { StockFloors } from '../keys/take-keys.ts'
import { wasRolledBack, type Database } from '../platform/database/database.ts'
import { overloaded } from '../platform/overload.ts'
import type { Services } from '../platform/services.ts'
import type { Wanted } from './decide-orders.ts'
import { placeOrders, type PlaceOptions, type PlaceOutcome } from './place-orders.ts'

interface Waiting {
  wanted: Wanted
  now: Date
  isAnswered: boolean
  /** True after a failed transaction, which this order may have caused. */
  isSuspect: boolean
  timesContended: number
  resolve(outcome: PlaceOutcome): void
  reject(error: Error): void
}

type How = Pick<PlaceOptions, 'shard' | 'wait' | 'floors'>

export interface OrderBatcher {
  /** Purchases that wait for a transaction. */
  readonly waiting: number
  /**
   * @returns the outcome once it is committed; never 'contended'
   * @throws Refusal SERVICE_UNAVAILABLE when there is none in time. The order may still have been placed; a repeat
   *   with its Idempotency-Key tells.
   */
  place(wanted: Wanted, now: Date): Promise<Exclude<PlaceOutcome, 'contended'>>
}

/**
 * Shared transactions at once. Each has its own stock counter shard, as the isolated ones do. The second serves
 * when the first is full or held up, because two half-full ones cost the engine half as much again
 * (docs/decisions/0016).
 */
const WRITERS = 2
const HELD_UP_MS = 15
const WRITERS_ISOLATED = 4
const ORDERS_PER_TRANSACTION_MAX = 64
/** A longer queue would outlast a buyer's patience, so a purchase beyond it gets "busy" right away. */
const QUEUE_MAX = 2_000
const CONTENDED_TIMES_MAX = 20
/** Leaves time for the network, because a buyer gets an answer within three seconds. */
const ANSWER_MS_MAX = 2_500
/** Shorter than the answer's time, so that an order that waited for a lock in vain has surely bought nothing. */
const LOCK_MS_MAX = 2_000

/** @param answerMsMax how long an order may wait for its answer, in ms */
export function openOrderBatcher(
  { db }: Pick<Services, 'db'>,
  { answerMsMax = ANSWER_MS_MAX }: { answerMsMax?: number } = {},
): OrderBatcher {
  const queue: Waiting[] = []
  const isolated: Waiting[] = []
  /** Buyers with a running transaction of this batcher. A second one could only wait for the first. */
  const busyBuyers = new Set<string>()
  const floors: StockFloors = new Map()
  let soon: NodeJS.Immediate | undefined
  /** Running shared transactions that take long. */
  let heldUp = 0
  const firstShard = anyShard()
  const shards = Array.from({ length: WRITERS + WRITERS_ISOLATED }, (_, index) => (firstShard + index) % SHARDS)
  const shared = { idle: shards.slice(0, WRITERS), from: queue, isIsolated: false }
  const beside = { idle: shards.slice(WRITERS), from: isolated, isIsolated: true }

  /** Gathers orders that arrive in one turn of the event loop, even without load. */
  function dispatchSoon(): void {
    soon ??= setImmediate(() => {
      soon = undefined
      dispatch()
    })
  }

  function dispatch(): void {
    for (const { idle, from, isIsolated } of [shared, beside]) {
      while (idle.length > 0) {
        if (!isIsolated && !needsAnother()) break
        const batch = take(from, busyBuyers, isIsolated)
        const shard = batch.length > 0 ? idle.pop() : undefined
        if (shard === undefined) break
        for (const { wanted } of batch) busyBuyers.add(wanted.buyerId)
        const released = isIsolated ? () => {} : watchShared()
        void serve(db, batch, isolated, { shard, floors, wait: isIsolated }).finally(() => {
          released()
          for (const { wanted } of batch) busyBuyers.delete(wanted.buyerId)
          idle.push(shard)
          dispatchSoon()
        })
      }
    }
  }

  /** True if orders need another shared transaction: there is none, all take long, or the next would be full. */
  function needsAnother(): boolean {
    return queue.length >= ORDERS_PER_TRANSACTION_MAX || heldUp >= WRITERS - shared.idle.length
  }

  /** @returns a function to call when the transaction has ended */
  function watchShared(): () => void {
    let isHeldUp = false
    const timer = setTimeout(() => {
      isHeldUp = true
      heldUp++
      dispatchSoon()
    }, HELD_UP_MS)
    return () => {
      clearTimeout(timer)
      if (isHeldUp) heldUp--
    }
  }

  return {
    get waiting() {
      return queue.length + isolated.length
    },
    place(wanted, now) {
      if (queue.length + isolated.length >= QUEUE_MAX)
        return Promise.reject(overloaded('too many purchases wait', 1_000))
      return answerInTime(wanted, now, answerMsMax, (waiting) => {
        queue.push(waiting)
        dispatchSoon()
      })
    },
  }
}

/** Hands a purchase to `enqueue` and waits for its answer, at most `answerMsMax`. */
function answerInTime(
  wanted: Wanted,
  now: Date,
  answerMsMax: number,
  enqueue: (waiting: Waiting) => void,
): Promise<Exclude<PlaceOutcome, 'contended'>> {
  return new Promise((resolve, reject) => {
    const answer = (settle: () => void) => {
      clearTimeout(timer)
      waiting.isAnswered = true
      settle()
    }
    const waiting: Waiting = {
      wanted,
      now,
      isAnswered: false,
      isSuspect: false,
      timesContended: 0,
      resolve: (outcome) => answer(() => resolve(outcome as Exclude<PlaceOutcome, 'contended'>)),
      reject: (error) => answer(() => reject(error)),
    }
    const timer = setTimeout(() => waiting.reject(busy()), answerMsMax)
    enqueue(waiting)
  })
}

/** Takes the first orders still due an answer whose buyers are not busy; if isolated, those of one buyer. */
function take(from: Waiting[], busyBuyers: ReadonlySet<string>, isIsolated: boolean): Waiting[] {
  const batch: Waiting[] = []
  const left: Waiting[] = []
  for (const waiting of from) {
    const [first] = batch
    const fits =
      batch.length < ORDERS_PER_TRANSACTION_MAX &&
      !busyBuyers.has(waiting.wanted.buyerId) &&
      (!first || !isIsolated || (sameBuyer(first, waiting) && !first.isSuspect && !waiting.isSuspect))
    if (fits && !waiting.isAnswered) batch.push(waiting)
    else if (!waiting.isAnswered) left.push(waiting)
  }
  from.splice(0, from.length, ...left)
  return batch
}

/**
 * Settles a batch, or moves its orders to `isolated` to be served again. With `wait` it waits for rows that others
 * hold. Keys are locked in order of arrival, so waiting transactions can't block each other.
 */
async function serve(db: Database, batch: readonly Waiting[], isolated: Waiting[], how: How): Promise<void> {
  try {
    const outcomes = await transact(db, batch, how)
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome !== undefined && outcome !== 'contended') waiting.resolve(outcome)
      else if (++waiting.timesContended > CONTENDED_TIMES_MAX) waiting.reject(busy())
      else isolated.push(waiting)
    }
  } catch (error) {
    // Tries again only after a sure rollback, because after a connection lost at the commit a repeat could buy
    // twice
    const triedAgain = batch.length > 1 && wasRolledBack(error)
    for (const waiting of batch) {
      waiting.isSuspect = true
      if (triedAgain) isolated.push(waiting)
      else waiting.reject(error as Error)
    }
  }
}

async function transact(db: Database, batch: readonly Waiting[], how: How): Promise<PlaceOutcome[]> {
  // Takes the callers' latest moment, so that no purchase is decided by a time before its own
  const now = new Date(Math.max(...batch.map((waiting) => waiting.now.getTime())))
  const outcomes = await db.transaction(
    (tx) =>
      placeOrders(
        tx,
        batch.map((waiting) => waiting.wanted),
        { now, ...how },
      ),
    { lockTimeoutMs: LOCK_MS_MAX, readsFirst: true, onePlan: true },
  )
  for (const outcome of outcomes)
    if (typeof outcome === 'object' && 'keys' in outcome && outcome.keys[0])
      how.floors.set(outcome.offer.priceId, outcome.keys[0].seq)
  return outcomes
}

const sameBuyer = (one: Waiting, other: Waiting) => one.wanted.buyerId === other.wanted.buyerId

function busy(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 })
}
