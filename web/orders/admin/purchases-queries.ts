import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PURCHASES_PAGE_SIZE } from '../../../contract/limits.ts'
import { client } from '../../platform/calls/client.ts'
import { usePollInterval } from '../../platform/calls/events.ts'

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
