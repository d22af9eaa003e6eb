/**
 * Decides orders over rows that a transaction has locked and read, without a database. Each order takes what it gets
 * from `shop`, so the next one is decided against the rest.
 */
import { durationMs } from '../../contract/duration.ts'
import { Refusal, type RefusalCode } from '../../contract/errors.ts'
import { add, formatRupees, negate, times, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import type { LockedKey } from '../keys/take-keys.ts'
import { splitAcrossLots, type Lot } from '../wallet/ledger.ts'
import { isBeyond, type Limit, type Trial } from './limits.ts'

/** An order as it was asked for. */
export interface Wanted {
  buyerId: string
  /** Of the program that buys; none for a person. */
  tokenId?: string | undefined
  productId: string
  duration: string
  quantity: number
  /** The price of one key that the buyer saw, if the client sends it. */
  expectedPrice?: Paise | undefined
  /** The most that one key may cost, for an order that the store places for the buyer. */
  priceMax?: Paise | undefined
  /** The client's Idempotency-Key and a hash of its request. */
  idempotency: { key: string; requestHash: Buffer } | undefined
}

/** The offer to one buyer: a product and duration at this buyer's price. */
export interface Offer {
  priceId: string
  productId: string
  productName: string
  productDescription: string
  duration: string
  unitPrice: Paise
  /** Of one key alone, in paise, where a larger order may pay less for each. */
  singly?: number | null
  limit?: Limit | undefined
}

/** An order that will be written. */
export interface Decision {
  wanted: Wanted
  offer: Offer
  amount: Paise
  balanceAfter: Paise
  keys: LockedKey[]
  shares: { lot: Lot; amount: Paise }[]
  expiresAt: Date
}

/** What refuses an order without an Idempotency-Key. Each feature that buys for a buyer has a word for each. */
type OrderRefusalCode = Extract<
  RefusalCode,
  | 'NO_SESSION'
  | 'PRODUCT_NOT_FOUND'
  | 'INVALID_PRICE'
  | 'PRICE_CHANGED'
  | 'LIMIT_REACHED'
  | 'TRIAL_REFUSED'
  | 'OUT_OF_STOCK'
  | 'INSUFFICIENT_BALANCE'
>
export type OrderRefusal = Refusal & { readonly code: OrderRefusalCode }

/** Why an order was refused, in the words of what buys for a buyer: wishes and renewals. */
export const REFUSED_BECAUSE = {
  PRODUCT_NOT_FOUND: 'not-for-sale',
  INVALID_PRICE: 'not-for-sale',
  PRICE_CHANGED: 'price',
  LIMIT_REACHED: 'limit',
  TRIAL_REFUSED: 'limit',
  OUT_OF_STOCK: 'stock',
  INSUFFICIENT_BALANCE: 'money',
  NO_SESSION: 'account',
} as const satisfies Record<OrderRefusalCode, string>

/** The only way in which an order is refused, so that a new code is in the union above. */
export const refuseOrder = (code: OrderRefusalCode, extras?: ConstructorParameters<typeof Refusal>[1]): OrderRefusal =>
  new Refusal(code, extras) as OrderRefusal

export const limitReached = ({ perBuyer, bought }: Pick<Limit, 'perBuyer' | 'bought'>): OrderRefusal =>
  refuseOrder('LIMIT_REACHED', {
    say: ['You can buy {limit} of this, and you have bought {bought}.', { limit: perBuyer, bought }],
    details: { limit: perBuyer, bought },
  })

const trialRefused = (why: 'had' | 'unpaid'): OrderRefusal =>
  refuseOrder('TRIAL_REFUSED', {
    ...(why === 'unpaid' && { message: 'Add any amount by UPI first. Then the trial is yours.' }),
    details: { why },
  })

/** `contended`: another purchase holds the keys or the trial, and may yet free them. */
export type Outcome = Decision | OrderRefusal | 'contended'

export interface Shop {
  now: Date
  /** By buyer: the lots in the order of spending, less the decided amounts. */
  lots: Map<string, Lot[]>
  /** By price: the locked keys, oldest first, less the decided ones. */
  keys: Map<string, LockedKey[]>
  /** By price: the number of free keys, with those that others hold. */
  free: Map<string, number>
  /** By buyer and price: keys that were decided here. */
  bought: Map<string, number>
  /** Of the orders that ask for a trial and are within its limit. */
  trials: ReadonlyMap<Wanted, Trial>
}

/**
 * Refuses in this order: no such product, no price, another price, the limit, a trial that was had, out of stock, too
 * little money. Stock comes before money, so that nobody tops up for a key that is gone.
 */
export function decideOrder(wanted: Wanted, offer: Offer | undefined, shop: Shop): Outcome {
  if (!offer) return refuseOrder('PRODUCT_NOT_FOUND')
  if (offer.unitPrice === 0) return refuseOrder('INVALID_PRICE')
  const { expectedPrice = offer.unitPrice, priceMax = offer.unitPrice } = wanted
  // Who knows of no steps has seen the price of one key, and pays less
  const isExpected = expectedPrice === offer.unitPrice || expectedPrice === offer.singly
  if (!isExpected || offer.unitPrice > priceMax)
    return refuseOrder('PRICE_CHANGED', {
      say: [
        'The price is now {price} per key. You have not been charged.',
        { price: formatRupees(toRupees(offer.unitPrice)) },
      ],
    })

  const own = `${wanted.buyerId} ${offer.priceId}`
  const bought = shop.bought.get(own) ?? 0
  if (offer.limit && isBeyond(offer, wanted, bought))
    return limitReached({ ...offer.limit, bought: offer.limit.bought + bought })
  const trial = shop.trials.get(wanted) ?? 'free'
  if (trial === 'contended') return trial
  if (trial !== 'free') return trialRefused(trial)

  const free = shop.free.get(offer.priceId) ?? 0
  if (free < wanted.quantity) return refuseOrder('OUT_OF_STOCK', { details: { available: free } })

  const amount = times(offer.unitPrice, wanted.quantity)
  const lots = shop.lots.get(wanted.buyerId) ?? []
  const balance = add(ZERO, ...lots.map((lot) => lot.remaining))
  if (balance < amount) {
    const shortfall = toRupees(add(amount, negate(balance)))
    return refuseOrder('INSUFFICIENT_BALANCE', {
      say: ['Low balance! Please add at least {amount}', { amount: formatRupees(shortfall) }],
      details: { shortfall },
    })
  }

  const stock = shop.keys.get(offer.priceId) ?? []
  if (stock.length < wanted.quantity) return 'contended'

  const shares = splitAcrossLots(lots, amount)
  for (const { lot, amount: share } of shares) lot.remaining = add(lot.remaining, negate(share))
  shop.free.set(offer.priceId, free - wanted.quantity)
  shop.bought.set(own, bought + wanted.quantity)
  return {
    wanted,
    offer,
    amount,
    balanceAfter: add(balance, negate(amount)),
    keys: stock.splice(0, wanted.quantity),
    // Copies the lots as this order left them, because the next order changes them
    shares: shares.map(({ lot, amount: share }) => ({ lot: { ...lot }, amount: share })),
    expiresAt: new Date(shop.now.getTime() + durationMs(offer.duration)),
  }
}
