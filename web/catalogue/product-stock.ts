import type { Product } from '../../contract/catalogue.ts'

/** Fewer keys than this are few: time to add some. */
const LOW_STOCK_BELOW = 5

export type StockState = 'out' | 'low' | 'ok'

export function stockState(available: number): StockState {
  if (available === 0) return 'out'
  return available < LOW_STOCK_BELOW ? 'low' : 'ok'
}

/** The state of the duration that stands worst. */
export function worstStock({ prices }: Product): StockState {
  const states = prices.map(({ available }) => stockState(available))
  return states.includes('out') ? 'out' : states.includes('low') ? 'low' : 'ok'
}

export type AdminProductFilter = 'all' | 'hot' | 'low' | 'out'

/** Low are those with a duration that has few keys; out, those with one that has none. */
export function belongsTo(filter: AdminProductFilter, product: Product): boolean {
  if (filter === 'hot') return product.hot
  if (filter === 'all') return true
  return product.prices.some(({ available }) => stockState(available) === filter)
}
