import type { Product } from '../../contract/catalogue.ts'
import { sumRupees, timesRupees } from '../platform/money.ts'

export type PriceRow = Product['prices'][number]

const TOPUP_MIN_RUPEES = 1

/** Why an order can't be placed as it is; undefined where it can. */
type Obstacle = 'not-chosen' | 'no-quantity' | 'not-for-sale' | 'out-of-stock' | 'not-enough-stock' | 'low-balance'

export interface OrderTerms {
  /** In rupees, as everything here. */
  unitPrice: number
  total: number
  /** In the wallet afterwards; negative where the balance does not cover the total. */
  left: number
  /** What the balance lacks. */
  shortfall: number
  /** What to add for it: the shortfall, or the least that can be added. */
  topUp: number
  obstacle: Obstacle | undefined
}

export function orderTerms(price: PriceRow | undefined, quantity: number | undefined, balance: number): OrderTerms {
  const unitPrice = price?.price ?? 0
  const total = timesRupees(unitPrice, quantity ?? 0)
  const left = sumRupees([balance, -total])
  const shortfall = left < 0 ? -left : 0
  const topUp = left < 0 ? Math.max(TOPUP_MIN_RUPEES, shortfall) : 0
  return { unitPrice, total, left, shortfall, topUp, obstacle: obstacle() }

  function obstacle(): Obstacle | undefined {
    if (!price) return 'not-chosen'
    if (quantity === undefined) return 'no-quantity'
    if (unitPrice <= 0) return 'not-for-sale'
    if (price.available === 0) return 'out-of-stock'
    if (price.available < quantity) return 'not-enough-stock'
    return left < 0 ? 'low-balance' : undefined
  }
}

/** The row of a duration as a link may spell it ("1month"); where none is named, the first that can be bought. */
export function choosePrice(prices: readonly PriceRow[], duration: string | undefined): PriceRow | undefined {
  const named = duration && prices.find((price) => spelling(price.duration) === spelling(duration))
  return named || (prices.find(canBeBought) ?? prices[0])
}

/** A duration, and what it is the answer to. */
export interface Choice {
  productId: string
  /** As the address has it. */
  named: string | undefined
  /** Undefined where the product has none. */
  duration: string | undefined
}

/**
 * The choice, made once for each product and address. Stock and prices that move afterwards, and durations that come and
 * go, make no other one: what is pressed next would buy what nobody has chosen.
 */
export function keepChoice(
  kept: Choice | undefined,
  product: Pick<Product, '_id' | 'prices'>,
  named: string | undefined,
): Choice {
  if (kept?.productId === product._id && kept.named === named) return kept
  return { productId: product._id, named, duration: choosePrice(product.prices, named)?.duration }
}

/** What to offer where this one is sold out. */
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
