import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { purchasesOn, type PanelSearch } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { usePollInterval } from '../../platform/calls/events.ts'

const POLL_INTERVAL_MS = 30_000

/** A page of sales, newest first, with the revenue of all that the search finds. */
export function usePurchases(address: PanelSearch) {
  return useQuery({
    ...panelQuery(purchasesOn(address)),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}
