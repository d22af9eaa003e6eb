/** A shop on random days of many years: top-ups, rewards, deductions, sales, claims, and credit that expires. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { dayAfter, startOf } from '../../contract/india.ts'
import { paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { refundClaimed, replaceClaimed } from '../../server/claims/answer-claim.ts'
import { openClaim } from '../../server/claims/open-claim.ts'
import { seededDice } from '../../server/demo/dice.ts'
import { importKeys } from '../../server/keys/import-keys.ts'
import { openOrderBatcher } from '../../server/orders/place-order.ts'
import { withdrawApproval } from '../../server/payments/file-for-buyer.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { allowedBefore } from '../../server/wallet/allowance.ts'
import { credit } from '../../server/wallet/credit.ts'
import { debit } from '../../server/wallet/debit.ts'
import { lockWallet } from '../../server/wallet/ledger.ts'
import { reverseTopUp } from '../../server/wallet/reverse-top-up.ts'
import { givenAdminCall, servicesOf } from '../services.ts'
import { unique } from './constants.ts'
import { givenProduct, givenUser } from './given.ts'

interface TradeOptions {
  seed: number
  /** The first day, and how many of the days after it have business. */
  from: string
  span: number
  days: number
  /** Half of the business is credit that comes. */
  isRich?: boolean
}

const KEYS_PER_BATCH = 150
const SUPPLIERS = ['Key Bazaar', 'North', ''] as const

/** @returns the end of the last day */
export async function tradeOnRandomDays(
  db: Database,
  { seed, from, span, days, isRich = false }: TradeOptions,
): Promise<Date> {
  const dice = seededDice(seed)
  const chosen = new Set<number>()
  while (chosen.size < days) chosen.add(dice(span))
  const trade = { ...(await openTrade(db, startOf(from), dice)), isRich }
  for (const day of [...chosen].sort((a, b) => a - b)) {
    const start = startOf(dayAfter(from, day)).getTime()
    // Business at the first and the last moment of a day, too
    const times = [0, DAY_MS - 1, dice(DAY_MS), dice(DAY_MS)].slice(dice(3)).sort((a, b) => a - b)
    for (const time of times) await actOnce(trade, new Date(start + time))
  }
  return startOf(dayAfter(from, span))
}

async function openTrade(db: Database, opened: Date, dice: (sides: number) => number) {
  const services = servicesOf(db)
  const admin = await givenAdminCall(db)
  const buyers = await Promise.all(Array.from({ length: 5 }, () => givenUser(db)))
  const products = await Promise.all([333, 101, 77].map((price) => givenProduct(db, { price: price + 0.37 })))
  for (const { productId, duration } of products)
    for (const [nth, supplier] of SUPPLIERS.entries()) {
      const keys = Array.from({ length: KEYS_PER_BATCH }, () => unique('TRADE-'))
      const costPerKey = nth === 1 ? null : paise(20_01 + dice(200_00))
      await importKeys(services, { productId, duration, keys, supplier, costPerKey }, { ...admin, now: opened })
    }
  return {
    services,
    admin,
    buyers,
    products,
    dice,
    batcher: openOrderBatcher({ db }),
    pick: <T>(from: readonly T[]): T => from[dice(from.length)] as T,
    sold: [] as { keyId: string; userId: string }[],
    claims: [] as string[],
    topUps: [] as { topupId: string; userId: string; paid: number; credited: number }[],
  }
}

type Trade = Awaited<ReturnType<typeof openTrade>> & { isRich: boolean }

async function actOnce(trade: Trade, now: Date): Promise<void> {
  const { dice, pick, buyers, isRich } = trade
  const buyer = pick(buyers)
  const thrown = dice(14)
  if (thrown < 3 || (isRich && dice(2) === 0)) await addCredit(trade, buyer, now)
  else if (thrown < 9) await buy(trade, buyer, now)
  else if (thrown === 9) await takeFrom(trade, buyer, now)
  else if (thrown === 10 && dice(4) === 0) await takeBack(trade, now)
  else if (thrown < 12) await report(trade, now)
  else await answer(trade, now)
}

function addCredit({ services: { db }, admin, dice, pick, topUps }: Trade, userId: string, now: Date) {
  return db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    const kind = pick(['topup', 'topup', 'topup', 'admin_credit', 'referral_reward'] as const)
    const [paid, extra] = [10_000 + dice(90_000), kind === 'topup' ? dice(2) * dice(20_000) : 0]
    const amount = paise(paid + extra)
    const expiresAt = dice(2) === 0 ? null : new Date(now.getTime() + (1 + dice(90)) * DAY_MS)
    const cause = { userId, amount, allowance: allowedBefore(amount), description: 'Credit', now, expiresAt, kind }
    if (kind !== 'topup') {
      credit(tx, cause)
      return
    }
    const topupId = newId()
    await tx.run(sql`
      insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, decided_at, decided_by,
                                  created_at)
      values (${topupId}, ${userId}, ${paid}, ${amount}, ${unique('U')}, '', 'approved', ${now}, ${admin.admin.id},
              ${now})`)
    credit(tx, { ...cause, topupId, promotion: paise(extra) })
    topUps.push({ topupId, userId, paid, credited: amount })
  })
}

async function buy({ batcher, products, dice, pick, sold }: Trade, buyerId: string, now: Date): Promise<void> {
  const { productId, duration } = pick(products)
  const wanted = { buyerId, productId, duration, quantity: 1 + dice(3), idempotency: undefined }
  const placed = await batcher.place(wanted, now)
  if ('keys' in placed) sold.push(...placed.keys.map(({ id }) => ({ keyId: id, userId: buyerId })))
}

/** Leaves out what the wallet, the stock or the time of a claim refuses. */
async function may<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

async function takeFrom({ services: { db }, admin, dice }: Trade, userId: string, now: Date): Promise<void> {
  const endsAt = dice(2) === 0 ? null : new Date(now.getTime() + (1 + dice(40)) * DAY_MS)
  const cause = { userId, description: 'Debit', now, adminId: admin.admin.id }
  const taken = db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    return debit(tx, { ...cause, kind: 'admin_debit', amount: paise(1 + dice(5_000)), endsAt })
  })
  await may(taken)
}

async function takeBack({ services: { db }, admin, dice, topUps }: Trade, now: Date): Promise<void> {
  const [topUp] = topUps.splice(dice(topUps.length), 1)
  if (!topUp) return
  const { userId, topupId } = topUp
  await db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    const cause = { userId, topupId, paid: paise(topUp.paid), adminId: admin.admin.id, now }
    const taken = await reverseTopUp(tx, { ...cause, description: 'Taken back' })
    const loss = paise(topUp.credited - taken)
    await withdrawApproval(tx, topupId, { reason: 'Taken back', utr: 'free', loss }, { ...admin, now })
  })
}

async function report({ services, sold, claims, dice }: Trade, now: Date): Promise<void> {
  const key = sold.at(-1 - dice(4))
  if (!key) return
  const claim = await may(
    openClaim(services, { keyId: key.keyId, reason: 'stopped', note: '' }, { userId: key.userId, now }),
  )
  if (claim) claims.push(claim._id)
}

async function answer({ services, admin, claims, dice }: Trade, now: Date): Promise<void> {
  const id = claims.shift()
  if (id === undefined) return
  const by = { ...admin, now }
  const amount = paise(1 + dice(7_000))
  if (dice(3) === 0) await may(replaceClaimed(services, { id, time: 'full' }, by))
  else await may(refundClaimed(services, { id, rule: 'other', amount, expected: amount }, by))
}

const LineRow = z.object({ day: z.string(), kind: z.string(), account: z.string(), amount: z.number() })

/** The ledger by day, kind of line and account, as the wallets see it. */
export const readLedger = (db: Database): Promise<z.output<typeof LineRow>[]> =>
  db.rows(sql(LineRow)`
    select (movement.created_at at time zone 'Asia/Kolkata')::date::text as day, movement.kind, entry.account,
           sum(entry.amount_paise)::bigint as amount
      from wallet_movements movement join wallet_entries entry on entry.movement_id = movement.id
     group by 1, 2, 3`)
