import { QueryClient, type DefaultOptions, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const STALE_AFTER_MS = 10_000
const RETRIES = 3

const DEFAULTS: DefaultOptions = {
  queries: {
    staleTime: STALE_AFTER_MS,
    // The browser's idea of being online is no reason not to try; the answer, or none, is what counts.
    networkMode: 'always',
    // A refusal stays one, however often it is asked; only a passing fault is tried again.
    retry: (failures, error) => failures < RETRIES && error instanceof ApiError && error.isPassing,
  },
  mutations: { networkMode: 'always' },
}

/** The server draws with those of one page, and by the same rules: what counts as old there is old here. */
export const createQueries = () => new QueryClient({ defaultOptions: DEFAULTS })

/**
 * Keys are lists that start with the feature: ['wallet', 'history'], ['payments', 'list', input]. A mutation can then
 * say what it has made stale by feature: `queryClient.invalidateQueries({ queryKey: ['wallet'] })`.
 */
export const queryClient = createQueries()

/**
 * For a mutation's `onSettled`: what it has put out of date. After a success its caller waits until the new rows are
 * there; a failure is said at once, however long they take.
 */
export function makesStale(...queryKeys: QueryKey[]) {
  return (_answer: unknown, failure: Error | null): Promise<unknown> | undefined => {
    const renewed = Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    return failure ? undefined : renewed
  }
}
