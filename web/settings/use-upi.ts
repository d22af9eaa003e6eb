import { useQuery } from '@tanstack/react-query'
import { BALANCE_POLL_INTERVAL_MS } from '../../contract/limits.ts'
import { client } from '../platform/calls/client.ts'
import { usePollInterval } from '../platform/calls/events.ts'

/** Returns the UPI details and if payments are on. They come with the page and stay fresh. */
export function useUpi() {
  return useQuery({
    queryKey: ['settings', 'upi'],
    queryFn: ({ signal }) => client.settings.upi({}, { signal }),
    refetchInterval: usePollInterval(BALANCE_POLL_INTERVAL_MS),
  })
}
