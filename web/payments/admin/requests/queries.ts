import { keepPreviousData } from '@tanstack/react-query'
import { askFor, nextRequests, paymentsOn, pendingCount, type PanelSearch } from '../../../../contract/panel-pages.ts'
import type { Payment } from '../../../../contract/payments.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'

const POLL_INTERVAL_MS = 15_000

/** A page of payments. */
export const usePayments = (address: PanelSearch) =>
  usePanel(paymentsOn(address), { placeholderData: keepPreviousData, pollMs: POLL_INTERVAL_MS })

/** Returns a request that another admin has reviewed; undefined while loading or if it was deleted. */
export const useDecided = ({ _id, utr }: Payment): Payment | undefined =>
  usePanel(askFor('payments', 'list', { search: utr, type: 'add_money' })).data?.payments.find(
    (payment) => payment._id === _id,
  )

/** The requests that have waited longest. */
export const useNextRequests = () =>
  usePanel(nextRequests, { select: ({ payments }) => payments, pollMs: POLL_INTERVAL_MS })

/** Counts pending requests. Also polls in a hidden tab, because the tab's title shows the count. */
export const usePendingCount = (enabled = true): number | undefined =>
  usePanel(pendingCount, {
    enabled,
    select: ({ total }) => total,
    pollMs: POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
  }).data
