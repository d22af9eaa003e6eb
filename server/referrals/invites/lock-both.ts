import { sql, type Sql, type Transaction } from '../../platform/database/database.ts'
import { lockWallets } from '../../wallet/ledger.ts'

/**
 * Locks both wallets of an invitation, and then its row.
 * @param which true for a row of `invites` as it has to be
 * @returns the inviter; undefined if there is no such row, or no longer
 */
export async function lockBoth(tx: Transaction, friendId: string, now: Date, which: Sql): Promise<string | undefined> {
  const inviterId = await tx.text(sql`select inviter_id from invites where friend_id = ${friendId} and ${which}`)
  if (!inviterId) return undefined
  await lockWallets(tx, [friendId, inviterId], now, { wait: true })
  return tx.text(sql`select inviter_id from invites where friend_id = ${friendId} and ${which} for update`)
}
