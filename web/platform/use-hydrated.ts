import { createStore, useStoreSoon } from './store.ts'

const alive = createStore(false)

/** Notes that the page takes input, drawn by the server or here. */
export function markHydrated(): void {
  alive.set(true)
}

/** False on the server and until hydration, for parts that need a script or the browser. */
export const useHydrated = (): boolean => useStoreSoon(alive)
