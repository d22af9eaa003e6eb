import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { HistoryEntry } from '../../contract/wallet.ts'
import { BALANCE_POLL_INTERVAL_MS } from '../../contract/limits.ts'
import { client } from '../platform/calls/client.ts'
import { usePollInterval } from '../platform/calls/events.ts'
import { useSession } from '../platform/session/session.ts'
import { addUp, totalUp, type WalletTotals } from './wallet-totals.ts'

const PAGE_SIZE = 50
/** The server's largest page, so that an ordinary wallet takes one call. */
const TOTALS_PAGE_SIZE = 1_000
/** Lists with more pages are not polled, because a poll fetches every page. */
const POLLED_PAGES_MAX = 4

/** Returns the buyer's transactions, newest first, page by page. */
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

/** Returns all money added and used since the first transaction. */
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
    // A short history that came with the page already has everything to add up.
    placeholderData: () => {
      const history = queries.getQueryData<InfiniteData<HistoryEntry[]>>(['wallet', 'history'])
      const first = history?.pages[0]
      return first && first.length < PAGE_SIZE ? addUp(first) : undefined
    },
    enabled: user !== null,
    refetchInterval: usePollInterval(BALANCE_POLL_INTERVAL_MS),
  })
}
