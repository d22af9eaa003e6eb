/**
 * Logouts that have not reached the store. The cookie goes on opening the account then, and whoever uses this device
 * next would find it open; so the logout is sent again when the network is back, at the latest by the next page.
 */
import { client } from './client.ts'

type Who = 'buyer' | 'admin'

const keyOf = (who: Who) => `logout-owed-${who}`

/** For a browser without storage: this page makes them good alone. */
const owed = new Set<Who>()

/** Ends the session on the server, or as soon as that can be reached. */
export async function logOut(who: Who): Promise<void> {
  if (await hasLoggedOut(who)) return
  owed.add(who)
  try {
    localStorage.setItem(keyOf(who), '1')
  } catch {
    // What this page knows is enough for it
  }
  addEventListener('online', () => void makeLogoutsGood(), { once: true })
}

/** @returns whether there was one, and the page stands for somebody who has logged out */
export async function makeLogoutsGood(): Promise<boolean> {
  let isMade = false
  for (const who of ['buyer', 'admin'] as const) {
    if (!isOwed(who) || !(await hasLoggedOut(who))) continue
    forgiveLogout(who)
    isMade = true
  }
  return isMade
}

/** Somebody has logged in since, and has a cookie of their own. */
export function forgiveLogout(who: Who): void {
  owed.delete(who)
  if (isOwed(who)) localStorage.removeItem(keyOf(who))
}

function isOwed(who: Who): boolean {
  if (owed.has(who)) return true
  try {
    return localStorage.getItem(keyOf(who)) !== null
  } catch {
    return false
  }
}

async function hasLoggedOut(who: Who): Promise<boolean> {
  try {
    await (who === 'buyer' ? client.sessions.logout({}) : client.sessions.adminLogout({}))
    return true
  } catch {
    return false
  }
}
