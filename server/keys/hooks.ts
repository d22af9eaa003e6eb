import type { Transaction } from '../platform/database/database.ts'

/** What an import tells of itself. */
export interface Arrival {
  priceId: string
  now: Date
}

/** What is sold of an import before it goes on sale. */
export interface Serving {
  /** Who bought. */
  buyers: string[]
  /** Keys that they bought. */
  sold: number
  /** Where the queue goes on; undefined at its end. */
  next: number | undefined
  /** Places whose buyers have too little money. */
  short: string[]
}

/** What follows an import. The waiting list gives it (server/waiting). */
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
  /** In the transaction of the keys that go on sale, with all that the import brought and sold. */
  arrived(tx: Transaction, arrival: Arrival & { onSale: number; short: readonly string[] }): Promise<void>
}

export const WITHOUT_WAITING: StockHooks = {
  isAwaited: () => Promise.resolve(false),
  serve: () => Promise.resolve({ buyers: [], sold: 0, next: undefined, short: [] }),
  arrived: () => Promise.resolve(),
}
