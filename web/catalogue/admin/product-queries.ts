import { keepPreviousData } from '@tanstack/react-query'
import { adminProducts } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'

const STOCK_POLL_INTERVAL_MS = 30_000

/** All products in the shop's order, with list prices and the stock of each duration. */
export const useAdminProducts = () =>
  usePanel(adminProducts, { placeholderData: keepPreviousData, pollMs: STOCK_POLL_INTERVAL_MS })
