/** Figures of purchases at suppliers, of this node. */
import type { SupplyOrder } from '../../../contract/supply.ts'
import { SECOND_MS } from '../../../contract/time.ts'
import type { Metrics } from '../../platform/watching/metrics.ts'

const BOUNDS_S = [1, 2, 5, 10, 30, 60, 300, 3_600]

interface Figures {
  ended(state: SupplyOrder['state'], times?: number): void
  took(ms: number): void
}
const ofNodes = new WeakMap<Metrics, Figures>()

/** Begins with the first purchase, so that a store without suppliers has none. */
export function figuresOf(metrics: Metrics): Figures {
  const present = ofNodes.get(metrics)
  if (present) return present
  const orders = metrics.counter('chaabi_supply_orders_total', 'Orders at suppliers that this node has ended')
  const seconds = metrics.histogram('chaabi_supply_seconds', 'From such an order until its keys were there', BOUNDS_S)
  const figures: Figures = {
    ended: (state, times) => orders.add({ state }, times),
    took: (ms) => seconds.observe(ms / SECOND_MS),
  }
  ofNodes.set(metrics, figures)
  return figures
}
