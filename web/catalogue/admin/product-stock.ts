import type { Product } from '../../../contract/catalogue.ts'

type StockState = 'out' | 'low' | 'ok'

type Stocked = Pick<Product['prices'][number], 'available' | 'lowStockBelow'>

/** Low is what has fewer keys than the duration's own mark, which 0 turns off. */
export function stockState({ available, lowStockBelow = 0 }: Stocked): StockState {
  if (available === 0) return 'out'
  return available < lowStockBelow ? 'low' : 'ok'
}

/** Returns the worst stock state among the durations. */
export function worstStock({ prices }: Product): StockState {
  const states = prices.map(stockState)
  return states.includes('out') ? 'out' : states.includes('low') ? 'low' : 'ok'
}

export type AdminProductFilter = 'all' | 'hot' | 'low' | 'out' | 'unlisted'

/** `low` has a duration with few keys, `out` one without any, and `unlisted` is not in the store. */
export function belongsTo(filter: AdminProductFilter, product: Product): boolean {
  if (filter === 'hot') return product.hot
  if (filter === 'unlisted') return product.isListed === false
  if (filter === 'all') return true
  return product.prices.some((price) => stockState(price) === filter)
}
