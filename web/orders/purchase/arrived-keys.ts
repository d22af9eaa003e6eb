/** Keys that the store buys for a buyer who looks at Buy Key: when a payment is approved, or from the waiting list. */
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { OwnedKey } from '../../../contract/keys.ts'
import type { Wish } from '../../../contract/orders.ts'
import type { OwnPlace } from '../../../contract/waiting.ts'
import { useMyKeys } from '../../keys/use-my-keys.ts'
import { useOwnRequests } from '../../payments/use-own-requests.ts'
import { serverNow } from '../../platform/clock.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { useSearch } from '../../platform/navigation/router.tsx'
import { createStore, useStore } from '../../platform/store.ts'
import { keepTab, readTab } from '../../platform/tab-storage.ts'
import { useHydrated } from '../../platform/use-hydrated.ts'

const STORAGE_KEY = 'seen-keys'
const SEEN_MAX = 20
/** Keys that were bought while nobody looked are news for so long, in ms. Later they are in My Key. */
const NEWS_MS = 3_600_000
/** A reload brings new keys back for this long, in ms. */
const KEPT_MS = 10 * 60_000

/** When the keys of an order were shown first, in ms since 1970 by the store's clock. 0 once they were put away. */
type Seen = Record<string, number>

const seen = createStore((readTab(STORAGE_KEY) ?? {}) as Seen)

interface Arrival {
  /** Undefined for the moment until they have come, too. */
  keys: readonly OwnedKey[] | undefined
  count: number
  putAway: () => void
}

/** @returns the keys to show in the form's place. They stay until the buyer puts them away or leaves */
export function useArrival(): Arrival | undefined {
  const { product } = useSearch('/buy')
  const shown = useStore(seen)
  const all = useMyKeys().data
  const [byWish, fromQueue] = [useBoughtByWish(shown, product), useBoughtFromQueue(shown, all)]
  // What was shown before is known to the browser alone
  const orderId = useHydrated() ? (byWish?.orderId ?? fromQueue) : undefined
  const keys = all?.filter((key) => key.orderId === orderId)
  const isHere = orderId !== undefined && keys !== undefined && keys.length > 0
  useEffect(() => {
    if (!orderId) return
    if (!isHere) void queryClient.invalidateQueries({ queryKey: ['keys', 'mine'] })
    else if (seen.get()[orderId] === undefined) keep(orderId, serverNow())
  }, [orderId, isHere])
  if (!orderId) return undefined
  const count = isHere ? keys.length : (byWish?.quantity ?? 1)
  return { keys: isHere ? keys : undefined, count, putAway: () => putAway(orderId) }
}

/** Shows these keys no more in the form's place. They are in My Key. */
export const putAway = (orderId: string): void => keep(orderId, 0)

const isNews = (shown: Seen, orderId: string): boolean => serverNow() - (shown[orderId] ?? serverNow()) < KEPT_MS

function useBoughtByWish(shown: Seen, product: string | undefined): Pick<Wish, 'orderId' | 'quantity'> | undefined {
  const wished = product?.trim().toLowerCase()
  for (const { then, decidedAt } of useOwnRequests().data ?? []) {
    if (then?.state !== 'bought' || !then.orderId || !isNews(shown, then.orderId)) continue
    if (decidedAt === null || serverNow() - Date.parse(decidedAt) > NEWS_MS) continue
    if (wished === undefined || wished === then.productName.toLowerCase()) return then
  }
  return undefined
}

/** The list says no more of a place that was served. So this keeps those that it had while the page is open. */
function useBoughtFromQueue(shown: Seen, all: readonly OwnedKey[] | undefined): string | undefined {
  const { data: places } = useQuery<OwnPlace[]>({ queryKey: ['waiting', 'places'], enabled: false })
  const [promised, setPromised] = useState<readonly OwnPlace[]>([])
  const fresh = places?.filter(({ _id, autoMax }) => autoMax !== null && !promised.some((each) => each._id === _id))
  if (fresh?.length) setPromised([...promised, ...fresh])
  const bought = all?.find(
    ({ orderId, productId, duration, assignedAt }) =>
      orderId !== undefined &&
      isNews(shown, orderId) &&
      promised.some(
        (place) => place.productId === productId._id && place.duration === duration && place.createdAt < assignedAt,
      ),
  )
  return bought?.orderId
}

function keep(orderId: string, shownAt: number): void {
  const entries = Object.entries({ ...seen.get(), [orderId]: shownAt })
  seen.set(Object.fromEntries(entries.slice(-SEEN_MAX)))
  keepTab(STORAGE_KEY, seen.get())
}
