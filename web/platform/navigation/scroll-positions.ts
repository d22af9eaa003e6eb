/** Keeps each page's scroll position for Back and reloads. */
import { keepTab, readTab } from '../tab-storage.ts'

interface Place {
  pathname: string
  hash: string
  /** Identifies the entry in this tab's history. */
  key: string
}

export type Arrival = 'first' | 'forward' | 'back'

const SCROLL_KEY = 'scroll'
const scrolls = new Map<string, number>()

export function keepScroll(location: Place | undefined): void {
  if (location) scrolls.set(location.key, window.scrollY)
}

export function placeScroll(location: Place, arrival: Arrival, before: Place | undefined): void {
  const samePage = before?.pathname === location.pathname
  if (arrival === 'forward' && samePage && !location.hash) return
  // Runs after the screen is drawn.
  requestAnimationFrame(() => {
    // Scrolled before the scripts came
    if (arrival === 'first' && window.scrollY > 0) return
    const target = location.hash ? document.getElementById(partOf(location.hash)) : null
    const kept = arrival === 'forward' ? undefined : scrolls.get(location.key)
    if (target && kept === undefined) target.scrollIntoView()
    else window.scrollTo(0, kept ?? 0)
  })
}

/** Returns the id that `#part` names, undecoded if its encoding is invalid. */
function partOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

export function saveScrolls(): void {
  keepTab(SCROLL_KEY, [...scrolls].slice(-50))
}

export function restoreScrolls(): void {
  const kept = readTab(SCROLL_KEY)
  if (Array.isArray(kept)) for (const [key, y] of kept) scrolls.set(key, y)
}
