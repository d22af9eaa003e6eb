/** Reads of wallets. Expired credit is posted first. */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Moment } from '../../contract/fields.ts'
import type { User } from '../../contract/users.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { lockWallet } from './ledger.ts'

export type WalletView = Pick<User, 'wallet' | 'balance'>

const ViewRow = z.object({
  userId: z.string(),
  balance: Rupees,
  _id: z.nullable(z.string()),
  amount: z.nullable(Rupees),
  expiresAt: z.nullable(Moment),
  addedAt: z.nullable(Moment),
  source: z.nullable(z.string()),
})

/** Reads balances and their lots, after posting expired credit. */
export async function readWallets(
  db: Database,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, WalletView>> {
  await settleDue(db, userIds, now)
  const rows = await db.rows(sql(ViewRow)`
    select wallet.user_id, wallet.balance_paise as balance,
           lot.id as _id, lot.remaining_paise as amount, lot.expires_at, lot.added_at, lot.source
      from wallets wallet
      left join wallet_lots lot on lot.user_id = wallet.user_id and lot.is_open
     where wallet.user_id = any(${userIds}::uuid[])
     order by wallet.user_id, lot.expires_at nulls last, lot.added_at, lot.id`)
  const views = new Map<string, WalletView>()
  for (const { userId, balance, _id, amount, expiresAt, addedAt, source } of rows) {
    const view = views.get(userId) ?? { balance, wallet: [] }
    views.set(userId, view)
    if (_id !== null && amount !== null && addedAt !== null && source !== null)
      view.wallet.push({ _id, amount, expiresAt, addedAt, source })
  }
  return views
}

/** Posts the expired credit of those wallets that have any. The others cost only the read. */
export async function settleDue(db: Database, userIds: readonly string[], now: Date): Promise<void> {
  const due = await db.texts(sql`
    select user_id from wallets where user_id = any(${userIds}::uuid[]) and next_lapse_at <= ${now}
         order by user_id`)
  for (const userId of due) await db.transaction((tx) => lockWallet(tx, userId, now))
}

/** Does the same for one wallet, with its next expiry cached until a change. @returns true if something had expired */
export async function settleWhenDue(db: Database, kept: CachedReads, userId: string, now: Date): Promise<boolean> {
  const wallet = await kept.readRow(`next expiry ${userId}`, () =>
    db.maybe(
      sql(() =>
        z.object({ nextLapseAt: z.nullable(z.date()) }),
      )`select next_lapse_at from wallets where user_id = ${userId}`,
    ),
  )
  if (!wallet?.nextLapseAt || wallet.nextLapseAt > now) return false
  await settleDue(db, [userId], now)
  kept.renew()
  return true
}
