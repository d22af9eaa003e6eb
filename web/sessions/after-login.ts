import { ownPath } from '../platform/own-path.ts'

/** Where a buyer goes after login: back to where they came from, but not to another way in, nor to the admin's rooms. */
export function afterLogin(next: string | undefined): string {
  const path = ownPath(next)
  return /^\/(?:login|signup|admin)(?:[-/?#]|$)/.test(path) ? '/' : path
}

/** The same for an admin, who stays among the admin's pages. */
export function afterAdminLogin(next: string | undefined): string {
  const path = ownPath(next)
  return /^\/admin(?:[/?#]|$)/.test(path) ? path : '/admin'
}
