import { useRef } from 'react'

/**
 * Ignores calls while the function runs, so that a double click acts once. A mutation's `isPending` is set too late for
 * the second click of a fast pair.
 *
 *   const submit = useOneAtATime(async () => { await mutation.mutateAsync(input) })
 */
export function useOneAtATime<A extends unknown[]>(work: (...args: A) => Promise<unknown>): (...args: A) => void {
  const isAtWork = useRef(false)
  return (...args) => {
    if (isAtWork.current) return
    isAtWork.current = true
    void work(...args).finally(() => {
      isAtWork.current = false
    })
  }
}
