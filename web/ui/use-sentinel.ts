import { useCallback, useEffect, useRef } from 'react'

/** Loads early enough that the person does not see the end of the list. */
const AHEAD = '800px'

/**
 * For the `ref` of an element: calls `onNear` when it comes near the screen. Give the element a new `key` per answer,
 * because a short page may leave it near, news may end a fetch, and only a new element reports again.
 */
export function useSentinel(onNear: () => void): (element: HTMLElement | null) => (() => void) | undefined {
  const call = useRef(onNear)
  useEffect(() => {
    call.current = onNear
  })
  return useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) call.current()
      },
      { rootMargin: `${AHEAD} 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
}
