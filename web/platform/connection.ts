import { createStore, useStore } from './store.ts'

/** One failed call may be chance; the line about it appears only when the fault lasts. */
const SHOW_AFTER_MS = 1_500

const unreachable = createStore(false)
let pending: ReturnType<typeof setTimeout> | undefined
const owed = new Set<() => unknown>()

/** The server has answered, whatever it said. */
export function markReached(): void {
  clearTimeout(pending)
  pending = undefined
  unreachable.set(false)
  const asks = [...owed]
  owed.clear()
  for (const ask of asks) ask()
}

/** Calls `ask` once the server answers anything: what it asks for was asked in vain, and is not tried again otherwise. */
export function askWhenReached(ask: () => unknown): void {
  owed.add(ask)
}

/** A call got no answer, or one from a server that is away for a moment. */
export function markUnreached(): void {
  pending ??= setTimeout(() => unreachable.set(true), SHOW_AFTER_MS)
}

/** True while the store can't be reached; what is on the screen stays there. */
export function useReconnecting(): boolean {
  return useStore(unreachable)
}
