import { Refusal } from '../../contract/errors.ts'
import { languageOf } from '../../contract/languages.ts'
import { DEVICE_COOKIE_MS, USER_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import type { User } from '../../contract/users.ts'
import type { Call } from '../platform/http/http.ts'
import { keepOverBuyersLogin } from '../messages/channels/push.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { noteLetIn } from '../users/access/account-openings.ts'
import { holdDevice, isFree, noteShown, takeLanguage } from '../users/access/accounts.ts'
import { readUser } from '../users/user-rows.ts'
import { endUserSession, endUserSessions, isNewsOfDevice, openUserSession } from '../users/access/user-sessions.ts'
import { lockProven, proveAccount, refuseBlocked, type Credentials } from './credentials.ts'
import { deviceOf } from '../platform/http/device-cookie.ts'

/**
 * Opens a session on the caller's device, which becomes the account's one device if it has none. A newer login
 * there replaces the older one.
 *
 * The account is locked while its device is checked. Of two first logins on two devices, one waits, and then finds
 * the other's lock.
 * @throws Refusal COOKIES_NEEDED where those are needed; WRONG_CREDENTIALS; only after the right password
 *   ACCOUNT_BLOCKED, ACCOUNT_CLOSING, DEVICE_ALREADY_LOGGED_IN
 */
export async function logIn(
  { db, events }: Services,
  { needsCookie, ...credentials }: Credentials & { needsCookie?: boolean | undefined },
  { cookies, now, address, userAgent, log, turn }: Call,
): Promise<{ message: string; user: User }> {
  const choose = deviceOf(cookies, needsCookie)
  const proven = await proveAccount(db, credentials, turn)
  const token = newToken()
  const before = cookies.all('chaabi_session')

  const { device, told } = await db.transaction(async (tx) => {
    const account = await lockProven(tx, proven)
    refuseBlocked(account)
    if (account.closesAt !== null)
      throw new Refusal('ACCOUNT_CLOSING', { details: { closesAt: account.closesAt.toISOString() } })
    const device = choose((hash) => account.deviceHash?.equals(hash) === true)
    const deviceHash = device.hash
    if (account.deviceHash?.equals(deviceHash)) await noteShown(tx, account.id, deviceHash)
    else if (!isFree(account, now)) throw new Refusal('DEVICE_ALREADY_LOGGED_IN')
    else {
      await noteLetIn(tx, account.id, deviceHash, now)
      await holdDevice(tx, account, { hash: deviceHash, isShown: device.isShown, now })
      if (await isNewsOfDevice(tx, account.id, deviceHash))
        enqueue(tx, { kind: 'account.new-device', userId: account.id, now })
    }
    await takeLanguage(tx, account.id, languageOf(cookies.read('chaabi_language')))
    const takeAlong = await keepOverBuyersLogin(tx, { userId: account.id, deviceHash })
    const ended = await endUserSessions(tx, account.id, 'replaced', now)
    // Ends the session that this browser had before, so that no copy of its cookie works
    const others: (string | undefined)[] = []
    for (const old of before) others.push(await endUserSession(tx, hashToken(old), 'replaced', now))
    await openUserSession(tx, { tokenHash: hashToken(token), userId: account.id, deviceHash, now, address, userAgent })
    await takeAlong(hashToken(token))
    return { device, told: [...(ended > 0 ? [account.id] : []), ...others.filter((id) => id !== undefined)] }
  })

  cookies.write('chaabi_device', device.token, DEVICE_COOKIE_MS)
  cookies.write('chaabi_session', token, USER_SESSION_LONGEST_MS)
  log.info({ user: proven.id }, 'logged in')
  for (const user of told) events.publish({ to: { user }, name: 'session-ended' })
  const user = await readUser(db, proven.id, now)
  if (!user) throw new Refusal('WRONG_CREDENTIALS')
  return { message: 'Login successful', user }
}
