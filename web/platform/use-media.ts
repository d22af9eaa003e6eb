import { useSyncExternalStore } from 'react'

/** Whether a media query holds, kept up to date. For choosing markup; what CSS can do alone is left to CSS. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}
