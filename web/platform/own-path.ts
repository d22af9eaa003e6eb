const OWN = 'http://own.invalid'

/** `next` when it is a path of this site, else the dashboard: a link must not be able to lead a person elsewhere after login. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/'
  try {
    // Read as the browser will read it, which leaves out tabs, takes a backslash for a slash and follows "..".
    const { origin, pathname, search, hash } = new URL(next, OWN)
    return origin === OWN && !pathname.startsWith('//') ? pathname + search + hash : '/'
  } catch {
    return '/'
  }
}
