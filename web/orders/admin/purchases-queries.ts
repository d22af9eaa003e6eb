import { purchasesOn, type PanelSearch } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'

const POLL_INTERVAL_MS = 30_000

/** A page of sales, newest first, with the revenue of all that the search finds. */
export const usePurchases = (address: PanelSearch) => usePanel(purchasesOn(address), POLL_INTERVAL_MS)
