/** Keeps small data over a reload, for this tab or in cookies. Either can be off or full, and then nothing is kept. */

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

/** @returns the page's own cookies */
export function readCookies(): string {
  try {
    return document.cookie
  } catch {
    return ''
  }
}

export function keepCookie(name: string, value: string, seconds: number, path = '/'): void {
  try {
    document.cookie = `${name}=${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax`
  } catch {
    // The next page asks again
  }
}
