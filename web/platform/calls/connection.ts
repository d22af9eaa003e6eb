import { createStore, useStore } from '../store.ts'

/** A single failed call may be chance, so the line appears only when the fault lasts. */
const SHOW_AFTER_MS = 1_500

const unreachable = createStore(false)
let pending: ReturnType<typeof setTimeout> | undefined
const owed = new Set<() => unknown>()

/** Notes any answer of the server, whatever it said. */
export function markReached(): void {
  clearTimeout(pending)
  pending = undefined
  unreachable.set(false)
  const asks = [...owed]
  owed.clear()
  for (const ask of asks) ask()
}

/** Calls `ask` once the server answers again, because nothing else would retry that call. */
export function askWhenReached(ask: () => unknown): void {
  owed.add(ask)
}

/** Notes a call without an answer, or one from a server that is briefly away. */
export function markUnreached(): void {
  pending ??= setTimeout(() => unreachable.set(true), SHOW_AFTER_MS)
}

/** True while the store can't be reached. The screen keeps its content. */
export const useReconnecting = (): boolean => useStore(unreachable)
