/** Credits of wallets that are locked in the caller's transaction. */
import { add, negate, ZERO, type Paise } from '../../contract/money.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Allowance } from './allowance.ts'
import { ACCOUNT, post, type Movement } from './ledger.ts'

/** The description and the origin of a movement. */
export type Cause = Omit<Movement, 'id' | 'kind' | 'expiresAt' | 'opens' | 'entries'>

interface Credit extends Cause {
  kind: 'topup' | 'admin_credit' | 'referral_reward' | 'refund'
  /** Above zero. */
  amount: Paise
  allowance: Allowance
  /** The bonus, above the paid amount. The account for promotions bears it. */
  promotion?: Paise
  expiresAt: Date | null
}

export async function openWallet(tx: Transaction, ...userIds: readonly string[]): Promise<void> {
  await tx.run(sql`insert into wallets (user_id) select unnest(${userIds}::uuid[])`)
}

/** Adds a lot of credit. @returns the movement's id */
export function credit(tx: Transaction, wanted: Credit): string {
  const [id = ''] = creditAll(tx, [wanted])
  return id
}

/** Adds a lot of credit for each, in their order. The commit fails if that fails. @returns the movements' ids */
export function creditAll(tx: Transaction, credits: readonly Credit[]): string[] {
  const movements = credits.map(({ amount, allowance, promotion = ZERO, ...cause }): Movement => {
    if (amount > allowance) throw new Error(`A credit of ${amount} paise, and ${allowance} are allowed`)
    const { expiresAt } = cause
    const lot = { id: newId(), remaining: amount, expiresAt }
    const entries = [
      { account: ACCOUNT[cause.kind], amount: add(amount, negate(promotion)) },
      { account: ACCOUNT.referral_reward, amount: promotion },
    ]
      .filter((part) => part.amount !== 0)
      .map((part) => ({ ...part, lotId: lot.id, expiresAt }))
    return { ...cause, id: newId(cause.now), opens: lot, entries }
  })
  void post(tx, movements)
  return movements.map(({ id }) => id)
}
