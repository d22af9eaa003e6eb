import { createStore, useStoreSoon } from './store.ts'

const alive = createStore(false)

/** The page answers, be it drawn by the server or here. */
export function markHydrated(): void {
  alive.set(true)
}

/** False on the server, and while its drawing comes alive: for what comes by script, or what only the browser knows. */
export function useHydrated(): boolean {
  return useStoreSoon(alive)
}
