/** A user's wallet history: one line for each movement. */
import * as z from 'zod/mini'
import { HistoryEntry, MOVEMENT_TYPE } from '../../contract/wallet.ts'
import { literal, sql, type Database } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { settleDue, settleWhenDue } from './read-wallets.ts'

const Row = z.extend(z.omit(HistoryEntry, { type: true, amount: true }), { seq: z.number() })

/** Only two sizes, because each size makes a statement of its own. */
const PAGE_ROWS_MIN = 100
const PAGE_ROWS_MAX = 1_000

/**
 * Yields movements, newest first; all of them unless `limit` bounds it. `before` is the id of the last one
 * received.
 */
export async function* readHistory(
  db: Database,
  userId: string,
  now: Date,
  { limit, before }: { limit?: number | undefined; before?: string | undefined },
): AsyncGenerator<HistoryEntry> {
  await settleDue(db, [userId], now)
  let older =
    before === undefined
      ? sql`true`
      : sql`seq < (select seq from wallet_movements where id = ${before} and user_id = ${userId})`
  const pageRows = limit !== undefined && limit <= PAGE_ROWS_MIN ? PAGE_ROWS_MIN : PAGE_ROWS_MAX
  let left = limit ?? Infinity
  while (left > 0) {
    const rows = await db.rows(sql(Row)`
      select id as _id, seq, kind, amount_paise as delta, balance_after_paise as balance_after, description,
             coalesce(referral_code, 'N/A') as referral_code, expires_at, created_at
        from wallet_movements
       where user_id = ${userId} and ${older}
       order by seq desc
       limit ${literal(pageRows)}`)
    for (const row of rows.slice(0, left)) yield toEntry(row)
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    left -= rows.length
    older = sql`seq < ${last.seq}`
  }
}

/** Returns a page of `readHistory`, cached until a change; not to be changed. */
export async function showHistory(
  db: Database,
  kept: CachedReads,
  userId: string,
  now: Date,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<HistoryEntry[]> {
  await settleWhenDue(db, kept, userId, now)
  return kept.read(`history ${userId} ${limit} ${before ?? ''}`, async () => {
    const entries: HistoryEntry[] = []
    for await (const entry of readHistory(db, userId, now, { limit, before })) entries.push(entry)
    return entries
  })
}

function toEntry({ seq: _, ...row }: z.output<typeof Row>): HistoryEntry {
  const type = MOVEMENT_TYPE[row.kind]
  // Negates, because existing clients print a purchase's minus themselves
  return { ...row, type, amount: type === 'purchase' ? -row.delta : row.delta }
}
