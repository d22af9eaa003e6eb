import type { Product } from '../../contract/catalogue.ts'

/** Returns the product's own number for its cover art. A deleted or hidden product gets one made from its id. */
export function coverSequence(products: readonly Product[] | undefined, productId: string): number {
  const product = products?.find((each) => each._id === productId)
  return product ? product.sequence : Number.parseInt(productId.slice(-6), 16) || 0
}
