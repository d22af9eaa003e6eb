/** How many keys of a duration one buyer may ever buy. All of the account's orders count, refunded ones too. */

/** Read under the wallet's lock. */
export interface Limit {
  perBuyer: number
  /** Keys in earlier orders. */
  bought: number
  isTrial: boolean
}

/** True if the order would exceed the limit. @param before keys that this transaction has sold to the buyer */
export const isBeyond = (
  { limit }: { limit?: Limit | undefined },
  { quantity }: { quantity: number },
  before = 0,
): boolean => limit !== undefined && limit.bought + before + quantity > limit.perBuyer

/** `unpaid`: the buyer has no approved top-up. `had`: an account of the same person has bought it. */
export type Trial = 'free' | 'had' | 'unpaid' | 'contended'
