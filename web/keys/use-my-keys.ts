import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/client.ts'
import { useSession } from '../platform/session.ts'

/** All keys of the signed-in person, newest first. A purchase makes them stale; the countdowns need no call. */
export function useMyKeys() {
  const { user } = useSession()
  return useQuery({
    queryKey: ['keys', 'mine'],
    queryFn: ({ signal }) => client.keys.mine({}, { signal }),
    enabled: user !== null,
    staleTime: 30_000,
  })
}
