/**
 * Receives live updates: server-sent events if they get through, else the specification's polling.
 * An event only says what to refetch, so nothing depends on one arriving. After every gap everything is refetched.
 */
import { LIVE_EVENTS, NEWS, type LiveEvent } from '../../../contract/live.ts'
import { live } from './events.ts'

const RETRY_MS = [2_000, 5_000, 15_000, 60_000] as const
/** Data younger than this when the stream opens is current. Otherwise all is refetched. */
const FRESH_MS = 1_000
/** A hidden page keeps its stream this long, so that a glance at another app costs nothing. */
const HIDDEN_CLOSE_MS = 60_000

const listeners = new Set<(event: LiveEvent) => void>()

let source: EventSource | undefined
let wanted = false
let failures = 0
let retryTimer: ReturnType<typeof setTimeout> | undefined
let hiddenTimer: ReturnType<typeof setTimeout> | undefined
/** When the shown data was true, by performance.now(). */
let knownAt = 0

/** Calls `listener` for each event, and for every kind after a gap that may have hidden some. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Opens the stream and returns a function that closes it. Only for signed-in people.
 * @param since when the shown data was fetched, by performance.now(); 0 for data that came with the page
 */
export function connectEvents(since: number): () => void {
  wanted = true
  failures = 0
  knownAt = since
  open()
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', openAnew)
  return () => {
    wanted = false
    close()
    clearTimeout(hiddenTimer)
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', openAnew)
  }
}

function open(): void {
  clearTimeout(retryTimer)
  if (!wanted || source || document.hidden) return
  source = new EventSource('/api/events')
  source.addEventListener('open', () => {
    failures = 0
    live.set(true)
    const isGap = performance.now() - knownAt > FRESH_MS
    if (isGap) NEWS.forEach(emit)
    // Every further opening follows a gap.
    knownAt = -Infinity
  })
  source.addEventListener('error', () => {
    live.set(false)
    // The browser retries a broken stream, but gives up on a refused one.
    if (source?.readyState !== EventSource.CLOSED) return
    close()
    retryTimer = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)])
    failures += 1
  })
  for (const name of LIVE_EVENTS) source.addEventListener(name, () => emit(name))
}

/** The wait of a broken stream may be long, and the network is back. */
function openAnew(): void {
  close()
  failures = 0
  open()
}

function close(): void {
  clearTimeout(retryTimer)
  source?.close()
  source = undefined
  live.set(false)
}

function onVisibility(): void {
  clearTimeout(hiddenTimer)
  if (document.hidden) hiddenTimer = setTimeout(close, HIDDEN_CLOSE_MS)
  else open()
}

function emit(name: LiveEvent): void {
  for (const listener of listeners) listener(name)
}
