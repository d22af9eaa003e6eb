/**
 * Where purchases come in. While one transaction is on its way, the purchases that arrive gather and share
 * the next one: under load the cost of a commit is split among them, and without load nobody waits.
 *
 * One order never harms its neighbours. A buyer whose wallet or keys somebody else holds is served in isolation, in a
 * transaction that waits for them beside the shared ones; and of a transaction that failed, each order is tried by
 * itself, so that only the guilty one fails. All are answered in time, also when the database does not answer.
 */
import { Refusal } from '../../contract/errors.ts'
import { anyShard, SHARDS } from '../keys/stock-counters.ts'
import type { StockFloors } from '../keys/take-keys.ts'
import { wasRolledBack } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import type { Wanted } from './decide-orders.ts'
import { placeOrders, type PlaceOptions, type PlaceOutcome } from './place-orders.ts'

interface Waiting {
  wanted: Wanted
  now: Date
  isAnswered: boolean
  /** Was in a transaction that failed: perhaps because of this very order. */
  isSuspect: boolean
  timesContended: number
  resolve(outcome: PlaceOutcome): void
  reject(error: Error): void
}

export interface OrderBatcher {
  /** Purchases that wait for a transaction. */
  readonly waiting: number
  /**
   * @returns the outcome once it is committed; never 'contended'
   * @throws Refusal SERVICE_UNAVAILABLE when there is none in time. The order may have been placed all the same:
   *   asking again with its Idempotency-Key tells.
   */
  place(wanted: Wanted, now: Date): Promise<Exclude<PlaceOutcome, 'contended'>>
}

/**
 * Shared transactions at once; each has a stock counter shard of its own, and so have the isolated ones. The second is for what one
 * cannot carry, or when it is held up: half as many orders in each of two cost the engine a half more (docs/decisions/0016).
 */
const WRITERS = 2
const HELD_UP_MS = 15
const WRITERS_ISOLATED = 4
const ORDERS_PER_TRANSACTION_MAX = 64
/** Beyond this, waiting would outlast a buyer's patience: better to say "busy" at once. */
const QUEUE_MAX = 2_000
const CONTENDED_TIMES_MAX = 20
/** A buyer is told something within three seconds, the way here and back included. */
const ANSWER_MS_MAX = 2_500
/** Shorter, so that who waits for a lock in vain is told before that time, and has certainly bought nothing. */
const LOCK_MS_MAX = 2_000

/** @param answerMsMax how long an order may wait for its answer; milliseconds */
export function openOrderBatcher(
  { db }: Pick<Services, 'db'>,
  { answerMsMax = ANSWER_MS_MAX }: { answerMsMax?: number } = {},
): OrderBatcher {
  const queue: Waiting[] = []
  const isolated: Waiting[] = []
  /** Buyers with a transaction of this batcher under way: a second one could only wait for the first. */
  const busyBuyers = new Set<string>()
  const floors: StockFloors = new Map()
  let soon: NodeJS.Immediate | undefined
  /** Shared transactions under way that take long. */
  let heldUp = 0
  const firstShard = anyShard()
  const shards = Array.from({ length: WRITERS + WRITERS_ISOLATED }, (_, index) => (firstShard + index) % SHARDS)
  const shared = { idle: shards.slice(0, WRITERS), from: queue, isIsolated: false }
  const beside = { idle: shards.slice(WRITERS), from: isolated, isIsolated: true }

  /** Orders that arrive in one turn of the event loop go together, also when nobody is busy. */
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
        const batch = take(from, isIsolated)
        const shard = batch.length > 0 ? idle.pop() : undefined
        if (shard === undefined) break
        for (const { wanted } of batch) busyBuyers.add(wanted.buyerId)
        const released = isIsolated ? () => {} : watchShared()
        void serve(batch, shard, isIsolated).finally(() => {
          released()
          for (const { wanted } of batch) busyBuyers.delete(wanted.buyerId)
          idle.push(shard)
          dispatchSoon()
        })
      }
    }
  }

  /** Whether orders should not wait for a shared transaction: there is none, all take long, or the next one will be full. */
  function needsAnother(): boolean {
    return queue.length >= ORDERS_PER_TRANSACTION_MAX || heldUp >= WRITERS - shared.idle.length
  }

  /** @returns to be called when the transaction has ended */
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

  /** Takes the first orders that still wait for an answer and whose buyers are not busy; isolated, those of one buyer. */
  function take(from: Waiting[], isIsolated: boolean): Waiting[] {
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

  /** @param wait for what others hold. Keys come in order of arrival, so those who wait cannot block each other */
  async function serve(batch: readonly Waiting[], shard: number, wait: boolean): Promise<void> {
    try {
      const outcomes = await transact(batch, { shard, wait })
      for (const [index, waiting] of batch.entries()) {
        const outcome = outcomes[index]
        if (outcome !== undefined && outcome !== 'contended') waiting.resolve(outcome)
        else if (++waiting.timesContended > CONTENDED_TIMES_MAX) waiting.reject(busy())
        else isolated.push(waiting)
      }
    } catch (error) {
      // Only when nothing can have been written: after a connection lost at the commit, trying again could buy twice
      const triedAgain = batch.length > 1 && wasRolledBack(error)
      for (const waiting of batch) {
        waiting.isSuspect = true
        if (triedAgain) isolated.push(waiting)
        else waiting.reject(error as Error)
      }
    }
  }

  async function transact(
    batch: readonly Waiting[],
    how: Pick<PlaceOptions, 'shard' | 'wait'>,
  ): Promise<PlaceOutcome[]> {
    // The latest of the callers' moments: no purchase is decided by a time before its own
    const now = new Date(Math.max(...batch.map((waiting) => waiting.now.getTime())))
    const outcomes = await db.transaction(
      (tx) =>
        placeOrders(
          tx,
          batch.map((waiting) => waiting.wanted),
          { now, floors, ...how },
        ),
      { lockTimeoutMs: LOCK_MS_MAX, readsFirst: true, onePlan: true },
    )
    for (const outcome of outcomes)
      if (typeof outcome === 'object' && 'keys' in outcome && outcome.keys[0])
        floors.set(outcome.offer.priceId, outcome.keys[0].seq)
    return outcomes
  }

  return {
    get waiting() {
      return queue.length + isolated.length
    },
    place: (wanted, now) =>
      new Promise((resolve, reject) => {
        if (queue.length + isolated.length >= QUEUE_MAX) return reject(busy())
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
        queue.push(waiting)
        dispatchSoon()
      }),
  }
}

const sameBuyer = (one: Waiting, other: Waiting) => one.wanted.buyerId === other.wanted.buyerId

function busy(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 })
}
