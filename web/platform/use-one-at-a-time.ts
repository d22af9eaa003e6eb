import { useRef } from 'react'

/**
 * The same function, deaf while it is at work: a double click does one thing. A mutation's `isPending` can't be asked
 * for that, since it is told a moment later, after the second click of a fast pair.
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
