import type * as z from 'zod/mini'
import { endLasting } from '../admins/lasting-access.ts'
import { Refusal } from '../../contract/errors.ts'
import { USER_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import type { sessions } from '../../contract/sessions.ts'
import { movePhones } from '../messages/channels/push.ts'
import type { Call } from '../platform/http/http.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { setPassword } from '../users/access/accounts.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { readSiteName } from '../settings/site-name.ts'
import { findUserSession, openUserSession, refusalOf } from '../users/access/user-sessions.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { lockProven, proveAccount } from './credentials.ts'
import { deviceHashesOf } from '../platform/http/device-cookie.ts'

/**
 * Changes the password. The calling session goes on under a new token. Every other session, every copy of the old
 * token, and every reset link, ends.
 * @throws Refusal WRONG_PASSWORD, or INVALID_INPUT for a guessable new one
 */
export async function changePassword(
  { db, events }: Services,
  { currentPassword, newPassword, endpoint }: z.output<(typeof sessions.changePassword)['input']>,
  { user, cookies, now, address, userAgent, turn }: Call<'user'>,
): Promise<{ message: string }> {
  refuseGuessable(newPassword, { field: 'newPassword', names: [user.username, await readSiteName(db)] })
  const proven = await proveAccount(db, { username: user.username, password: currentPassword }, turn).catch(
    asWrongPassword,
  )
  const passwordHash = await hashPassword(newPassword, turn)
  const devices = deviceHashesOf(cookies)
  const token = newToken()

  await db.transaction(async (tx) => {
    // Nothing is bought with a token after the answer
    await lockWallet(tx, user.id, now)
    await lockProven(tx, proven).catch(asWrongPassword)
    const session = await findUserSession(tx, user.sessionHash)
    const refusal = session ? refusalOf(session, devices, now) : 'NO_SESSION'
    if (refusal !== undefined || !session) throw new Refusal(refusal ?? 'NO_SESSION')
    const { deviceHash } = session

    await setPassword(tx, user.id, passwordHash)
    enqueue(tx, { kind: 'account.password-changed', userId: user.id, now })
    await endLasting(tx, 'buyer', { id: user.id, now, kept: { session: user.sessionHash, phone: endpoint } })
    await openUserSession(tx, { tokenHash: hashToken(token), userId: user.id, deviceHash, now, address, userAgent })
    await movePhones(tx, user.sessionHash, hashToken(token))
  })
  cookies.write('chaabi_session', token, USER_SESSION_LONGEST_MS)
  events.publish({ to: { user: user.id }, name: 'session-ended' })
  return { message: 'Password changed' }
}

function asWrongPassword(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'WRONG_CREDENTIALS') throw error
  throw new Refusal('WRONG_PASSWORD', { fields: { currentPassword: 'Your current password is incorrect.' } })
}
