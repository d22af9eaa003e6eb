/** Reads of wallets. Expired credit is posted first. */
import * as z from 'zod/mini'
import { paise, type Paise } from '../../contract/money.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { lockWallet } from './ledger.ts'

export interface WalletView {
  balance: Paise
  lots: { id: string; amount: Paise; expiresAt: Date | null; addedAt: Date; source: string }[]
}

const ViewRow = z.object({
  userId: z.string(),
  balance: z.number(),
  lotId: z.nullable(z.string()),
  remaining: z.nullable(z.number()),
  expiresAt: z.nullable(z.date()),
  addedAt: z.nullable(z.date()),
  source: z.nullable(z.string()),
})

/** Reads balances and their lots, after posting expired credit. */
export async function readWallets(
  db: Database,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, WalletView>> {
  await settleDue(db, userIds, now)
  const rows = await db.rows(
    ViewRow,
    sql`
    select wallet.user_id as "userId", wallet.balance_paise as balance,
           lot.id as "lotId", lot.remaining_paise as remaining,
           lot.expires_at as "expiresAt", lot.added_at as "addedAt", lot.source
      from wallets wallet
      left join wallet_lots lot on lot.user_id = wallet.user_id and lot.is_open
     where wallet.user_id = any(${userIds}::uuid[])
     order by wallet.user_id, lot.expires_at nulls last, lot.added_at, lot.id`,
  )
  const views = new Map<string, WalletView>()
  for (const { userId, balance, lotId, remaining, expiresAt, addedAt, source } of rows) {
    const view = views.get(userId) ?? { balance: paise(balance), lots: [] }
    views.set(userId, view)
    if (lotId !== null && remaining !== null && addedAt !== null)
      view.lots.push({ id: lotId, amount: paise(remaining), expiresAt, addedAt, source: source ?? '' })
  }
  return views
}

/** Posts the expired credit of those wallets that have any. The others cost only the read. */
export async function settleDue(db: Database, userIds: readonly string[], now: Date): Promise<void> {
  const due = await db.rows(
    z.object({ userId: z.string() }),
    sql`select user_id as "userId" from wallets where user_id = any(${userIds}::uuid[]) and next_lapse_at <= ${now}
         order by user_id`,
  )
  for (const { userId } of due) await db.transaction((tx) => lockWallet(tx, userId, now))
}

/**
 * Does the same for one wallet, with its next expiry cached until a change.
 * @returns true if something had expired
 */
export async function settleWhenDue(db: Database, kept: CachedReads, userId: string, now: Date): Promise<boolean> {
  const wallet = await kept.read(`next expiry ${userId}`, () =>
    db.maybe(
      z.object({ nextLapseAt: z.nullable(z.date()) }),
      sql`select next_lapse_at as "nextLapseAt" from wallets where user_id = ${userId}`,
    ),
  )
  if (!wallet?.nextLapseAt || wallet.nextLapseAt > now) return false
  await settleDue(db, [userId], now)
  kept.renew()
  return true
}
