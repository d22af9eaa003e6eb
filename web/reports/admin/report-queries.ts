import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { health, overviewOf, stats } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { usePollInterval } from '../../platform/calls/events.ts'

const POLL_INTERVAL_MS = 30_000

/** The five counters of the store. */
export function useStats() {
  return useQuery({
    ...panelQuery(stats),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

const HEALTH_INTERVAL_MS = 5 * 60_000

/** Loads the results of the nightly check and the state of the jobs. */
export function useHealthReport() {
  return useQuery({
    ...panelQuery(health),
    refetchInterval: HEALTH_INTERVAL_MS,
  })
}

/** Loads the dashboard's figures for the last `days` days. */
export function useOverview(days: number) {
  return useQuery({
    ...panelQuery(overviewOf(days)),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}
