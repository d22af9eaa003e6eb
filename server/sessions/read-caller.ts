import { Refusal } from '../../contract/errors.ts'
import type { User } from '../../contract/users.ts'
import type { Database } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { showUser } from '../users/user-rows.ts'
import { readAdmin } from '../admins/admins.ts'

/**
 * Returns the signed-in user; with only an admin session, the admin in the same shape.
 * @throws Refusal SESSION_EXPIRED or DEVICE_MISMATCH until a browser whose session was ended elsewhere logs in
 *   again, even with an admin session in the same browser
 */
export async function readCaller(services: Services, { user, admin, refusal, now, cached }: Call): Promise<User> {
  if (refusal === 'SESSION_EXPIRED' || refusal === 'DEVICE_MISMATCH') throw new Refusal(refusal)
  const caller = user
    ? await showUser(services.db, cached, user.id, now)
    : admin
      ? await adminAsUser(services.db, admin.id)
      : undefined
  // Covers an account that was closed since the session check
  if (!caller) throw new Refusal('NO_SESSION')
  return caller
}

async function adminAsUser(db: Database, id: string): Promise<User | undefined> {
  const admin = await readAdmin(db, id)
  return (
    admin && {
      _id: id,
      id,
      email: '',
      username: admin.username,
      createdAt: admin.createdAt.toISOString(),
      wallet: [],
      balance: 0,
      usdBalance: 0,
      customPrices: [],
      hiddenProducts: [],
      referralCode: '',
      isAdmin: true,
    }
  )
}
