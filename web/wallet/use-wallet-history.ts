import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { HistoryEntry } from '../../contract/wallet.ts'
import { BALANCE_POLL_INTERVAL_MS } from '../../contract/limits.ts'
import { client } from '../platform/client.ts'
import { usePollInterval } from '../platform/events.ts'
import { useSession } from '../platform/session.ts'
import { addUp, totalUp, type WalletTotals } from './wallet-totals.ts'

const PAGE_SIZE = 50
/** The largest page that the server gives: an ordinary wallet is added up in one call. */
const TOTALS_PAGE_SIZE = 1_000
/** A list that has been scrolled far down is not fetched again and again; its first page says when it is old. */
const POLLED_PAGES_MAX = 4

/** The person's movements, newest first, a page at a time. */
export function useWalletHistory() {
  const { user } = useSession()
  const interval = usePollInterval(BALANCE_POLL_INTERVAL_MS)
  return useInfiniteQuery({
    queryKey: ['wallet', 'history'],
    queryFn: ({ pageParam, signal }) =>
      client.wallet.history({ limit: PAGE_SIZE, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?._id),
    enabled: user !== null,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > POLLED_PAGES_MAX ? false : interval),
  })
}

/** What came in and what went out since the first movement. */
export function useWalletTotals() {
  const { user } = useSession()
  const queries = useQueryClient()
  const queryKey = ['wallet', 'totals', user?.id]
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      totalUp(
        (before) => client.wallet.history({ limit: TOTALS_PAGE_SIZE, ...(before && { before }) }, { signal }),
        TOTALS_PAGE_SIZE,
        queries.getQueryData<WalletTotals>(queryKey),
      ),
    // A short history that came with the page is all there is to add up.
    placeholderData: () => {
      const history = queries.getQueryData<InfiniteData<HistoryEntry[]>>(['wallet', 'history'])
      const first = history?.pages[0]
      return first && first.length < PAGE_SIZE ? addUp(first) : undefined
    },
    enabled: user !== null,
    refetchInterval: usePollInterval(BALANCE_POLL_INTERVAL_MS),
  })
}
