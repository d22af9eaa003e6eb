/**
 * Tries at an admin's six digits. They count for the account, from any network. No stranger can use them up,
 * because they come after the password or with a session.
 */
import { Refusal } from '../../contract/errors.ts'
import { deviceHashesOf } from '../platform/http/device-cookie.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { findAdminHolder } from './known-admin-devices.ts'

/** Runs `work`, which checks a code, and counts it if the code was wrong. @throws Refusal RATE_LIMITED */
export async function countingCodes<T>(
  { db, limits }: Pick<Services, 'db' | 'limits'>,
  { adminId, cookies }: { adminId: string; cookies: Pick<Call['cookies'], 'all'> },
  work: () => Promise<T>,
): Promise<T> {
  const { known } = await db.one(findAdminHolder(adminId, deviceHashesOf(cookies)))
  const device = known?.toString('base64url')
  const settle = await limits('admin-code', { account: adminId, address: undefined, device })
  let failure: Refusal | undefined
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) failure = error
    throw error
  } finally {
    await settle(failure?.code)
  }
}
