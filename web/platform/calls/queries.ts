import { QueryClient, type DefaultOptions } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const STALE_AFTER_MS = 10_000
const RETRIES = 3

const DEFAULTS: DefaultOptions = {
  queries: {
    staleTime: STALE_AFTER_MS,
    // Always tries, because the browser's idea of being online may be wrong.
    networkMode: 'always',
    // Retries only passing faults, because a refusal stays the same.
    retry: (failures, error) => failures < RETRIES && error instanceof ApiError && error.isPassing,
  },
  mutations: { networkMode: 'always' },
}

/** Creates the queries of one page. The server uses this too, so that both agree on stale data. */
export const createQueries = () => new QueryClient({ defaultOptions: DEFAULTS })

/**
 * Keys are lists that start with the feature: ['wallet', 'history'], ['payments', 'list', input]. A change can then
 * refetch by feature (use-call.ts).
 */
export const queryClient = createQueries()
