import type { HistoryEntry } from '../../contract/wallet.ts'
import { sumRupees } from '../platform/money.ts'

export interface WalletTotals {
  /** In rupees, since the first transaction. */
  added: number
  used: number
  /** The last transaction counted. Null in a new wallet. */
  newestId: string | null
}

export const NO_TOTALS: WalletTotals = { added: 0, used: 0, newestId: null }

type Movement = Pick<HistoryEntry, '_id' | 'delta'>

/** @param entries newest first */
export function addUp(entries: readonly Movement[], known: WalletTotals = NO_TOTALS): WalletTotals {
  return {
    added: sumRupees([known.added, ...entries.map(({ delta }) => Math.max(0, delta))]),
    used: sumRupees([known.used, ...entries.map(({ delta }) => Math.max(0, -delta))]),
    newestId: entries[0]?._id ?? known.newestId,
  }
}

/**
 * Adds up the whole history in pages. Transactions never change, so reading ends at the last one counted before.
 * @param readPage newest first, older than `before`
 */
export async function totalUp(
  readPage: (before: string | undefined) => Promise<Movement[]>,
  pageSize: number,
  known: WalletTotals = NO_TOTALS,
): Promise<WalletTotals> {
  const fresh: Movement[] = []
  for (;;) {
    const page = await readPage(fresh.at(-1)?._id)
    const knownAt = page.findIndex(({ _id }) => _id === known.newestId)
    if (knownAt >= 0) return addUp([...fresh, ...page.slice(0, knownAt)], known)
    fresh.push(...page)
    if (page.length < pageSize) return addUp(fresh)
  }
}
