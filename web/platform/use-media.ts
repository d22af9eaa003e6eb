import { useSyncExternalStore } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * True while a media query matches. For choosing markup only; CSS handles the rest.
 * @returns undefined on the server and until hydration, when CSS has to choose
 */
export function useMedia(query: string): boolean | undefined {
  const isAlive = useHydrated()
  const holds = () => (isAlive ? matchMedia(query).matches : undefined)
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    holds,
    () => undefined,
  )
}
