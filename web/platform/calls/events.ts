/** Says whether live updates arrive. They are received by event-stream.ts, which comes after the first load. */
import { createStore, useStoreSoon } from '../store.ts'

export const live = createStore(false)

/** True while events arrive. */
export const useLive = (): boolean => useStoreSoon(live)

/**
 * For `refetchInterval`: polls every `intervalMs` only while events don't get through. Query does not poll hidden
 * pages.
 *
 *   useQuery({ …, refetchInterval: usePollInterval(BALANCE_POLL_INTERVAL_MS) })
 */
export function usePollInterval(intervalMs: number): number | false {
  return useLive() ? false : intervalMs
}
