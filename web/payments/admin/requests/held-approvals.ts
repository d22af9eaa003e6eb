/**
 * Approvals that can still be taken back. Nothing of them is sent before 5 s are over or the page is left. Leaving is
 * another screen, a logout, a hidden tab, or a closed one.
 */
import { createStore, useStore } from '../../../platform/store.ts'

const UNDO_MS = 5_000
/** A logout waits no longer for the network. */
const PATIENCE_MS = 3_000

interface Held {
  end: (isSent: boolean) => void
  together: symbol
}

const held = createStore<ReadonlyMap<string, Held>>(new Map())

function release(id: string, isSent: boolean): void {
  const found = held.get().get(id)
  if (!found) return
  held.set(new Map([...held.get()].filter(([each]) => each !== id)))
  found.end(isSent)
}

let together: symbol | undefined

/** Those of one press go together. With a timer each, an Undo that comes between two takes back the rest only. */
function thesePressed(): symbol {
  if (together) return together
  const these = Symbol('together')
  setTimeout(() => {
    for (const [id, one] of held.get()) if (one.together === these) release(id, true)
  }, UNDO_MS)
  queueMicrotask(() => (together = undefined))
  return (together = these)
}

/** @returns true when the approval is to be sent now, false if it was taken back */
export function hold(id: string): Promise<boolean> {
  // The same listeners are added once
  addEventListener('pagehide', sendHeld)
  document.addEventListener('visibilitychange', sendHidden)
  return new Promise((end) => held.set(new Map(held.get()).set(id, { end, together: thesePressed() })))
}

function sendHidden(): void {
  if (document.hidden) sendHeld()
}

/** As long as taps rest after an Undo (under-finger.ts), so that a button that takes none shows it. */
const UNDONE_MS = 2_000

const undone = createStore(0)

export function takeBack(...ids: readonly string[]): void {
  ids.forEach((id) => release(id, false))
  undone.set(undone.get() + 1)
  setTimeout(() => undone.set(undone.get() - 1), UNDONE_MS)
}

/** True for a while after an Undo. What approves then may have come under the finger, and must not approve again. */
export const useUndone = (): boolean => useStore(undone) > 0

const sending = new Set<Promise<unknown>>()

/** Notes a decision that is on its way. */
export function track<T>(decision: Promise<T>): Promise<T> {
  sending.add(decision)
  void decision.finally(() => sending.delete(decision))
  return decision
}

/** Lets all of them go, and waits until they have arrived: a logout would overtake them. */
export async function settleHeld(): Promise<void> {
  sendHeld()
  await Promise.resolve()
  await Promise.race([Promise.allSettled(sending), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

/** Lets all of them go now. */
export function sendHeld(): void {
  for (const id of held.get().keys()) release(id, true)
}

/** @returns the ids, the latest last */
export const useHeld = (): readonly string[] => [...useStore(held).keys()]

export const lastHeld = (): string | undefined => [...held.get().keys()].at(-1)
