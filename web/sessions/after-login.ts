import { ownPath } from '../platform/navigation/own-path.ts'

/**
 * Returns a buyer's page after login: the one they came from, but no other login and no admin page.
 * @param hash of the login's own address, where the guard has left that of the page
 */
export function afterLogin(next: string | undefined, hash = ''): string {
  const path = ownPath(next)
  return /^\/(?:login|signup|admin)(?:[-/?#]|$)/.test(path) ? '/' : path + (path.includes('#') ? '' : hash)
}

/** Returns an admin's page after login, always one of the panel. */
export function afterAdminLogin(next: string | undefined): string {
  const path = ownPath(next)
  return /^\/admin(?:[/?#]|$)/.test(path) ? path : '/admin'
}
