import type { Product } from '../../contract/catalogue.ts'

export type ProductFilter = 'all' | 'hot' | 'in-stock'

/** Keeps items whose name, description or durations contain every typed word. */
export function filterProducts(products: readonly Product[], filter: ProductFilter, search: string): Product[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return products.filter((product) => {
    if (filter === 'hot' && !product.hot) return false
    if (filter === 'in-stock' && product.available === 0) return false
    if (words.length === 0) return true
    const durations = product.prices.map((price) => price.duration).join(' ')
    const text = `${product.name} ${product.description} ${durations}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}
