import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Product } from '../../contract/catalogue.ts'
import { client } from '../platform/client.ts'
import { usePollInterval } from '../platform/events.ts'
import { useSession } from '../platform/session.ts'
import { asSeenBy } from './products-for-buyer.ts'

/** Stock moves with every sale; where no event tells of it, it is asked for. */
const STOCK_POLL_INTERVAL_MS = 30_000

/** The products of the store as this person sees them: their own prices, without those hidden from them. */
export function useProducts() {
  const { user } = useSession()
  const products = useQuery({
    queryKey: ['catalogue', 'products'],
    queryFn: ({ signal }) => client.catalogue.list({}, { signal }),
    refetchInterval: usePollInterval(STOCK_POLL_INTERVAL_MS),
  })
  // In a browser that is also signed in as admin the server answers with list prices; a buyer still pays their own.
  const data = useMemo(
    () => (user && products.data && isForAdmins(products.data) ? asSeenBy(user, products.data) : products.data),
    [user, products.data],
  )
  return { ...products, data }
}

/** The answer tells, and not the session: an admin who logs in or out in another tab is not known in this one. */
function isForAdmins(products: readonly Product[]): boolean {
  return products.some(({ prices }) => prices.some(({ lowStockBelow }) => lowStockBelow !== undefined))
}
