/**
 * Gives the server's time. Keys expire by the server's clock and a phone's can be hours wrong, so every countdown uses
 * this and never Date.now().
 */
import { useEffect, useState } from 'react'

let offsetMs = 0
/** Set from the server's drawing until the page is hydrated, so that both show one time. */
let drawnAt: number | undefined

/** @param iso the server's time a moment ago */
export function setServerTime(iso: string): void {
  const server = Date.parse(iso)
  if (Number.isFinite(server)) offsetMs = server - Date.now()
}

/** Nothing differs by more, except after a step. A `Date` has no ms, and an answer may be slow. */
const STEP_MS = 60_000

/**
 * Follows the server again after a step of this device's clock, as when a phone hears the time from its network.
 * @param date header of an answer, by the store's clock
 */
export function followServerTime(date: string | null): void {
  const server = Date.parse(date ?? '')
  if (Math.abs(server - Date.now() - offsetMs) > STEP_MS) offsetMs = server - Date.now()
}

let onStep = (): void => {}

/** @param listener asks the server something, because only an answer brings its time. Called after a sleep, too */
export function watchSteps(listener: () => void): void {
  onStep = listener
}

/** Holds time at the moment of the server's drawing until the page is hydrated, so that both show the same. */
export function holdTime(iso: string): void {
  drawnAt = Date.parse(iso)
}

export function releaseTime(): void {
  drawnAt = undefined
}

export const isTimeHeld = (): boolean => drawnAt !== undefined

/** Returns milliseconds since 1970 by the server's clock. */
export function serverNow(): number {
  return drawnAt ?? Date.now() + offsetMs
}

/** Returns the server's time, updated every `intervalMs` and when a hidden page shows again. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    let last = Date.now()
    const tick = () => {
      const at = Date.now()
      if (!document.hidden && (at < last || at - last > intervalMs + STEP_MS)) onStep()
      last = at
      setNow(serverNow())
    }
    const timer = setInterval(tick, intervalMs)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [intervalMs])
  return now
}
