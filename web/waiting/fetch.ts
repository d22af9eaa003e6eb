/** What the store orders at its supplier for a buyer. */
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { renew } from '../platform/calls/use-call.ts'

const ASK_MS = 2_000

/** Asks again and again while keys are on their way, because nothing says that they don't come. */
export function useFetch() {
  const { data } = useQuery({
    queryKey: ['waiting', 'fetch'],
    queryFn: ({ signal }) => client.waiting.fetch({}, { signal }),
    refetchInterval: ({ state }) => (state.data?.fetch?.state === 'coming' ? ASK_MS : false),
  })
  const fetch = data?.fetch
  const hasCome = fetch?.state === 'bought'
  useEffect(() => {
    if (hasCome) void Promise.all([renew('orders'), renew('waiting')])
  }, [hasCome])
  return fetch
}
