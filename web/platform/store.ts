import { startTransition, useEffect, useState, useSyncExternalStore } from 'react'

/** A value that lives outside React, so that plain modules can set it and components can watch it. */
export interface Store<T> {
  get: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
  /** As the server has drawn it. */
  drawn: () => T
}

/** @param drawn what the server draws, where the first value comes from the tab's storage and the server has none */
export function createStore<T>(initial: T, ...drawn: [T?]): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    drawn: () => (drawn.length > 0 ? (drawn[0] as T) : value),
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.drawn)
}

/**
 * As `useStore`, for what may show a moment later: React draws the change of a store at once and in one go, and what this
 * brings in pieces, between which the page takes input.
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
