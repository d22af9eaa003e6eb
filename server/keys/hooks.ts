import type { Transaction } from '../platform/database/database.ts'

/** An import of keys, as its hooks see it. */
export interface Arrival {
  priceId: string
  now: Date
  /** A place that wants more keys than came is passed over. Otherwise the queue ends there. */
  passesOver?: true
}

/** The part of an import that is sold before the rest goes on sale. */
export interface Serving {
  /** The buyers. */
  buyers: string[]
  /** Keys that they bought. */
  sold: number
  /** The place at which the next step begins. Undefined at the end of the queue. */
  next: number | undefined
  /** Places whose buyers have too little money. */
  short: string[]
}

/** Hooks around an import. The waiting list (server/waiting) provides them. */
export interface StockHooks {
  /** True if keys may be sold before they go on sale. */
  isAwaited(arrival: Arrival): Promise<boolean>
  /**
   * Sells keys to the next in the queue, who are after this place.
   * @param bring brings up to this many new keys into stock, and says how many came
   */
  serve(
    tx: Transaction,
    arrival: Arrival & { after: number },
    bring: (quantity: number) => Promise<number>,
  ): Promise<Serving>
  /** Runs in the transaction that puts the rest on sale. */
  arrived(tx: Transaction, arrival: Arrival & { onSale: number; short: readonly string[] }): Promise<void>
}

export const WITHOUT_WAITING: StockHooks = {
  isAwaited: () => Promise.resolve(false),
  serve: () => Promise.resolve({ buyers: [], sold: 0, next: undefined, short: [] }),
  arrived: () => Promise.resolve(),
}
