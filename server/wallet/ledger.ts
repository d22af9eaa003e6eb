/**
 * The wallet ledger. Its lines are only ever added. Only this file locks wallets, reads lots and posts lines.
 *
 * Credit comes in lots: an amount, the rest of it, and perhaps a moment at which the rest expires. A debit posts
 * one entry for each lot that it uses, soonest to expire first. Each entry carries its lot's expiry, so credit and
 * its spending expire together and never leave a debt. An admin's deduction can have its own term. If that ends
 * before the lot does, the amount returns to the lot.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { add, negate, paise, ZERO, type Paise } from '../../contract/money.ts'
import type { MovementKind } from '../../contract/wallet.ts'
import { columns, sql, type Sql, type Transaction } from '../platform/database/database.ts'
import { InPaise } from '../platform/in-paise.ts'
import { settleExpired } from './settle-expired.ts'

/** The account on the other side of each kind of movement. */
export const ACCOUNT = {
  topup: 'topups_received',
  reversal: 'topups_received',
  referral_reward: 'promotions',
  purchase: 'sales',
  refund: 'sales',
  admin_credit: 'adjustments',
  admin_debit: 'adjustments',
  deduction_lapsed: 'adjustments',
  expiry: 'lapsed_credit',
} as const satisfies Record<MovementKind, string>

/** Credit that expires together, or never. */
export interface Lot {
  id: string
  remaining: Paise
  expiresAt: Date | null
}

/** One line of a wallet's history. Its amount is the sum of its entries. */
export interface Movement {
  id: string
  userId: string
  kind: MovementKind
  description: string
  now: Date
  /** The moment at which the credit or the deduction expires; absent for never. */
  expiresAt?: Date | null
  adminId?: string
  topupId?: string
  orderId?: string
  referralCode?: string
  /** A lot that this movement opens. It holds what the entries put into it. */
  opens?: Lot
  entries: readonly Entry[]
}

/** A movement's change of one lot. */
interface Entry {
  lotId: string
  /** Signed: below zero for a debit. */
  amount: Paise
  /** The lot's expiry, or a deduction's own term if that is sooner. */
  expiresAt: Date | null
  /** The account on the other side, if it is not that of the movement's kind. */
  account?: string
}

/**
 * Locks wallets until the transaction ends, in one order everywhere, and posts their expired credit.
 * @param wait true to wait for wallets that others hold; otherwise they are left out
 * @returns for each locked wallet, its open lots in the order of spending
 */
export async function lockWallets(
  tx: Transaction,
  userIds: readonly string[],
  now: Date,
  { wait }: { wait: boolean },
): Promise<Map<string, Lot[]>> {
  // Sends both at once. The engine takes one after the other, so the lots are read under the wallets' locks
  const [locked, lots] = await Promise.all([lockRows(tx, userIds, now, wait), openLots(tx, userIds, now)])
  const due = locked.filter((wallet) => wallet.isDue)
  for (const { userId } of due) await settleExpired(tx, userId, now, post)
  const open = new Map(locked.map(({ userId }): [string, Lot[]] => [userId, []]))
  for (const { userId, ...lot } of due.length > 0 ? await openLots(tx, userIds, now) : lots) open.get(userId)?.push(lot)
  return open
}

/**
 * Locks one wallet as `lockWallets` does, and waits for it.
 * @returns the balance in paise
 * @throws Refusal NOT_FOUND for a user without a wallet
 */
export async function lockWallet(tx: Transaction, userId: string, now: Date): Promise<Paise> {
  const lots = (await lockWallets(tx, [userId], now, { wait: true })).get(userId)
  if (!lots) throw new Refusal('NOT_FOUND')
  return add(ZERO, ...lots.map((lot) => lot.remaining))
}

function lockRows(tx: Transaction, userIds: readonly string[], now: Date, wait: boolean) {
  return tx.rows(sql(() => z.object({ userId: z.string(), isDue: z.boolean() }))`
    select user_id, coalesce(next_lapse_at <= ${now}, false) as is_due
      from wallets where user_id = any(${userIds}::uuid[])
      order by user_id for update ${wait ? sql`` : sql`skip locked`}`)
}

const LotRow = z.object({ id: z.string(), userId: z.string(), remaining: InPaise, expiresAt: z.nullable(z.date()) })

/** Reads the unspent lots of wallets that have not expired, in the order of spending. */
export function openLots(tx: Transaction, userIds: readonly string[], now: Date): Promise<z.output<typeof LotRow>[]> {
  return tx.rows(sql(LotRow)`
    select id, user_id, remaining_paise as remaining, expires_at
      from wallet_lots
     where user_id = any(${userIds}::uuid[]) and is_open and (expires_at is null or expires_at > ${now})
     order by user_id, expires_at nulls last, added_at, id`)
}

/**
 * Chooses the lots that pay. Each in turn gives its rest until `amount` is covered. The shares add up to `amount`
 * exactly, and none is zero.
 * @param lots in the order of spending
 * @throws RangeError when the lots together hold less than `amount`
 */
export function splitAcrossLots<L extends Lot>(lots: readonly L[], amount: Paise): { lot: L; amount: Paise }[] {
  const shares: { lot: L; amount: Paise }[] = []
  let left = amount
  for (const lot of lots) {
    if (left === 0) break
    const share = paise(Math.min(lot.remaining, left))
    if (share === 0) continue
    shares.push({ lot, amount: share })
    left = add(left, negate(share))
  }
  if (left > ZERO) throw new RangeError(`The lots fall ${left} paise short`)
  return shares
}

const LINE = `id uuid, user_id uuid, kind text, amount bigint, up_to bigint, description text, now timestamptz,
  expires_at timestamptz, order_id uuid, topup_id uuid, admin_id uuid, referral_code text, position int`
const ENTRY = 'movement_id uuid, lot_id uuid, account text, amount bigint, expires_at timestamptz'
const LOT =
  'id uuid, user_id uuid, movement_id uuid, kind text, remaining bigint, expires_at timestamptz, now timestamptz'

/**
 * Writes movements with their entries, in their order, and updates lots and balances. The wallets must be locked in
 * this transaction. The caller need not await it, because the commit fails if it does.
 */
export const post = (tx: Transaction, movements: readonly Movement[]): Promise<unknown> =>
  tx.send(sql`with ${posting(movements)} select`)

/** Does as `post`. @returns parts of a `with`, for a statement that writes more than movements */
export function posting(movements: readonly Movement[]): Sql {
  const entries = movements.flatMap((line) =>
    line.entries.map((entry) => ({ account: ACCOUNT[line.kind], ...entry, movementId: line.id })),
  )
  const wallets = new Map<string, Paise>()
  const lines = movements.map((line, position) => {
    const amount = add(ZERO, ...line.entries.map((entry) => entry.amount))
    return { ...line, amount, upTo: addTo(wallets, line.userId, amount), position }
  })
  const lots = new Map<string, Paise>()
  for (const { lotId, amount } of entries) addTo(lots, lotId, amount)
  return sql`
    wallet as (
      update wallets
         set balance_paise = balance_paise + change.amount ${soonestExpiry(movements)}
        from ${changes(wallets)} as change
       where wallets.user_id = change.id
      returning wallets.user_id, wallets.balance_paise - change.amount as before
    ), movement as (
      insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, created_at,
                                    expires_at, order_id, topup_id, admin_id, referral_code)
      select line.id, user_id, kind, amount, before + up_to, description, now, expires_at,
             order_id, topup_id, admin_id, referral_code
        from ${columns(lines, LINE)} as line
        join wallet using (user_id)
       order by position
    ), ${openingLots(movements)} entry as (
      insert into wallet_entries (movement_id, lot_id, account, amount_paise, expires_at)
      select * from ${columns(entries, ENTRY)} as entry
    ), lot as (
      -- Skips a lot that this statement opens, which is full and not visible here
      update wallet_lots set remaining_paise = remaining_paise + change.amount
        from ${changes(lots)} as change
       where wallet_lots.id = change.id
    )`
}

/** @returns the sum of this wallet or lot so far */
export function addTo(sums: Map<string, Paise>, id: string, amount: Paise): Paise {
  const sum = add(sums.get(id) ?? ZERO, amount)
  sums.set(id, sum)
  return sum
}

const changes = (sums: ReadonlyMap<string, Paise>): Sql =>
  columns(
    [...sums].map(([id, amount]) => ({ id, amount })),
    'id uuid, amount bigint',
  )

/** Adds to the statement only if a movement has a term or opens a lot, so that purchases don't pay for it. */
function soonestExpiry(movements: readonly Movement[]): Sql {
  const expiring = movements.filter((line) => line.expiresAt)
  if (expiring.length === 0) return sql``
  return sql`, next_lapse_at = least(next_lapse_at, (
           select min(lapse.expires_at) from ${columns(expiring, 'user_id uuid, expires_at timestamptz')} lapse
            where lapse.user_id = wallets.user_id))`
}

function openingLots(movements: readonly Movement[]): Sql {
  const opening = movements.flatMap(({ id: movementId, userId, kind, now, opens }) =>
    opens ? [{ ...opens, userId, movementId, kind, now }] : [],
  )
  if (opening.length === 0) return sql``
  return sql`opened as (
      insert into wallet_lots (id, user_id, movement_id, source, amount_paise, remaining_paise, expires_at, added_at)
      select id, user_id, movement_id, kind, remaining, remaining, expires_at, now
        from ${columns(opening, LOT)} as lot
    ),`
}
