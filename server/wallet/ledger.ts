/**
 * The wallet ledger: lines that are only ever added.
 *
 * Credit comes in lots: an amount, what is left of it, and perhaps a moment at which the rest lapses. A debit
 * is posted as one entry for each lot that it uses, soonest to lapse first, and each entry carries its lot's
 * expiry: credit and the spending of it lapse together, so that a lapse never leaves a debt behind. An admin's
 * deduction can have a term of its own; when that ends before the lot does, the amount returns to the lot.
 *
 * Every function here works inside the caller's transaction on a wallet that `lockWallet` has locked.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { add, negate, paise, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import type { MovementKind } from '../../contract/wallet.ts'
import { sql, type Database, type Transaction } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import type { View } from '../platform/kept-reads.ts'
import { earlier, splitAcrossLots, type Lot } from './lots.ts'

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

/** What a movement says about itself. */
interface Cause {
  userId: string
  description: string
  now: Date
  adminId?: string
  topupId?: string
  orderId?: string
  referralCode?: string
}

export interface Credit extends Cause {
  kind: 'topup' | 'admin_credit' | 'referral_reward' | 'refund'
  /** Above zero. */
  amount: Paise
  /** The part of the amount that the store gives on top of what was paid; promotions bear it. */
  promotion?: Paise
  expiresAt: Date | null
}

export interface Debit extends Cause {
  kind: 'admin_debit' | 'reversal'
  /** Above zero. */
  amount: Paise
  /** When the deduction itself ends and the amount returns; null for never. */
  lapsesAt: Date | null
}

export interface Posted {
  movementId: string
  balanceAfter: Paise
}

export async function openWallet(tx: Transaction, userId: string): Promise<void> {
  await tx.run(sql`insert into wallets (user_id) values (${userId})`)
}

const Locked = z.object({ balance: z.number(), nextLapseAt: z.nullable(z.date()) })

/**
 * Locks a wallet until the transaction ends, and posts what has lapsed since it was last looked at.
 * @returns the balance in paise
 * @throws Refusal NOT_FOUND for a user without a wallet
 */
export async function lockWallet(tx: Transaction, userId: string, now: Date): Promise<Paise> {
  const wallet = await tx.maybe(
    Locked,
    sql`select balance_paise as balance, next_lapse_at as "nextLapseAt" from wallets where user_id = ${userId} for update`,
  )
  if (!wallet) throw new Refusal('NOT_FOUND')
  if (wallet.nextLapseAt === null || wallet.nextLapseAt > now) return paise(wallet.balance)
  return settle(tx, userId, now)
}

/** What is to come back to the wallet from deductions that end. The wallet must be locked in this transaction. */
export async function creditDue(tx: Transaction, userId: string): Promise<Paise> {
  const { due } = await tx.one(
    z.object({ due: z.number() }),
    sql`
    select coalesce(sum(amount_paise), 0)::bigint as due
      from wallet_deductions where user_id = ${userId} and returned_at is null`,
  )
  return paise(due)
}

/** Adds a lot of credit. */
export async function credit(tx: Transaction, entry: Credit): Promise<Posted> {
  const movementId = newId()
  const lotId = newId()
  const { userId, amount, expiresAt, now } = entry
  const promotion = entry.promotion ?? ZERO
  const parts = [
    { account: ACCOUNT[entry.kind] as string, amount: add(amount, negate(promotion)) },
    { account: 'promotions', amount: promotion },
  ].filter((part) => part.amount !== 0)
  const { balance } = await tx.one(
    z.object({ balance: z.number() }),
    sql`
    with movement as (
      insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, referral_code,
                                    expires_at, order_id, topup_id, admin_id, created_at)
      select ${movementId}, user_id, ${entry.kind}, ${amount}, balance_paise + ${amount}, ${entry.description},
             ${entry.referralCode ?? null}, ${expiresAt}, ${entry.orderId ?? null}, ${entry.topupId ?? null},
             ${entry.adminId ?? null}, ${now}
        from wallets where user_id = ${userId}
    ), lot as (
      insert into wallet_lots (id, user_id, movement_id, source, amount_paise, remaining_paise, expires_at, added_at)
      values (${lotId}, ${userId}, ${movementId}, ${entry.kind}, ${amount}, ${amount}, ${expiresAt}, ${now})
    ), entry as (
      insert into wallet_entries (movement_id, lot_id, account, amount_paise, expires_at)
      select ${movementId}, ${lotId}, part.account, part.amount, ${expiresAt}
        from unnest(${parts.map((part) => part.account)}::text[], ${parts.map((part) => part.amount)}::bigint[]) as part (account, amount)
    )
    update wallets
       set balance_paise = balance_paise + ${amount}, next_lapse_at = least(next_lapse_at, ${expiresAt})
     where user_id = ${userId}
    returning balance_paise as balance`,
  )
  return { movementId, balanceAfter: paise(balance) }
}

/**
 * Takes credit away, soonest to lapse first.
 * @throws Refusal INSUFFICIENT_BALANCE with the shortfall in rupees; nothing is kept
 */
export async function debit(tx: Transaction, entry: Debit): Promise<Posted> {
  const { userId, amount, lapsesAt } = entry
  const lots = await openLots(tx, userId, entry.now)
  const available = add(...lots.map((lot) => lot.remaining))
  if (available < amount)
    throw new Refusal('INSUFFICIENT_BALANCE', { details: { shortfall: toRupees(add(amount, negate(available))) } })

  const shares = splitAcrossLots(lots, amount).map(({ lot, amount }) => ({
    lotId: lot.id,
    amount: negate(amount),
    expiresAt: earlier(lot.expiresAt, lapsesAt),
    // Where the lot ends first, or with it, there is nothing left to return
    returns: lapsesAt !== null && (lot.expiresAt === null || lapsesAt < lot.expiresAt),
  }))
  const posted = await post(tx, { ...entry, amount: negate(amount), expiresAt: lapsesAt }, shares)

  const returning = shares.filter((share) => share.returns)
  if (returning.length > 0) {
    await tx.run(sql`
      insert into wallet_deductions (id, user_id, lot_id, movement_id, amount_paise, lapses_at)
      select id, ${userId}, lot_id, ${posted.movementId}, amount, ${lapsesAt}
        from unnest(${returning.map(() => newId())}::uuid[], ${returning.map((share) => share.lotId)}::uuid[],
                    ${returning.map((share) => negate(share.amount))}::bigint[]) as share (id, lot_id, amount)`)
    await tx.run(sql`update wallets set next_lapse_at = least(next_lapse_at, ${lapsesAt}) where user_id = ${userId}`)
  }
  return posted
}

interface Share {
  lotId: string
  /** Signed: below zero out of the lot. */
  amount: Paise
  expiresAt: Date | null
}

interface Movement extends Cause {
  kind: MovementKind
  /** Signed. */
  amount: Paise
  expiresAt: Date | null
}

/** Writes one movement with an entry for each lot that it touches, and brings lots and balance along. */
async function post(tx: Transaction, movement: Movement, shares: readonly Share[]): Promise<Posted> {
  const movementId = newId()
  const { userId, amount } = movement
  const { balance } = await tx.one(
    z.object({ balance: z.number() }),
    sql`
    with movement as (
      insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, expires_at, admin_id, created_at)
      select ${movementId}, user_id, ${movement.kind}, ${amount}, balance_paise + ${amount}, ${movement.description},
             ${movement.expiresAt}, ${movement.adminId ?? null}, ${movement.now}
        from wallets where user_id = ${userId}
    ), share as (
      select * from unnest(${shares.map((share) => share.lotId)}::uuid[], ${shares.map((share) => share.amount)}::bigint[],
                           ${shares.map((share) => share.expiresAt)}::timestamptz[]) as share (lot_id, amount, expires_at)
    ), entry as (
      insert into wallet_entries (movement_id, lot_id, account, amount_paise, expires_at)
      select ${movementId}, lot_id, ${ACCOUNT[movement.kind]}, amount, expires_at from share
    ), lot as (
      update wallet_lots set remaining_paise = remaining_paise + share.amount from share where wallet_lots.id = share.lot_id
    )
    update wallets set balance_paise = balance_paise + ${amount} where user_id = ${userId}
    returning balance_paise as balance`,
  )
  return { movementId, balanceAfter: paise(balance) }
}

const LotRow = z.object({ id: z.string(), remaining: z.number(), expiresAt: z.nullable(z.date()) })

/** The lots that still count, in the order in which they are spent. */
export async function openLots(tx: Transaction, userId: string, now: Date): Promise<Lot[]> {
  const rows = await tx.rows(
    LotRow,
    sql`
    select id, remaining_paise as remaining, expires_at as "expiresAt"
      from wallet_lots
     where user_id = ${userId} and remaining_paise > 0 and (expires_at is null or expires_at > ${now})
     order by expires_at nulls last, added_at, id`,
  )
  return rows.map((row) => ({ ...row, remaining: paise(row.remaining) }))
}

const Lapse = z.object({
  what: z.enum(['return', 'expiry']),
  at: z.date(),
  cause: z.string(),
  lotIds: z.array(z.string()),
  amounts: z.array(z.number()),
})

/**
 * Posts every lapse that is due, in the order of their moments, each dated to its moment.
 * A lapse returns to a lot before the lot itself lapses, so the next one due is looked up after each.
 */
async function settle(tx: Transaction, userId: string, now: Date): Promise<Paise> {
  let next = await nextLapse(tx, userId, now)
  while (next) {
    const { at, lotIds, amounts } = next
    const shares = lotIds.map((lotId, index) => ({
      lotId,
      amount: next?.what === 'return' ? paise(amounts[index] ?? 0) : negate(paise(amounts[index] ?? 0)),
      expiresAt: null,
    }))
    const amount = add(...shares.map((share) => share.amount))
    if (next.what === 'return') {
      await post(
        tx,
        {
          kind: 'deduction_lapsed',
          userId,
          amount,
          description: 'Deduction ended: amount returned',
          expiresAt: null,
          now: at,
        },
        shares,
      )
      await tx.run(sql`
        update wallet_deductions set returned_at = ${at}
         where user_id = ${userId} and movement_id = ${next.cause} and returned_at is null`)
    } else {
      await post(
        tx,
        { kind: 'expiry', userId, amount, description: 'Credit expired', expiresAt: null, now: at },
        shares,
      )
    }
    next = await nextLapse(tx, userId, now)
  }
  const { balance } = await tx.one(
    z.object({ balance: z.number() }),
    sql`
    update wallets
       set next_lapse_at = least(
             (select min(expires_at) from wallet_lots where user_id = ${userId} and remaining_paise > 0),
             (select min(lapses_at) from wallet_deductions where user_id = ${userId} and returned_at is null))
     where user_id = ${userId}
    returning balance_paise as balance`,
  )
  return paise(balance)
}

function nextLapse(tx: Transaction, userId: string, now: Date): Promise<z.output<typeof Lapse> | undefined> {
  return tx.maybe(
    Lapse,
    sql`
    select what, at, cause, "lotIds", amounts
      from (select 'return' as what, lapses_at as at, movement_id::text as cause,
                   array_agg(lot_id::text order by lot_id) as "lotIds", array_agg(amount_paise::float8 order by lot_id) as amounts
              from wallet_deductions
             where user_id = ${userId} and returned_at is null and lapses_at <= ${now}
             group by lapses_at, movement_id
            union all
            select 'expiry', expires_at, id::text, array[id::text], array[remaining_paise::float8]
              from wallet_lots
             where user_id = ${userId} and remaining_paise > 0 and expires_at <= ${now}) due
     order by at, what desc, cause
     limit 1`,
  )
}

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

/** Balances and the lots behind them, for reading; what has lapsed is posted first. */
export async function readWallets(
  db: Database,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, WalletView>> {
  await settleDue(db, userIds, now)
  const rows = await db.rows(
    ViewRow,
    sql`
    select wallet.user_id as "userId", wallet.balance_paise as balance, lot.id as "lotId", lot.remaining_paise as remaining,
           lot.expires_at as "expiresAt", lot.added_at as "addedAt", lot.source
      from wallets wallet
      left join wallet_lots lot on lot.user_id = wallet.user_id and lot.remaining_paise > 0
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

/** Posts the lapses of those wallets that have any due; a wallet without one costs nothing but the look. */
export async function settleDue(db: Database, userIds: readonly string[], now: Date): Promise<void> {
  const due = await db.rows(
    z.object({ userId: z.string() }),
    sql`select user_id as "userId" from wallets where user_id = any(${userIds}::uuid[]) and next_lapse_at <= ${now} order by user_id`,
  )
  for (const { userId } of due) await db.transaction((tx) => lockWallet(tx, userId, now))
}

/**
 * The same for one wallet whose next lapse is known for as long as nothing changes.
 * @returns whether something had lapsed
 */
export async function settleWhenDue(db: Database, kept: View, userId: string, now: Date): Promise<boolean> {
  const wallet = await kept.read(`next lapse ${userId}`, () =>
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
