/**
 * Retries a logout that failed offline, when the network is back or with the next page. Until it succeeds, the cookie
 * still opens the account for the next person on this device. Another cookie then tells the server to draw no page of
 * that account.
 */
import { logoutOwedCookie } from '../../../contract/cookies.ts'
import { keepCookie, readCookies } from '../tab-storage.ts'
import { client } from '../calls/client.ts'

type Who = 'buyer' | 'admin'

/** Waits no longer for an answer, because the person already appears logged out. */
const PATIENCE_MS = 2_000
/** Longer than any session lasts. */
const YEAR_S = 31_536_000

const onTheWay: Partial<Record<Who, AbortController>> = {}

/** Ends the session on the server, or as soon as it can be reached. Waits only briefly for the answer. */
export async function logOut(who: Who): Promise<void> {
  // Noted before sending, because the page may close without an answer.
  oweFor(who, YEAR_S)
  addEventListener('online', () => void flushPendingLogouts(), { once: true })
  await Promise.race([flush(who), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

export async function flushPendingLogouts(): Promise<void> {
  for (const who of ['buyer', 'admin'] as const) if (isLogoutPending(who)) await flush(who)
}

/** Forgets a pending logout: it succeeded, or someone logged in since and a late answer would remove their cookie. */
export function clearPendingLogout(who: Who): void {
  onTheWay[who]?.abort()
  delete onTheWay[who]
  oweFor(who, 0)
}

export function isLogoutPending(who: Who): boolean {
  return readCookies().includes(logoutOwedCookie(who))
}

function oweFor(who: Who, seconds: number): void {
  keepCookie(logoutOwedCookie(who), '1', seconds)
}

async function flush(who: Who): Promise<void> {
  const { signal } = (onTheWay[who] ??= new AbortController())
  const { logout, adminLogout } = client.sessions
  // A failed logout stays pending.
  await (who === 'buyer' ? logout : adminLogout)({}, { signal }).then(
    () => clearPendingLogout(who),
    () => undefined,
  )
}
