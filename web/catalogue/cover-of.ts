import type { Product } from '../../contract/catalogue.ts'

export type Cover = Pick<Product, 'sequence' | 'picture'> & Partial<Pick<Product, 'name'>>

/** Returns what a product's cover is made of. A deleted or hidden product gets a number made from its id. */
export function coverOf(products: readonly Product[] | undefined, productId: string): Cover {
  const product = products?.find((each) => each._id === productId)
  return product
    ? { name: product.name, sequence: product.sequence, picture: product.picture }
    : { sequence: Number.parseInt(productId.slice(-6), 16) || 0 }
}
