import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../platform/client.ts'
import { usePollInterval } from '../../platform/events.ts'

const POLL_INTERVAL_MS = 30_000

/** The five counters of the store. */
export function useStats() {
  return useQuery({
    queryKey: ['reports', 'stats'],
    queryFn: ({ signal }) => client.reports.stats({}, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

const HEALTH_INTERVAL_MS = 5 * 60_000

/** Whether the nightly check found the books in order, and the jobs are done. */
export function useHealthReport() {
  return useQuery({
    queryKey: ['reports', 'health'],
    queryFn: ({ signal }) => client.reports.healthReport({}, { signal }),
    refetchInterval: HEALTH_INTERVAL_MS,
  })
}

/** What an owner looks at first, with the last `days` days. */
export function useOverview(days: number) {
  return useQuery({
    queryKey: ['reports', 'overview', { days }],
    queryFn: ({ signal }) => client.reports.overview({ days }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}
