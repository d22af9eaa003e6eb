/** Posts what has expired in one wallet: expired credit, and deductions that return. */
import * as z from 'zod/mini'
import { negate, paise, type Paise } from '../../contract/money.ts'
import type { MovementKind } from '../../contract/wallet.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

/** A movement of the ledger, as far as it is needed here. */
interface Lapse {
  id: string
  userId: string
  kind: MovementKind
  description: string
  now: Date
  entries: readonly { lotId: string; amount: Paise; expiresAt: null }[]
}

const Due = z.object({
  what: z.enum(['return', 'expiry']),
  at: z.date(),
  cause: z.string(),
  lotIds: z.array(z.string()),
  amounts: z.array(z.number()),
})

/** The ledger's kind for what is due. */
export const DUE = {
  return: { kind: 'deduction_lapsed', description: 'Deduction ended: amount returned' },
  expiry: { kind: 'expiry', description: 'Credit expired' },
} as const

/**
 * Posts every expiry that is due, in the order of their moments, each dated to its moment. It reads the next one
 * after each, because an amount may return to a lot before that lot expires. The wallet must be locked in this
 * transaction.
 * @param post the ledger's, which settles while it locks
 */
export async function settleExpired(
  tx: Transaction,
  userId: string,
  now: Date,
  post: (tx: Transaction, movements: readonly Lapse[]) => Promise<unknown>,
): Promise<void> {
  let next = await nextExpiry(tx, userId, now)
  while (next) {
    const { what, at, cause, lotIds, amounts } = next
    await post(tx, [
      {
        id: newId(),
        userId,
        ...DUE[what],
        now: at,
        entries: lotIds.map((lotId, index) => ({
          lotId,
          amount: what === 'return' ? paise(amounts[index] ?? 0) : negate(paise(amounts[index] ?? 0)),
          expiresAt: null,
        })),
      },
    ])
    if (what === 'return')
      await tx.run(sql`
        update wallet_deductions set returned_at = ${at}
         where user_id = ${userId} and movement_id = ${cause} and returned_at is null`)
    next = await nextExpiry(tx, userId, now)
  }
  await tx.run(sql`
    update wallets
       set next_lapse_at = least(
             (select min(expires_at) from wallet_lots where user_id = ${userId} and is_open),
             (select min(lapses_at) from wallet_deductions where user_id = ${userId} and returned_at is null))
     where user_id = ${userId}`)
}

function nextExpiry(tx: Transaction, userId: string, now: Date): Promise<z.output<typeof Due> | undefined> {
  return tx.maybe(sql(Due)`
    select what, at, cause, lot_ids, amounts
      from (select 'return' as what, lapses_at as at, movement_id::text as cause,
                   array_agg(lot_id::text order by lot_id) as lot_ids,
                   array_agg(amount_paise::float8 order by lot_id) as amounts
              from wallet_deductions
             where user_id = ${userId} and returned_at is null and lapses_at <= ${now}
             group by lapses_at, movement_id
            union all
            select 'expiry', expires_at, id::text, array[id::text], array[remaining_paise::float8]
              from wallet_lots
             where user_id = ${userId} and is_open and expires_at <= ${now}) due
     order by at, what desc, cause
     limit 1`)
}
