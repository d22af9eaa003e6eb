import { Refusal } from '../../contract/errors.ts'
import { toRupees } from '../../contract/money.ts'
import { rejectAllPending } from '../payments/leaving-buyer.ts'
import type { ProvingBy } from '../audit/audit.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { lockAccount } from './access/accounts.ts'
import { eraseAccount } from './erase-account.ts'

/** Closes an account and rejects its pending top-up requests. @throws Refusal STEP_UP_REQUIRED or NOT_FOUND */
export async function removeUser({ db, events }: Services, id: string, by: ProvingBy): Promise<{ message: string }> {
  by.requireProof()
  const rejected = await db.transaction(async (tx) => {
    // Holds off top-up requests and purchases, and keeps the order of locks that all code has
    const balance = await lockWallet(tx, id, by.now)
    if (!(await lockAccount(tx, id))) throw new Refusal('NOT_FOUND')
    const ids = await rejectAllPending(tx, id, { adminId: by.admin.id, now: by.now })
    const after = { balance: toRupees(balance), ...(ids.length > 0 && { rejectedRequests: ids }) }
    await eraseAccount(tx, id, { ...by, action: 'user.remove', after })
    return ids
  })
  for (const payment of rejected)
    events.publish({ to: 'admins', name: 'payment', data: { id: payment, status: 'rejected' } })
  events.publish({ to: { user: id }, name: 'session-ended' })
  return { message: 'User deleted' }
}
