/**
 * Logouts that have not reached the store. The cookie goes on opening the account then, and whoever uses this device
 * next would find it open; so the logout is sent again when the network is back, at the latest by the next page.
 */
import { client } from './client.ts'

type Who = 'buyer' | 'admin'

const keyOf = (who: Who) => `logout-owed-${who}`

/** An answer that takes longer is not waited for: the person is out, as far as they can see. */
const PATIENCE_MS = 2_000

/** For a browser without storage: this page makes them good alone. */
const owed = new Set<Who>()
const onTheWay: Partial<Record<Who, AbortController>> = {}

/** Ends the session on the server, or as soon as that can be reached. Waits for its answer no longer than a moment. */
export async function logOut(who: Who): Promise<void> {
  // Before it is sent: the page may be closed while there is no answer.
  try {
    localStorage.setItem(keyOf(who), '1')
  } catch {
    owed.add(who)
  }
  addEventListener('online', () => void makeLogoutsGood(), { once: true })
  await Promise.race([makeGood(who), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

/** @returns whether there was one, and the page stands for somebody who has logged out */
export async function makeLogoutsGood(): Promise<boolean> {
  let isMade = false
  for (const who of ['buyer', 'admin'] as const) {
    if (isLogoutOwed(who) && (await makeGood(who))) isMade = true
  }
  return isMade
}

/** It has been made good; or somebody has logged in since, and the answer to one on its way would take their cookie away. */
export function forgiveLogout(who: Who): void {
  onTheWay[who]?.abort()
  delete onTheWay[who]
  owed.delete(who)
  if (isLogoutOwed(who)) localStorage.removeItem(keyOf(who))
}

export function isLogoutOwed(who: Who): boolean {
  if (owed.has(who)) return true
  try {
    return localStorage.getItem(keyOf(who)) !== null
  } catch {
    return false
  }
}

async function makeGood(who: Who): Promise<boolean> {
  const { signal } = (onTheWay[who] ??= new AbortController())
  try {
    await (who === 'buyer' ? client.sessions.logout({}, { signal }) : client.sessions.adminLogout({}, { signal }))
  } catch {
    return false
  }
  forgiveLogout(who)
  return true
}
