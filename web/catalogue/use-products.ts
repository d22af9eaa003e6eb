import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Product } from '../../contract/catalogue.ts'
import { client } from '../platform/calls/client.ts'
import { usePollInterval } from '../platform/calls/events.ts'
import { useSession } from '../platform/session/session.ts'
import { asSeenBy } from './products-for-buyer.ts'

/** Stock changes with every sale, so it is polled while events don't arrive. */
const STOCK_POLL_INTERVAL_MS = 30_000

/** Returns the products as this buyer sees them: custom prices, and none that is hidden or not listed. */
export function useProducts() {
  const { user } = useSession()
  const products = useQuery({
    queryKey: ['catalogue', 'products'],
    queryFn: ({ signal }) => client.catalogue.list({}, { signal }),
    refetchInterval: usePollInterval(STOCK_POLL_INTERVAL_MS),
  })
  // If this browser has an admin session, the server answers with list prices and products that are not listed
  const data = useMemo(
    () => (products.data && isForAdmins(products.data) ? asSeenBy(user, products.data) : products.data),
    [user, products.data],
  )
  return { ...products, data }
}

/** Reads this from the answer, because an admin login in another tab is not in this tab's session. */
function isForAdmins(products: readonly Product[]): boolean {
  return products.some(({ isListed }) => isListed !== undefined)
}
