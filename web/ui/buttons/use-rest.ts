import { useEffect, useState } from 'react'
import { useHydrated } from '../../platform/use-hydrated.ts'

const REST_MS = 1_000

/**
 * Holds back a button that comes into the place of another one: the second of two quick presses was meant for that one.
 * Give the button `aria-disabled` and no `onClick` in that time.
 * @param what names what the button does
 * @param atFirst also when it appears, except in the page's first drawing, where a press before the scripts counts
 * @returns true for a second after `what` has changed
 */
export function useRest(what: string, atFirst = false): boolean {
  const isAlive = useHydrated()
  const [now, setNow] = useState({ what, isResting: atFirst && isAlive })
  if (now.what !== what) setNow({ what, isResting: true })
  useEffect(() => {
    if (!now.isResting) return undefined
    const timer = setTimeout(() => setNow({ what: now.what, isResting: false }), REST_MS)
    return () => clearTimeout(timer)
  }, [now])
  return now.isResting
}
