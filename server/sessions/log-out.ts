import { hashToken } from '../platform/ids.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { freeDevice, lockAccount } from '../users/accounts.ts'
import { endUserSession, findUserSession, refusalOf } from '../users/user-sessions.ts'
import { deviceHashOf } from '../platform/http/device-cookie.ts'

/** Ends the caller's session and frees the device lock; a session that was dead already frees nothing. */
export async function logOut({ db, events }: Services, { cookies, now }: Call): Promise<{ message: string }> {
  const token = cookies.read('chaabi_session')
  if (token !== undefined) {
    const userId = await endSession(db, hashToken(token), deviceHashOf(cookies), now)
    if (userId !== undefined) events.publish({ to: { user: userId }, name: 'session-ended' })
  }
  // Only now: after a failure the browser asks again, and has to say which session
  cookies.clear('chaabi_session')
  return { message: 'Logged out' }
}

/** @returns whose session it was; undefined when it did not stand */
async function endSession(
  db: Services['db'],
  tokenHash: Buffer,
  deviceHash: Buffer | undefined,
  now: Date,
): Promise<string | undefined> {
  const owner = await findUserSession(db, tokenHash)
  if (!owner) return undefined
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, owner.userId)
    // Looked at again under the lock: a reset or a newer login may have come first
    const session = await findUserSession(tx, tokenHash)
    if (!account || !session || refusalOf(session, deviceHash, now) !== undefined) return undefined
    await endUserSession(tx, tokenHash, 'logout', now)
    await freeDevice(tx, account.id)
    return account.id
  })
}
