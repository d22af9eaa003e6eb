/** `next` when it is a path of this site, else the dashboard: a link must not be able to lead a person elsewhere after login. */
export function ownPath(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/'
}
