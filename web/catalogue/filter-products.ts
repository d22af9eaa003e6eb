import type { Product } from '../../contract/catalogue.ts'
import { durationText, own } from '../platform/i18n.ts'

export type ProductFilter = 'all' | 'hot' | 'in-stock'

/** Keeps items whose name, description or durations contain every typed word. */
export function filterProducts(products: readonly Product[], filter: ProductFilter, search: string): Product[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return products.filter((product) => {
    if (filter === 'hot' && !product.hot) return false
    if (filter === 'in-stock' && product.available === 0) return false
    if (words.length === 0) return true
    const { name, description, prices } = product
    const durations = prices.map(({ duration }) => `${duration} ${durationText(duration)}`)
    const texts = [name, description, own(product, 'name'), own(product, 'description'), durations]
    const text = texts.join(' ').toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}
