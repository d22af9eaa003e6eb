/**
 * The server's time. Keys run out by the server's clock, and a phone's can be wrong by hours; so every
 * countdown asks here and not Date.now().
 */
import { useEffect, useState } from 'react'

let offsetMs = 0
/** Set while time stands still. */
let drawnAt: number | undefined

/** @param iso the server's time as it was a moment ago */
export function setServerTime(iso: string): void {
  const server = Date.parse(iso)
  if (Number.isFinite(server)) offsetMs = server - Date.now()
}

/** Time stands still at the moment of the server's drawing until the page is alive, so that both say the same. */
export function holdTime(iso: string): void {
  drawnAt = Date.parse(iso)
}

export function releaseTime(): void {
  drawnAt = undefined
}

/** Milliseconds since 1970 by the server's clock. */
export function serverNow(): number {
  return drawnAt ?? Date.now() + offsetMs
}

/** The server's time, again every `intervalMs` and when the page is shown after having been hidden. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const tick = () => setNow(serverNow())
    const timer = setInterval(tick, intervalMs)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [intervalMs])
  return now
}
