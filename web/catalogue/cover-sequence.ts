import type { Product } from '../../contract/catalogue.ts'

/** Which cover art a product has: its own number; one made from the id for a product that is gone or hidden. */
export function coverSequence(products: readonly Product[] | undefined, productId: string): number {
  const product = products?.find((each) => each._id === productId)
  return product ? product.sequence : Number.parseInt(productId.slice(-6), 16) || 0
}
