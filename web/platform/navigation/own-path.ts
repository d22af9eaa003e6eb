const OWN = 'http://own.invalid'

/** Returns `next` if it is a path of this site, else the dashboard, so that a link can't lead elsewhere after login. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/'
  try {
    // Parses it like the browser, which drops tabs, reads a backslash as a slash and follows "..".
    const { origin, pathname, search, hash } = new URL(next, OWN)
    return origin === OWN && !pathname.startsWith('//') ? pathname + search + hash : '/'
  } catch {
    return '/'
  }
}
