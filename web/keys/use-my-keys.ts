import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { useSession } from '../platform/session/session.ts'

/** Returns all the buyer's keys, newest first. A purchase refetches them. Countdowns need no call. */
export function useMyKeys() {
  const { user } = useSession()
  return useQuery({
    queryKey: ['keys', 'mine'],
    queryFn: ({ signal }) => client.keys.mine({}, { signal }),
    enabled: user !== null,
    staleTime: 30_000,
  })
}
