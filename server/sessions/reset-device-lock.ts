import { Refusal } from '../../contract/errors.ts'
import { DEVICE_RESET_AFTER_MS } from '../../contract/limits.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { msSince } from '../platform/clock.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { lastResetLink } from '../users/access/account-openings.ts'
import { freeDevice, isFree } from '../users/access/accounts.ts'
import { endUserSessions } from '../users/access/user-sessions.ts'
import { lockProven, proveAccount, refuseBlocked, type Credentials } from './credentials.ts'

/**
 * Resets the device lock, and ends the session on that device. It needs no session, because a buyer who has lost
 * the device has none.
 * @throws Refusal WRONG_CREDENTIALS, ACCOUNT_BLOCKED, NO_DEVICE_LOCK, or RESET_COOLDOWN within 24 hours of the first
 *   login or of a password link that an admin made
 */
export async function resetDeviceLock(
  { db, events }: Services,
  credentials: Credentials,
  { now, turn }: Pick<Call, 'now' | 'turn'>,
): Promise<{ message: string; success: true }> {
  const proven = await proveAccount(db, credentials, turn)
  await db.transaction(async (tx) => {
    const account = await lockProven(tx, proven)
    refuseBlocked(account)
    const { id, lockedAt } = account
    if (lockedAt === null) throw new Refusal('NO_DEVICE_LOCK')
    if (!isFree(account, now)) refuseTooEarly(lockedAt, 'first login', now)
    // The new password proves nothing about who has it
    const link = await lastResetLink(tx, id, now)
    if (link) refuseTooEarly(link, 'reset link', now)
    await endUserSessions(tx, id, 'reset', now)
    await freeDevice(tx, id)
  })
  events.publish({ to: { user: proven.id }, name: 'session-ended' })
  return { message: 'Device lock reset successfully! You can now login on other devices', success: true }
}

function refuseTooEarly(since: Date, what: 'first login' | 'reset link', now: Date): void {
  const canResetAt = new Date(since.getTime() + DEVICE_RESET_AFTER_MS)
  if (msSince(since, now) >= DEVICE_RESET_AFTER_MS) return
  const minutes = Math.ceil((canResetAt.getTime() - now.getTime()) / MINUTE_MS)
  const remainingHours = Math.floor(minutes / 60)
  const remainingMinutes = minutes % 60
  throw new Refusal('RESET_COOLDOWN', {
    say: [
      what === 'first login'
        ? 'The device lock can be reset 24 hours after first login. Please wait {hours} hr {minutes} min.'
        : 'The device lock can be reset 24 hours after a password link. Please wait {hours} hr {minutes} min.',
      { hours: remainingHours, minutes: remainingMinutes },
    ],
    details: {
      remainingHours,
      remainingMinutes,
      lockedAt: since.toISOString(),
      canResetAt: canResetAt.toISOString(),
    },
  })
}
