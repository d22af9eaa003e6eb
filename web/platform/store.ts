import { startTransition, useEffect, useState, useSyncExternalStore } from 'react'
import { isTimeHeld } from './clock.ts'

/** Holds a value outside React, so that plain modules can set it and components can watch it. */
interface Store<T> {
  get: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
  /** Value in the server's drawing. It stays while the page hydrates, because a change would not match the drawing. */
  drawn: () => T
}

/** @param drawn the server's value, if the first value comes from the tab's storage, which the server lacks */
export function createStore<T>(initial: T, drawn = initial): Store<T> {
  let value = initial
  let held = drawn
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      if (!isTimeHeld()) held = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    drawn: () => held,
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.drawn)
}

/**
 * Like `useStore`, but may show a moment later. React draws a store's change in one go; this draws in pieces, so that
 * the page can take input in between.
 */
export function useStoreSoon<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get)
  useEffect(() => {
    const follow = () => startTransition(() => setValue(store.get))
    follow()
    return store.subscribe(follow)
  }, [store])
  return value
}
