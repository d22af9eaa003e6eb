import { useSyncExternalStore } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * Whether a media query holds, kept up to date. For choosing markup; what CSS can do alone is left to CSS.
 * @returns undefined on the server and while its drawing comes alive: there CSS has to choose
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
