import { useQuery } from '@tanstack/react-query'
import { BALANCE_POLL_INTERVAL_MS } from '../../contract/limits.ts'
import { client } from '../platform/calls/client.ts'
import { usePollInterval } from '../platform/calls/events.ts'
import { useSession } from '../platform/session/session.ts'

/** Returns the buyer's own top-up requests, newest first. Reviews arrive without a reload. */
export function useOwnRequests() {
  const { user } = useSession()
  return useQuery({
    queryKey: ['payments', 'mine'],
    queryFn: ({ signal }) => client.payments.mine({}, { signal }),
    enabled: user !== null,
    refetchInterval: usePollInterval(BALANCE_POLL_INTERVAL_MS),
  })
}
