import type { Product } from '../../contract/catalogue.ts'
import type { User } from '../../contract/users.ts'

type Terms = Pick<User, 'customPrices' | 'hiddenProducts'>

/** List prices and all products → what this buyer pays, without what is hidden from them. */
export function asSeenBy({ customPrices, hiddenProducts }: Terms, products: readonly Product[]): Product[] {
  return products
    .filter((product) => !hiddenProducts.includes(product._id))
    .map((product) => {
      const prices = product.prices.map((row) => {
        const own = customPrices.find((custom) => custom.productId === product._id && custom.duration === row.duration)
        return own ? { ...row, price: own.price } : row
      })
      return { ...product, prices, price: lowestOf(prices) ?? 0 }
    })
}

/** What a card shows: the given price, else the lowest of those that are for sale. Undefined for visitors. */
export function lowestPrice({ price, prices }: Product): number | undefined {
  return price !== undefined && price > 0 ? price : lowestOf(prices)
}

/** A price of 0 is saved as "not for sale". */
function lowestOf(prices: Product['prices']): number | undefined {
  const forSale = prices.flatMap(({ price }) => (price !== undefined && price > 0 ? [price] : []))
  return forSale.length > 0 ? Math.min(...forSale) : undefined
}
