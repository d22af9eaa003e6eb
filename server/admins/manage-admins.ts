/** Owners create, change and disable admins' accounts. */
import * as z from 'zod/mini'
import { Admin, type admins } from '../../contract/admins.ts'
import { Refusal } from '../../contract/errors.ts'
import { audit } from '../audit/audit.ts'
import { sql, violates, type Queries } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import type { Services } from '../platform/services.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { readSiteName } from '../settings/site-name.ts'
import { endAdminSessions } from './admin-sessions.ts'
import { insertAdmin, lockAdmin, lockOwners, writeAdmin } from './admins.ts'
import { endLasting } from './lasting-access.ts'
import { dropRecoveryCodes } from './second-factor.ts'

export function listAdmins(db: Queries): Promise<Admin[]> {
  return db.rows(sql(Admin)`
    select id as _id, username, role, totp_sealed is not null as has_second_factor, created_at, disabled_at,
           (select max(last_active_at) from admin_sessions session where session.admin_id = admins.id) as last_seen_at
      from admins order by created_at, id`)
}

type Changing = Pick<Call<'admin'>, 'admin' | 'address' | 'userAgent' | 'now' | 'requireProof'>

/** @throws Refusal STEP_UP_REQUIRED, NO_SESSION, ADMIN_TAKEN, or INVALID_INPUT for a guessable password */
export async function createAdmin(
  { db }: Services,
  { username, password, role }: z.output<(typeof admins.create)['input']>,
  call: Changing,
): Promise<Admin> {
  call.requireProof()
  refuseGuessable(password, { field: 'password', names: [username, await readSiteName(db)] })
  const passwordHash = await hashPassword(password)
  const id = newId()
  try {
    await db.transaction(async (tx) => {
      refuseUnlessAmong(await lockOwners(tx), call)
      await insertAdmin(tx, { id, username, passwordHash, passwordGiven: true, role, createdAt: call.now })
      await audit(tx, call, { action: 'admin.create', subject: `${username} (${id})`, after: { username, role } })
    })
  } catch (error) {
    if (violates(error, 'admins_username')) throw new Refusal('ADMIN_TAKEN')
    throw error
  }
  return readListed(db, id)
}

/**
 * Changes an admin's account and ends its sessions, because a former role must not act any longer.
 * @throws Refusal STEP_UP_REQUIRED, NO_SESSION, NOT_FOUND, LAST_OWNER, or INVALID_INPUT for a guessable password,
 *   or the caller's own
 */
export async function changeAdmin(
  { db, events }: Services,
  { id, role, password, disabled, removeSecondFactor }: z.output<(typeof admins.update)['input']>,
  call: Changing,
): Promise<Admin> {
  call.requireProof()
  if (password !== undefined) refuseGuessable(password, { field: 'password', names: [await readSiteName(db)] })
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await db.transaction(async (tx) => {
    const owners = await lockOwners(tx)
    refuseUnlessAmong(owners, call)
    const before = await lockAdmin(tx, id)
    if (!before) throw new Refusal('NOT_FOUND')
    // Compares the row's id, because the client may send capitals
    const isSelf = before.id === call.admin.id
    if (isSelf && password !== undefined) refuseOwnPassword()
    const after = {
      ...before,
      role: role ?? before.role,
      passwordHash: passwordHash ?? before.passwordHash,
      passwordGiven: passwordHash === undefined ? before.passwordGiven : true,
      disabledAt: disabled === undefined ? before.disabledAt : disabled ? (before.disabledAt ?? call.now) : null,
      ...(removeSecondFactor ? { totpSealed: null, totpPending: null, totpStep: null } : {}),
    }
    const isOwner = after.role === 'owner' && after.disabledAt === null
    if (!isOwner && owners.every((owner) => owner === before.id)) throw new Refusal('LAST_OWNER')

    await writeAdmin(tx, after)
    if (removeSecondFactor) await dropRecoveryCodes(tx, id)
    // Keeps the session of an admin who changes their own account
    if (isSelf) await endAdminSessions(tx, id, call.now, call.admin.sessionHash)
    else await endLasting(tx, 'admin', { id, now: call.now })
    await audit(tx, call, {
      action: 'admin.update',
      subject: `${before.username} (${id})`,
      before: { role: before.role, disabledAt: before.disabledAt },
      after: {
        role: after.role,
        disabledAt: after.disabledAt,
        ...(password === undefined ? {} : { password: 'changed' }),
        ...(removeSecondFactor ? { secondFactor: 'removed' } : {}),
      },
    })
  })
  events.publish({ to: 'admins', name: 'session-ended' })
  return readListed(db, id)
}

/** Refuses an owner who was disabled while the password was hashed, which takes long when many log in. */
function refuseUnlessAmong(owners: readonly string[], { admin }: Changing): void {
  if (!owners.includes(admin.id)) throw new Refusal('NO_SESSION')
}

/** Refuses because a stolen session doesn't know the old password, which /admin/change-password asks for. */
function refuseOwnPassword(): never {
  const message = 'To change your own password, go to Account & security.'
  throw new Refusal('INVALID_INPUT', { message, fields: { password: message } })
}

async function readListed(db: Queries, id: string): Promise<Admin> {
  const admin = (await listAdmins(db)).find((each) => each._id === id.toLowerCase())
  if (!admin) throw new Refusal('NOT_FOUND')
  return admin
}
