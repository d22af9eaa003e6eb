import type { Product } from '../../contract/catalogue.ts'
import { durationText } from '../platform/i18n.ts'
import { hasWords } from '../ui/fields/has-words.ts'

export type ProductFilter = 'all' | 'hot' | 'in-stock'

/** Keeps items whose name, description or durations contain every typed word. */
export function filterProducts(products: readonly Product[], filter: ProductFilter, search: string): Product[] {
  return products.filter((product) => {
    if (filter === 'hot' && !product.hot) return false
    if (filter === 'in-stock' && product.available === 0) return false
    const { name, nameHi, description, descriptionHi, prices } = product
    const durations = prices.map(({ duration }) => `${duration} ${durationText(duration)}`)
    return hasWords(search, name, nameHi, description, descriptionHi, ...durations)
  })
}
