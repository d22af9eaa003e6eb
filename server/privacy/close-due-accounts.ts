import { hasOpenRequest } from '../payments/leaving-buyer.ts'
import { literal, sql, type Database } from '../platform/database/database.ts'
import { lockAccount } from '../users/access/accounts.ts'
import { eraseAccount } from '../users/erase-account.ts'
import { creditDue } from '../wallet/debit.ts'
import { lockWallet } from '../wallet/ledger.ts'

const ACCOUNTS_AT_ONCE = 100

/**
 * Erases the accounts that were marked seven days ago. An account that has got money since then, or is due some,
 * stays shut and is checked in the next run, because closing must not lose money.
 * @returns how many were erased, and how many are held up by money
 */
export async function closeDueAccounts(db: Database, now: Date): Promise<{ closed: number; heldUp: number }> {
  let closed = 0
  let heldUp = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const due = await db.texts(sql`
      select id from users
       where closes_at <= ${now} and deleted_at is null and id > ${after}
       order by id limit ${literal(ACCOUNTS_AT_ONCE)}`)
    for (const id of due) {
      if (await closeIfDue(db, id, now)) closed++
      else heldUp++
      after = id
    }
    if (due.length < ACCOUNTS_AT_ONCE) return { closed, heldUp }
  }
}

/** @returns true if it is closed now; false if its owner has kept it, or there is money */
function closeIfDue(db: Database, id: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const balance = await lockWallet(tx, id, now)
    const account = await lockAccount(tx, id)
    if (!account?.closesAt || account.closesAt > now) return false
    if (balance > 0 || (await creditDue(tx, id)) > 0 || (await hasOpenRequest(tx, id))) return false
    await eraseAccount(tx, id, { action: 'user.closed', admin: null, now, address: '', userAgent: '' })
    return true
  })
}
