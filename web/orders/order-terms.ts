import type { Product } from '../../contract/catalogue.ts'
import { priceFor } from '../../contract/prices.ts'
import { sumRupees, timesRupees } from '../platform/money.ts'

export type PriceRow = Product['prices'][number]

const TOPUP_MIN_RUPEES = 1

/** The reason why an order can't be placed. Undefined if it can. */
type Obstacle = 'not-chosen' | 'no-quantity' | 'not-for-sale' | 'out-of-stock' | 'not-enough-stock' | 'low-balance'

export interface OrderTerms {
  /** In rupees, like all amounts here. */
  unitPrice: number
  /** 0 while there is no price or no quantity. */
  total: number
  /** What this quantity costs less than as many single keys. */
  saved: number
  /** Balance after the order. Negative if the balance does not cover the total. */
  left: number
  /** The amount missing from the balance. */
  shortfall: number
  /** The top-up needed: the shortfall, or the smallest amount that can be added. */
  topUp: number
  obstacle: Obstacle | undefined
}

export function orderTerms(price: PriceRow | undefined, quantity: number | undefined, balance: number): OrderTerms {
  const unitPrice = priceFor(price ?? {}, quantity ?? 1)
  const total = timesRupees(unitPrice, quantity ?? 0)
  const saved = sumRupees([timesRupees(price?.price ?? 0, quantity ?? 0), -total])
  const left = sumRupees([balance, -total])
  const shortfall = left < 0 ? -left : 0
  const topUp = left < 0 ? Math.max(TOPUP_MIN_RUPEES, shortfall) : 0
  return { unitPrice, total, saved, left, shortfall, topUp, obstacle: obstacle() }

  function obstacle(): Obstacle | undefined {
    if (!price) return 'not-chosen'
    if (quantity === undefined) return 'no-quantity'
    if (unitPrice <= 0) return 'not-for-sale'
    if (price.available === 0) return 'out-of-stock'
    if (price.available < quantity) return 'not-enough-stock'
    return left < 0 ? 'low-balance' : undefined
  }
}

/** Finds the row of a duration as a link may spell it ("1month"). Without one, the first to buy, or to wait for. */
export function choosePrice(prices: readonly PriceRow[], duration: string | undefined): PriceRow | undefined {
  const named = duration && prices.find((price) => spelling(price.duration) === spelling(duration))
  return named || (prices.find(canBeBought) ?? prices.find(({ price }) => price) ?? prices[0])
}

/** A chosen duration, and the product and address that it was chosen for. */
export interface Choice {
  productId: string
  /** The value in the address. */
  named: string | undefined
  /** Undefined if the product has no durations. */
  duration: string | undefined
}

/**
 * Chooses once per product and address. Later changes in stock, prices or durations don't change the choice, so that a
 * press never buys something the buyer did not choose.
 */
export function keepChoice(
  kept: Choice | undefined,
  product: Pick<Product, '_id' | 'prices'>,
  named: string | undefined,
): Choice {
  if (kept?.productId === product._id && kept.named === named) return kept
  return { productId: product._id, named, duration: choosePrice(product.prices, named)?.duration }
}

/** Suggests another duration if this one is out of stock. */
export function otherDurations(prices: readonly PriceRow[], present: PriceRow): PriceRow[] {
  return prices.filter((price) => price !== present && canBeBought(price))
}

function canBeBought({ price, available }: PriceRow): boolean {
  return available > 0 && price !== undefined && price > 0
}

function spelling(duration: string): string {
  return duration
    .toLowerCase()
    .replaceAll(/\s+/g, '')
    .replace(/(hour|day|week|month|year)s$/, '$1')
}
