import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PAGE_SIZE_MAX, PURCHASES_PAGE_SIZE } from '../../contract/limits.ts'
import type { Purchase } from '../../contract/orders.ts'
import { client } from '../platform/client.ts'
import { serverNow } from '../platform/clock.ts'
import { usePollInterval } from '../platform/events.ts'

const POLL_INTERVAL_MS = 30_000

export interface Wanted {
  search: string
  productId: string | undefined
  from: string | undefined
  to: string | undefined
}

/** A page of sales, newest first, with the revenue of all that the search finds. */
export function usePurchases(wanted: Wanted, page: number) {
  const input = { ...wanted, limit: PURCHASES_PAGE_SIZE, skip: page * PURCHASES_PAGE_SIZE }
  return useQuery({
    queryKey: ['orders', 'purchases', input],
    queryFn: ({ signal }) => client.orders.purchases(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/**
 * All sales that the search finds, page by page.
 * @param onProgress told how many there are so far, and in all
 */
export async function fetchAllPurchases(
  { to, ...wanted }: Wanted,
  onProgress: (count: number, total: number) => void,
  signal: AbortSignal,
): Promise<Purchase[]> {
  // Sales made meanwhile would push others from one page to the next.
  const until = to ?? new Date(serverNow()).toISOString()
  const found = new Map<string, Purchase>()
  for (let skip = 0; ; skip += PAGE_SIZE_MAX) {
    const input = { ...wanted, to: until, limit: PAGE_SIZE_MAX, skip }
    const { purchases, total } = await client.orders.purchases(input, { signal })
    for (const purchase of purchases) found.set(purchase._id, purchase)
    onProgress(found.size, total)
    if (purchases.length < PAGE_SIZE_MAX) return [...found.values()]
  }
}
