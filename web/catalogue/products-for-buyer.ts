import type { Product } from '../../contract/catalogue.ts'
import type { User } from '../../contract/users.ts'

type Terms = Pick<User, 'customPrices' | 'hiddenProducts'>

/** Returns the products of an answer for admins that this buyer or visitor may see, at the prices a buyer pays. */
export function asSeenBy(buyer: Terms | null, products: readonly Product[]): Product[] {
  return products
    .filter(({ _id, isListed }) => isListed !== false && !buyer?.hiddenProducts.includes(_id))
    .map((product) => {
      const prices = product.prices.map((row) => {
        const own = buyer?.customPrices.find(
          (custom) => custom.productId === product._id && custom.duration === row.duration,
        )
        const price = own ? own.price : (row.groupPrice ?? row.price)
        // A custom price decides alone
        const steps = own || !row.price ? undefined : row.steps?.filter((step) => step.price < (price ?? 0))
        return { ...row, steps, price, available: price === 0 ? 0 : row.available }
      })
      const available = prices.reduce((sum, row) => sum + row.available, 0)
      return { ...product, prices, available, price: lowestOf(prices) ?? 0 }
    })
}

/** Returns the price for a card: the given one, else the lowest for sale. Undefined for visitors. */
export function lowestPrice({ price, prices }: Product): number | undefined {
  return price !== undefined && price > 0 ? price : lowestOf(prices)
}

/** A price of 0 means "not for sale". */
function lowestOf(prices: Product['prices']): number | undefined {
  const forSale = prices.flatMap(({ price }) => (price !== undefined && price > 0 ? [price] : []))
  return forSale.length > 0 ? Math.min(...forSale) : undefined
}
