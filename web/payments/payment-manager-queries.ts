import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PAYMENTS_PAGE_SIZE } from '../../contract/limits.ts'
import type { PaymentStatus } from '../../contract/payments.ts'
import { client } from '../platform/client.ts'
import { usePollInterval } from '../platform/events.ts'

const POLL_INTERVAL_MS = 15_000

interface Wanted {
  search: string
  status: PaymentStatus | undefined
  page: number
}

/** A page of payments, newest first; kept fresh by events, or by asking where they don't get through. */
export function usePayments({ search, status, page }: Wanted) {
  const input = { search, limit: PAYMENTS_PAGE_SIZE, skip: page * PAYMENTS_PAGE_SIZE, ...(status && { status }) }
  return useQuery({
    queryKey: ['payments', 'list', input],
    queryFn: ({ signal }) => client.payments.list(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** How many requests wait. Also asked while the tab is hidden, since the tab's title tells it. */
export function usePendingCount(): number | undefined {
  const pending = useQuery({
    queryKey: ['payments', 'pending-count'],
    queryFn: async ({ signal }) => (await client.payments.list({ status: 'pending', limit: 1 }, { signal })).total,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
    refetchIntervalInBackground: true,
  })
  return pending.data
}
