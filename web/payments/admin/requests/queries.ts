import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { NEXT_REQUESTS, PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import type { Payment, PaymentSource, PaymentStatus } from '../../../../contract/payments.ts'
import { client } from '../../../platform/calls/client.ts'
import { usePollInterval } from '../../../platform/calls/events.ts'

const POLL_INTERVAL_MS = 15_000

interface Wanted {
  search: string
  status: PaymentStatus | undefined
  /** A day in India. */
  decidedOn: string | undefined
  source: PaymentSource | undefined
  /** Only this one. */
  id: string | undefined
  order: 'oldest' | 'newest'
  page: number
}

/** A page of payments; kept fresh by events, or by asking where they don't get through. */
export function usePayments({ search, status, decidedOn, source, id, order, page }: Wanted) {
  const input = {
    search,
    limit: PAYMENTS_PAGE_SIZE,
    skip: page * PAYMENTS_PAGE_SIZE,
    order,
    ...(status && { status }),
    ...(decidedOn && { decidedOn }),
    ...(source && { source }),
    ...(id && { id }),
  }
  return useQuery({
    queryKey: ['payments', 'list', input],
    queryFn: ({ signal }) => client.payments.list(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** Returns a request that another admin has reviewed; undefined while loading or if it was deleted. */
export function useDecided({ _id, utr }: Payment): Payment | undefined {
  const found = useQuery({
    queryKey: ['payments', 'decided', _id],
    queryFn: async ({ signal }) => {
      const { payments } = await client.payments.list({ search: utr, type: 'add_money' }, { signal })
      return payments.find((payment) => payment._id === _id) ?? null
    },
  })
  return found.data ?? undefined
}

/** The requests that have waited longest. */
export function useNextRequests() {
  return useQuery({
    queryKey: ['payments', 'next'],
    queryFn: ({ signal }) =>
      client.payments.list({ status: 'pending', order: 'oldest', limit: NEXT_REQUESTS }, { signal }),
    select: ({ payments }) => payments,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** Counts pending requests. Also polls in a hidden tab, because the tab's title shows the count. */
export function usePendingCount(enabled = true): number | undefined {
  const pending = useQuery({
    enabled,
    queryKey: ['payments', 'pending-count'],
    queryFn: ({ signal }) => client.payments.list({ status: 'pending', limit: 1 }, { signal }),
    select: ({ total }) => total,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
    refetchIntervalInBackground: true,
  })
  return pending.data
}
