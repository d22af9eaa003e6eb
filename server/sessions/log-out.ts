import { endAdminSession } from '../admins/admin-sessions.ts'
import { hashToken } from '../platform/ids.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { freeDevice, lockAccount } from '../users/access/accounts.ts'
import { endUserSession, findUserSession, refusalOf } from '../users/access/user-sessions.ts'
import { deviceHashesOf } from '../platform/http/device-cookie.ts'

/** Ends the caller's session and resets the device lock. A session that had ended resets nothing. */
export async function logOut({ db, events }: Services, { cookies, now }: Call): Promise<{ message: string }> {
  for (const token of cookies.all('chaabi_session')) {
    const userId = await endSession(db, hashToken(token), deviceHashesOf(cookies), now)
    if (userId !== undefined) events.publish({ to: { user: userId }, name: 'session-ended' })
  }
  // Clears it last, because after a failure the browser tries again and needs the cookie
  cookies.clear('chaabi_session')
  return { message: 'Logged out' }
}

/** Ends the caller's admin session, on the server and in the browser. */
export async function logOutAdmin({ db, events }: Services, { cookies, now }: Call): Promise<{ message: string }> {
  for (const token of cookies.all('chaabi_admin')) {
    await endAdminSession(db, hashToken(token), now)
    events.publish({ to: 'admins', name: 'session-ended' })
  }
  // Clears it last, because after a failure the browser tries again and needs the cookie
  cookies.clear('chaabi_admin')
  return { message: 'Logged out' }
}

/** @returns the session's user; undefined when it was not open */
async function endSession(
  db: Services['db'],
  tokenHash: Buffer,
  devices: readonly Buffer[],
  now: Date,
): Promise<string | undefined> {
  const owner = await findUserSession(db, tokenHash)
  if (!owner) return undefined
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, owner.userId)
    // Checks again under the lock, because a reset or a newer login may have come first
    const session = await findUserSession(tx, tokenHash)
    if (!account || !session || refusalOf(session, devices, now) !== undefined) return undefined
    await endUserSession(tx, tokenHash, 'logout', now)
    await freeDevice(tx, account.id)
    return account.id
  })
}
