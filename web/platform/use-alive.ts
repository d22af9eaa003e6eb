import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server, and while its drawing comes alive: for what comes by script, or what only the browser knows. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
