import type { Overview } from '../../../contract/reports.ts'

export interface StockRow {
  productId: string
  name: string
  available: number
  /** Durations that are about to sell out. */
  low: Overview['runningOut']
}

const ROWS = 5

/** Returns the products to look at: first those with a duration about to sell out, then those with the least stock. */
export function stockRows({ runningOut, stock }: Pick<Overview, 'runningOut' | 'stock'>): StockRow[] {
  const rows = new Map<string, StockRow>()
  for (const duration of runningOut) {
    const { productId, name } = duration
    const low = [...(rows.get(productId)?.low ?? []), duration]
    const known = stock.find((product) => product.productId === productId)?.available
    rows.set(productId, {
      productId,
      name,
      low,
      available: known ?? low.reduce((sum, each) => sum + each.available, 0),
    })
  }
  for (const product of stock) if (!rows.has(product.productId)) rows.set(product.productId, { ...product, low: [] })
  return [...rows.values()].slice(0, ROWS)
}
