/** The password of a new account, for its first login. It is in this page's memory alone, for a minute. */
const KEPT_MS = 60_000

let carried = ''

export function carryPassword(password: string): void {
  carried = password
  setTimeout(dropCarriedPassword, KEPT_MS)
}

export function dropCarriedPassword(): void {
  carried = ''
}

export const carriedPassword = (): string => carried
