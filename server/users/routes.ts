import { Refusal } from '../../contract/errors.ts'
import type { Payment } from '../../contract/payments.ts'
import type { users } from '../../contract/users.ts'
import { listUserPayments } from '../payments/list-payments.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { blockUser } from './block-user.ts'
import { changeUser } from './change-user.ts'
import { issueResetLink } from './access/issue-reset-link.ts'
import { listKeysOfUser } from './list-keys-of-user.ts'
import { listUsers } from './list-users.ts'
import { removeUser } from './remove-user.ts'
import { endSessionOfUser, listSessionsOfUser } from './access/sessions-of-user.ts'
import { setGroup } from './set-group.ts'
import { setReseller } from './set-reseller.ts'
import { unlockDevice } from './access/unlock-device.ts'

export const userRoutes = (services: Services): Handlers<typeof users> => ({
  list: (search, { now }) => listUsers(services.db, search, now),
  update: (change, call) => changeUser(services, change, call),
  remove: ({ id }, call) => removeUser(services, id, call),
  payments: ({ userId }) => listPaymentsOfUser(services.db, userId),
  sessions: ({ id }, { now }) => listSessionsOfUser(services.db, id, now),
  endSession: (input, call) => endSessionOfUser(services, input, call),
  keys: (input, { now }) => listKeysOfUser(services, input, now),
  issueResetLink: ({ id }, call) => issueResetLink(services.db, id, call),
  block: (input, call) => blockUser(services, input, call),
  unblock: ({ id }, call) => blockUser(services, { id, reason: null }, call),
  setGroup: (input, call) => setGroup(services, input, call),
  setReseller: (input, call) => setReseller(services, input, call),
  unlockDevice: ({ id }, call) => unlockDevice(services, id, call),
})

/** Of a closed account as well. @throws Refusal NOT_FOUND for an unknown id */
async function listPaymentsOfUser(db: Database, userId: string): Promise<Payment[]> {
  if (!(await db.text(sql`select id from users where id = ${userId}`))) throw new Refusal('NOT_FOUND')
  return listUserPayments(db, userId)
}
