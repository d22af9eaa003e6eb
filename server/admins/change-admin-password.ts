import type * as z from 'zod/mini'
import type { admins } from '../../contract/admins.ts'
import { Refusal } from '../../contract/errors.ts'
import { audit } from '../audit/audit.ts'
import type { Call } from '../platform/http/http.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import type { Services } from '../platform/services.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { readSiteName } from '../settings/site-name.ts'
import { renewAdminSession, replaceAdminToken } from './admin-sessions.ts'
import { writeAdmin } from './admins.ts'
import { endLasting } from './lasting-access.ts'
import { lockWorking, proveAdmin } from './prove-admin.ts'

/** @throws Refusal WRONG_PASSWORD, or INVALID_INPUT for a guessable new one */
export async function changeAdminPassword(
  { db, events }: Services,
  { currentPassword, newPassword, endpoint }: z.output<(typeof admins.changePassword)['input']>,
  call: Call<'admin'>,
): Promise<{ message: string }> {
  const { admin, now, cookies, turn } = call
  refuseGuessable(newPassword, { field: 'newPassword', names: [admin.username, await readSiteName(db)] })
  const proven = await proveAdmin(db, { id: admin.id, password: currentPassword, turn }, 'currentPassword')
  const passwordHash = await hashPassword(newPassword, turn)
  const token = await db.transaction(async (tx) => {
    const locked = await lockWorking(tx, admin.id)
    if (locked.passwordHash !== proven.passwordHash) throw new Refusal('WRONG_PASSWORD')
    await writeAdmin(tx, { ...locked, passwordHash, passwordGiven: false })
    await endLasting(tx, 'admin', { id: admin.id, now, kept: { session: admin.sessionHash, phone: endpoint } })
    const renewed = await renewAdminSession(tx, admin.sessionHash, { isProven: false, endsOld: true, now })
    await audit(tx, call, { action: 'admin.change-password', subject: `${admin.username} (${admin.id})` })
    return renewed
  })
  replaceAdminToken(events, cookies, token, admin.sessionHash)
  events.publish({ to: 'admins', name: 'session-ended' })
  return { message: 'Password changed' }
}
