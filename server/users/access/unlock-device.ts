import { Refusal } from '../../../contract/errors.ts'
import { audit, type By } from '../../audit/audit.ts'
import type { Services } from '../../platform/services.ts'
import { noteOpening } from './account-openings.ts'
import { freeDevice, lockAccount } from './accounts.ts'
import { endUserSessions } from './user-sessions.ts'

/**
 * Resets a user's device lock, and ends the session on that device.
 * @throws Refusal NOT_FOUND, or FORBIDDEN_ROLE within a day of an admin's password link
 */
export async function unlockDevice({ db, events }: Services, id: string, by: By): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    // Without a lock this opens nothing, so it is not noted as an opening
    if (account.lockedAt) await noteOpening(tx, { userId: id, how: 'unlock', admin: by.admin, now: by.now })
    await endUserSessions(tx, id, 'admin', by.now)
    await freeDevice(tx, id)
    await audit(tx, by, {
      action: 'user.unlock-device',
      subject: `${account.username} (${id})`,
      before: { lockedAt: account.lockedAt },
      after: { lockedAt: null },
    })
  })
  events.publish({ to: { user: id }, name: 'session-ended' })
  return { message: 'Device lock removed: the user can log in on any device now' }
}
