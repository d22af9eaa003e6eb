import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../platform/calls/client.ts'
import { usePollInterval } from '../../platform/calls/events.ts'

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

/** Loads the results of the nightly check and the state of the jobs. */
export function useHealthReport() {
  return useQuery({
    queryKey: ['reports', 'health'],
    queryFn: ({ signal }) => client.reports.healthReport({}, { signal }),
    refetchInterval: HEALTH_INTERVAL_MS,
  })
}

/** Loads the dashboard's figures for the last `days` days. */
export function useOverview(days: number) {
  return useQuery({
    queryKey: ['reports', 'overview', { days }],
    queryFn: ({ signal }) => client.reports.overview({ days }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}
