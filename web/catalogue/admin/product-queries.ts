import { useMutation } from '@tanstack/react-query'
import type { Product } from '../../../contract/catalogue.ts'
import { adminProducts } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useChange, useRowChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { makesStale } from '../../platform/calls/queries.ts'

const CATALOGUE = ['catalogue']
const CHANGED = makesStale(CATALOGUE)
const STOCK_POLL_INTERVAL_MS = 30_000

/** All products in the shop's order, with list prices and the stock of each duration. */
export const useAdminProducts = () => usePanel(adminProducts, STOCK_POLL_INTERVAL_MS)

export const useRemoveProduct = () => useChange((id: string) => client.catalogue.remove({ id }), CHANGED)

/** Brings a deleted product back, as it was. */
export const useRestoreProduct = () => useChange((id: string) => client.catalogue.restore({ id }), CHANGED)

export const useDuplicateProduct = () => useChange((id: string) => client.catalogue.duplicate({ id }), CHANGED)

/** `setSwitch(product, { hot: true })`, `setSwitch(product, { isListed: false })` */
export function useProductSwitch() {
  return useRowChange<Product>({
    rows: adminProducts.key,
    send: ({ _id }, { hot, isListed }) => client.catalogue.update({ id: _id, hot, isListed }),
    stale: CATALOGUE,
  })
}

/** Puts the products into this order. */
export function useReorderProducts() {
  return useMutation({
    scope: { id: 'reorder-products' },
    mutationFn: (productIds: string[]) => client.catalogue.reorder({ productIds }),
    onSettled: CHANGED,
  })
}
