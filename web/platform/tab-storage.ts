/** Keeps small data for this tab over a reload. Storage can be off or full, and then nothing is kept. */

/** @returns null if nothing is kept. It may be of an older version of the page */
export function readTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** @param value null forgets it */
export function keepTab(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The page goes on without it.
  }
}
