import type { StockHooks } from '../keys/hooks.ts'
import type { Outbound } from '../platform/outbound.ts'
import type { Services } from '../platform/services.ts'

/** What is needed to buy from suppliers. */
export interface Supplying extends Services {
  outbound: Outbound
  hooks: StockHooks
}
