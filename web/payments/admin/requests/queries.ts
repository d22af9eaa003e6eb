import { useQuery } from '@tanstack/react-query'
import { nextRequests, paymentsOn, pendingCount, type PanelSearch } from '../../../../contract/panel-pages.ts'
import type { Payment } from '../../../../contract/payments.ts'
import { panelQuery, usePanel } from '../../../platform/admin/panel-query.ts'
import { client } from '../../../platform/calls/client.ts'
import { usePollInterval } from '../../../platform/calls/events.ts'

const POLL_INTERVAL_MS = 15_000

/** A page of payments. */
export const usePayments = (address: PanelSearch) => usePanel(paymentsOn(address), POLL_INTERVAL_MS)

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
    ...panelQuery(nextRequests),
    select: ({ payments }) => payments,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** Counts pending requests. Also polls in a hidden tab, because the tab's title shows the count. */
export function usePendingCount(enabled = true): number | undefined {
  const pending = useQuery({
    enabled,
    ...panelQuery(pendingCount),
    select: ({ total }) => total,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
    refetchIntervalInBackground: true,
  })
  return pending.data
}
