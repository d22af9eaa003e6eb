import { anyShard } from '../keys/stock/stock-counters.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { OrderRefusal, Wanted } from './decide-orders.ts'
import { placeOrders, type Placed } from './place-orders.ts'

const TRIES_MAX = 20

/**
 * Places orders that nobody waits for. Looks again if others take keys of older stock in between.
 * @returns one outcome per order, in the order of `wanted`
 */
export async function placeAll(
  tx: Transaction,
  wanted: readonly (Wanted & { idempotency: undefined })[],
  now: Date,
): Promise<(Placed | OrderRefusal)[]> {
  const settled = new Map<Wanted, Placed | OrderRefusal>()
  for (let tries = 0; settled.size < wanted.length; tries++) {
    if (tries === TRIES_MAX) throw new Error('The keys of these orders stay locked')
    const open = wanted.filter((each) => !settled.has(each))
    const outcomes = await placeOrders(tx, open, { now, floors: new Map(), wait: true, shard: anyShard() })
    for (const [index, each] of open.entries()) {
      const outcome = outcomes[index]
      // Without an Idempotency-Key no order repeats another
      if (outcome && outcome !== 'contended') settled.set(each, outcome as Placed | OrderRefusal)
    }
  }
  return wanted.flatMap((each) => settled.get(each) ?? [])
}
