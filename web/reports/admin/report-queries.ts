import { keepPreviousData } from '@tanstack/react-query'
import { health, overviewOf, stats } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'

const POLL_INTERVAL_MS = 30_000

/** The five counters of the store. */
export const useStats = () => usePanel(stats, { pollMs: POLL_INTERVAL_MS })

const HEALTH_INTERVAL_MS = 5 * 60_000

/** Loads the results of the nightly check and the state of the jobs. */
export const useHealthReport = () => usePanel(health, { refetchInterval: HEALTH_INTERVAL_MS })

/** Loads the dashboard's figures for the last `days` days. */
export const useOverview = (days: number) =>
  usePanel(overviewOf(days), { placeholderData: keepPreviousData, pollMs: POLL_INTERVAL_MS })
