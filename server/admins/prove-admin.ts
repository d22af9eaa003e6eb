/** Step-up: an admin confirms who they are, by the password or a 6-digit code. */
import { Refusal } from '../../contract/errors.ts'
import { STEP_UP_LASTS_MS } from '../../contract/limits.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { passwordMatches } from '../platform/passwords/passwords.ts'
import type { Services } from '../platform/services.ts'
import { renewAdminSession, replaceAdminToken } from './admin-sessions.ts'
import type { Turn } from '../platform/passwords/turns.ts'
import { countingCodes } from './code-tries.ts'
import { lockAdmin, readAdmin, type Admin } from './admins.ts'
import { takeCode } from './second-factor.ts'

/** @throws Refusal WRONG_PASSWORD or WRONG_CODE */
export async function stepUp(
  services: Services,
  { password, totp }: { password?: string | undefined; totp?: string | undefined },
  { admin, now, cookies, turn }: Call<'admin'>,
): Promise<{ message: string; provenUntil: string }> {
  const { db, events, sealer } = services
  if (password !== undefined) await proveAdmin(db, { id: admin.id, password, turn })
  const prove = () =>
    db.transaction(async (tx) => {
      const locked = await lockWorking(tx, admin.id)
      if (totp !== undefined && !(await takeCode(tx, { admin: locked, code: totp, sealer, now })))
        throw new Refusal('WRONG_CODE')
      return renewAdminSession(tx, admin.sessionHash, { isProven: true, now })
    })
  const token = await (totp === undefined ? prove() : countingCodes(services, { adminId: admin.id, cookies }, prove))
  replaceAdminToken(events, cookies, token, admin.sessionHash)
  return { message: 'Confirmed', provenUntil: new Date(now.getTime() + STEP_UP_LASTS_MS).toISOString() }
}

/**
 * Compares an admin's password. Call it before the account is locked, because it takes longer than a lock should be
 * held.
 * @throws Refusal WRONG_PASSWORD
 */
export async function proveAdmin(
  db: Database,
  { id, password, turn }: { id: string; password: string; turn: Turn | undefined },
  field: 'password' | 'currentPassword' = 'password',
): Promise<Admin> {
  const admin = await readAdmin(db, id)
  if (!admin || !(await passwordMatches(admin.passwordHash, password, turn)))
    throw new Refusal('WRONG_PASSWORD', { fields: { [field]: 'Incorrect password.' } })
  return admin
}

/** Locks the account of an admin whose session was checked a moment ago. */
export async function lockWorking(tx: Transaction, id: string): Promise<Admin> {
  const admin = await lockAdmin(tx, id)
  if (!admin || admin.disabledAt) throw new Refusal('NO_SESSION')
  return admin
}
