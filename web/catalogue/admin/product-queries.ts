import { useMutation, useQuery } from '@tanstack/react-query'
import type { Product } from '../../../contract/catalogue.ts'
import { adminProducts } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { client } from '../../platform/calls/client.ts'
import { makesStale } from '../../platform/calls/queries.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { useRowChange } from '../../platform/admin/use-row-change.ts'

const CATALOGUE = ['catalogue']
const STOCK_POLL_INTERVAL_MS = 30_000

/** All products in the shop's order, with list prices and the stock of each duration. */
export function useAdminProducts() {
  return useQuery({
    ...panelQuery(adminProducts),
    refetchInterval: usePollInterval(STOCK_POLL_INTERVAL_MS),
  })
}

export function useRemoveProduct() {
  return useMutation({
    mutationFn: (id: string) => client.catalogue.remove({ id }),
    onSettled: makesStale(CATALOGUE),
  })
}

/** Brings a deleted product back, as it was. */
export function useRestoreProduct() {
  return useMutation({
    mutationFn: (id: string) => client.catalogue.restore({ id }),
    onSettled: makesStale(CATALOGUE),
  })
}

export function useDuplicateProduct() {
  return useMutation({
    mutationFn: (id: string) => client.catalogue.duplicate({ id }),
    onSettled: makesStale(CATALOGUE),
  })
}

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
    onSettled: makesStale(CATALOGUE),
  })
}
