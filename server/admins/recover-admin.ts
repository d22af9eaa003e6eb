/** `npm run recover-admin`: for an operator when an admin's password or authenticator app is lost. */
import { audit } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { forgetAdminTries } from '../platform/rate-limits.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import { lockAdmin, writeAdmin } from './admins.ts'
import { randomPassword } from './first-admin.ts'
import { endLasting } from './lasting-access.ts'
import { listAdmins } from './manage-admins.ts'
import { dropRecoveryCodes } from './second-factor.ts'

interface RecoveredAdmin {
  username: string
  /** New and random. It must be shown, once. */
  password: string
}

/**
 * Gives an admin a new password and turns two-step verification and its recovery codes off. Enables the account if
 * it was disabled, ends its sessions, and clears the limits on admins' tries. There is no extra check, because
 * anyone with shell access could change the database directly. This way it is in the audit log.
 * @param username in letters of any case. Without it nothing is changed: one slip of a key would log an owner out
 * @throws Error that names the owners, when it is not clear which admin is meant
 */
export async function recoverAdmin(db: Database, username: string | undefined, now: Date): Promise<RecoveredAdmin> {
  const all = await listAdmins(db)
  const owners = all.filter(({ role }) => role === 'owner')
  const meant = all.find((admin) => admin.username.toLowerCase() === username?.toLowerCase())
  if (!meant) {
    const names = owners.map((owner) => owner.username).join(', ')
    throw new Error(
      username === undefined
        ? `Name the admin: npm run recover-admin -- NAME (owners: ${names})`
        : `No admin called ${username} (owners: ${names})`,
    )
  }
  const password = randomPassword()
  const passwordHash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const before = await lockAdmin(tx, meant._id)
    if (!before) throw new Error(`Admin ${meant.username} no longer exists`)
    const none = { totpSealed: null, totpPending: null, totpStep: null }
    await writeAdmin(tx, { ...before, ...none, passwordHash, passwordGiven: true, disabledAt: null })
    await dropRecoveryCodes(tx, before.id)
    await endLasting(tx, 'admin', { id: before.id, now })
    await forgetAdminTries(tx)
    await audit(
      tx,
      { admin: null, address: '', userAgent: 'npm run recover-admin', now },
      {
        action: 'admin.update',
        subject: `${before.username} (${before.id})`,
        before: { role: before.role, disabledAt: before.disabledAt },
        after: {
          role: before.role,
          disabledAt: null,
          password: 'changed',
          ...(before.totpSealed ? { secondFactor: 'removed' } : {}),
        },
      },
    )
  })
  return { username: meant.username, password }
}
