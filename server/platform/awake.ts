/** How long this program has run without a pause. A machine that slept wakes up with all its jobs overdue. */
import type { Clock } from './clock.ts'

const BEAT_MS = 5_000
/** Without a beat for this long, the machine slept. */
const PAUSE_MS = 60_000

let beats: { clock: Clock; wokeAt: Date; last: Date } | undefined

/** Notes pauses until `signal` aborts. */
export function noticePauses(clock: Clock, signal: AbortSignal): void {
  beats = { clock, wokeAt: clock.now(), last: clock.now() }
  const timer = setInterval(awakeForMs, BEAT_MS)
  timer.unref()
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    beats = undefined
  })
}

/** @returns milliseconds, or Infinity where nobody notices pauses */
export function awakeForMs(): number {
  if (!beats) return Infinity
  const now = beats.clock.now()
  if (now.getTime() - beats.last.getTime() > PAUSE_MS) beats.wokeAt = now
  beats.last = now
  return now.getTime() - beats.wokeAt.getTime()
}
