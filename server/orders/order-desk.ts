/**
 * Where purchases come in. While one transaction is on its way, the purchases that arrive gather and share
 * the next one: under load the cost of a commit is split among them, and without load nobody waits.
 */
import { Refusal } from '../../contract/errors.ts'
import type { StockFloors } from '../keys/claim-keys.ts'
import { wasRolledBack } from '../platform/database.ts'
import type { Services } from '../platform/services.ts'
import type { Wanted } from './decide-orders.ts'
import { placeOrders, type PlaceOptions, type PlaceOutcome } from './place-orders.ts'

interface Waiting {
  wanted: Wanted
  now: Date
  resolve(outcome: PlaceOutcome): void
  reject(error: unknown): void
}

export interface OrderDesk {
  /** @returns the outcome once it is committed; never 'contended' */
  place(wanted: Wanted, now: Date): Promise<Exclude<PlaceOutcome, 'contended'>>
}

/** Transactions at once; each has a stock counter shard of its own. */
const WRITERS = 2
const SHARDS = 8
const ORDERS_PER_TRANSACTION_MAX = 64
/** Beyond this, waiting would outlast a buyer's patience: better to say "busy" at once. */
const QUEUE_MAX = 2_000

export function openOrderDesk({ db }: Pick<Services, 'db'>): OrderDesk {
  const queue: Waiting[] = []
  const floors: StockFloors = new Map()
  const firstShard = Math.floor(Math.random() * SHARDS)
  const idle = Array.from({ length: WRITERS }, (_, index) => (firstShard + index) % SHARDS)

  function dispatch(): void {
    while (queue.length > 0) {
      const shard = idle.pop()
      if (shard === undefined) return
      const batch = queue.splice(0, ORDERS_PER_TRANSACTION_MAX)
      void serve(batch, shard).finally(() => {
        idle.push(shard)
        dispatch()
      })
    }
  }

  async function serve(batch: readonly Waiting[], shard: number): Promise<void> {
    try {
      const outcomes = await transact(batch, { shard, wait: false })
      const contended = batch.filter((waiting, index) => {
        const outcome = outcomes[index]
        if (outcome === undefined || outcome === 'contended') return true
        waiting.resolve(outcome)
        return false
      })
      for (const waiting of contended) await serveAlone(waiting, shard)
    } catch (error) {
      // One wallet that somebody else holds must not fail the others. Only when nothing can have been written:
      // after a connection lost at the commit, trying again could buy twice.
      if (batch.length > 1 && wasRolledBack(error)) for (const waiting of batch) await serveAlone(waiting, shard)
      else for (const waiting of batch) waiting.reject(error)
    }
  }

  /** Waits for keys that others hold. They come in order of arrival, so those who wait cannot block each other. */
  async function serveAlone(waiting: Waiting, shard: number): Promise<void> {
    try {
      for (let attempt = 1; attempt <= CONTENDED_TRIES_MAX; attempt++) {
        const [outcome] = await transact([waiting], { shard, wait: true })
        if (outcome !== undefined && outcome !== 'contended') return waiting.resolve(outcome)
      }
      waiting.reject(new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 }))
    } catch (error) {
      waiting.reject(error)
    }
  }

  async function transact(
    batch: readonly Waiting[],
    how: Pick<PlaceOptions, 'shard' | 'wait'>,
  ): Promise<PlaceOutcome[]> {
    // The latest of the callers' moments: no purchase is decided by a time before its own
    const now = new Date(Math.max(...batch.map((waiting) => waiting.now.getTime())))
    const outcomes = await db.transaction((tx) =>
      placeOrders(
        tx,
        batch.map((waiting) => waiting.wanted),
        { now, floors, ...how },
      ),
    )
    for (const outcome of outcomes)
      if (typeof outcome === 'object' && 'keys' in outcome && outcome.keys[0])
        floors.set(outcome.offer.priceId, outcome.keys[0].seq)
    return outcomes
  }

  return {
    place: (wanted, now) =>
      new Promise((resolve, reject) => {
        if (queue.length >= QUEUE_MAX) return reject(new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 }))
        queue.push({ wanted, now, resolve: resolve as Waiting['resolve'], reject })
        dispatch()
      }),
  }
}

const CONTENDED_TRIES_MAX = 20
