/**
 * Logouts that have not reached the store. The cookie goes on opening the account then, and whoever uses this device
 * next would find it open; so the logout is sent again when the network is back, at the latest by the next page. Until
 * then a cookie of its own tells the server to draw no page of that person.
 */
import { logoutOwedCookie } from '../../contract/cookies.ts'
import { client } from './client.ts'

type Who = 'buyer' | 'admin'

/** An answer that takes longer is not waited for: the person is out, as far as they can see. */
const PATIENCE_MS = 2_000
/** Longer than any session. */
const YEAR_S = 31_536_000

const onTheWay: Partial<Record<Who, AbortController>> = {}

/** Ends the session on the server, or as soon as that can be reached. Waits for its answer no longer than a moment. */
export async function logOut(who: Who): Promise<void> {
  // Before it is sent: the page may be closed while there is no answer.
  oweFor(who, YEAR_S)
  addEventListener('online', () => void flushPendingLogouts(), { once: true })
  await Promise.race([flush(who), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

export async function flushPendingLogouts(): Promise<void> {
  for (const who of ['buyer', 'admin'] as const) if (isLogoutPending(who)) await flush(who)
}

/** It has been made good; or somebody has logged in since, and the answer to one on its way would take their cookie away. */
export function clearPendingLogout(who: Who): void {
  onTheWay[who]?.abort()
  delete onTheWay[who]
  oweFor(who, 0)
}

export function isLogoutPending(who: Who): boolean {
  return document.cookie.includes(logoutOwedCookie(who))
}

function oweFor(who: Who, seconds: number): void {
  document.cookie = `${logoutOwedCookie(who)}=1; Path=/; Max-Age=${seconds}; SameSite=Lax`
}

async function flush(who: Who): Promise<void> {
  const { signal } = (onTheWay[who] ??= new AbortController())
  const { logout, adminLogout } = client.sessions
  // What fails stays owed.
  await (who === 'buyer' ? logout : adminLogout)({}, { signal }).then(
    () => clearPendingLogout(who),
    () => undefined,
  )
}
