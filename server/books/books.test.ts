import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { BOOK_ROWS, type BookRow, type MonthLine } from '../../contract/books.ts'
import { dayAfter, dayOf } from '../../contract/india.ts'
import { DAY_MS } from '../../contract/time.ts'
import { withDatabase } from '../../test/database.ts'
import { readLedger, tradeOnRandomDays } from '../../test/worlds/trade.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { settleDue } from '../wallet/read-wallets.ts'
import { closeDays } from './close-days.ts'
import { readBooks } from './read-books.ts'
import { readLiability } from './read-liability.ts'
import { readMonth } from './read-months.ts'
import { readRows } from './read-rows.ts'

const FROM = '2009-03-15'
/** 200 months and more. */
const SPAN = 6_120
const DAYS = 400
const MONTHS = 200

const rupees = (paise: number): number => paise / 100

/** The books of all days that have any, a year at a time. */
async function readDays(db: Database): Promise<Map<string, BookRow>> {
  const days = new Map<string, BookRow>()
  for (let from = FROM; from < dayAfter(FROM, SPAN); from = dayAfter(from, 365)) {
    const { total, rows } = await readBooks(db, { from, to: dayAfter(from, 364), by: 'day' })
    expect(rupees(Math.round(rows.reduce((sum, row) => sum + row.profit * 100, 0)))).toBe(total.profit)
    for (const row of rows) days.set(row.id, row)
  }
  return days
}

/** Sales and refunds of each day in the ledger. */
async function ledgerDays(db: Database): Promise<Map<string, { sold: number; refunded: number }>> {
  const days = new Map<string, { sold: number; refunded: number }>()
  for (const { day, kind, account, amount } of await readLedger(db)) {
    if (account !== 'sales') continue
    const of = days.get(day) ?? { sold: 0, refunded: 0 }
    if (kind === 'purchase') of.sold -= amount
    else of.refunded += amount
    days.set(day, of)
  }
  return days
}

function compare(books: Map<string, BookRow>, ledger: Awaited<ReturnType<typeof ledgerDays>>): void {
  for (const [day, { sold, refunded }] of ledger)
    expect(books.get(day), day).toMatchObject({
      sold: rupees(sold),
      refunded: rupees(refunded),
      revenue: rupees(sold - refunded),
    })
  const withMoney = [...books.values()].filter((row) => row.sold !== 0 || row.refunded !== 0)
  expect(withMoney).toHaveLength(ledger.size)
}

const KeyRow = z.object({ day: z.string(), isGiven: z.boolean(), cost: z.nullable(z.number()) })

/** What the keys cost that left on each day, one by one. */
async function costDays(db: Database): Promise<Map<string, Pick<BookRow, 'cost' | 'warranty' | 'unknownCostKeys'>>> {
  const keys = await db.rows(sql(KeyRow)`
    select (key.assigned_at at time zone 'Asia/Kolkata')::date::text as day, key.replaces is not null as is_given,
           batch.cost_paise as cost
      from license_keys key left join key_batches batch on batch.id = key.batch_id
     where key.order_id is not null`)
  const days = new Map<string, { cost: number; warranty: number; unknownCostKeys: number }>()
  for (const { day, isGiven, cost } of keys) {
    const of = days.get(day) ?? { cost: 0, warranty: 0, unknownCostKeys: 0 }
    if (cost === null) of.unknownCostKeys += 1
    else of[isGiven ? 'warranty' : 'cost'] += cost
    days.set(day, of)
  }
  return new Map(
    [...days].map(([day, { cost, warranty, ...rest }]) => [
      day,
      { ...rest, cost: rupees(cost), warranty: rupees(warranty) },
    ]),
  )
}

const LINE_OF: Record<string, MonthLine> = {
  topup: 'top-ups',
  referral_reward: 'rewards',
  admin_credit: 'given',
  admin_debit: 'taken',
  deduction_lapsed: 'returned',
  purchase: 'sales',
  refund: 'refunds',
  reversal: 'taken-back',
  expiry: 'expired',
}

/** The lines of a month in the ledger, and the liability before and after. */
function ledgerMonth(ledger: Awaited<ReturnType<typeof readLedger>>, month: string) {
  const lines = new Map<string, number>()
  let before = 0
  for (const { day, kind, account, amount } of ledger) {
    if (day.slice(0, 7) < month) before += amount
    if (!day.startsWith(month)) continue
    const line = kind === 'topup' && account === 'promotions' ? 'bonus' : (LINE_OF[kind] ?? '')
    lines.set(line, (lines.get(line) ?? 0) + amount)
  }
  const after = [...lines.values()].reduce((sum, amount) => sum + amount, before)
  return { before: rupees(before), lines, after: rupees(after) }
}

const OF_PERIODS = BOOK_ROWS.filter((of) => of !== 'unspent')
const LINES_WITH_ROWS = OF_PERIODS.filter((of) => of !== 'bonus')

/** What the rows of each month add up to, which for the bonus is the books' figure. */
const rowsOf = (db: Database, months: readonly string[], now: Date) =>
  Promise.all(
    months.map(async (month) => {
      const days = { from: `${month}-01`, to: dayAfter(monthAfter(month), -1) }
      const amounts = await Promise.all(
        OF_PERIODS.map(async (of) => {
          const { rows, total, amount } = await readRows(db, { of, ...days, limit: 100 }, now)
          expect(rows).toHaveLength(total)
          expect(rows.reduce((sum, row) => sum + Math.round(row.amount * 100), 0)).toBe(Math.round(amount * 100))
          return [of, amount] as const
        }),
      )
      const { bonus, ...lines } = Object.fromEntries(amounts)
      expect(bonus).toBe((await readBooks(db, { ...days, by: 'day' })).total.bonus)
      return lines
    }),
  )
const monthAfter = (month: string): string => `${dayAfter(`${month}-28`, 4).slice(0, 7)}-01`

test('on 400 random days and in 200 random months the books are the ledger, to the paisa', () =>
  withDatabase(async (db) => {
    const end = await tradeOnRandomDays(db, { seed: Date.now() % 1_000_000, from: FROM, span: SPAN, days: DAYS })
    const ledger = await ledgerDays(db)
    const read = await readDays(db)
    compare(read, ledger)
    for (const [day, costs] of await costDays(db)) expect(read.get(day), day).toMatchObject(costs)

    // Half of the days are closed, then all of them
    await closeDays(db, new Date(end.getTime() - (SPAN / 2) * DAY_MS))
    expect(await readDays(db)).toEqual(read)
    await closeDays(db, end)
    expect(await closeDays(db, end)).toEqual({ closed: 0 })
    expect(await readDays(db)).toEqual(read)

    const months = Array.from({ length: MONTHS }, (_, nth) => dayAfter(FROM, Math.round(nth * 30.44)).slice(0, 7))
    const statements = await Promise.all(months.map((month) => readMonth(db, month, end)))
    const liability = await readLiability(db, end)
    const some = months.filter((_, nth) => nth % 8 === 0)
    const made = await rowsOf(db, some, end)
    for (const [nth, month] of some.entries()) {
      const { lines } = statements.find((statement) => statement.month === month) ?? {}
      const line = (name: MonthLine) => lines?.find((each) => each.line === name)?.amount
      for (const name of LINES_WITH_ROWS) expect([name, made[nth]?.[name]]).toEqual([name, line(name)])
    }
    const wallets = await db.rows(sql(z.object({ userId: z.string() }))`select user_id from wallets`)
    // Expired credit was in the statements before it was posted
    await settleDue(
      db,
      wallets.map(({ userId }) => userId),
      end,
    )
    const posted = await readLedger(db)
    for (const { month, before, lines, after } of statements) {
      const expected = ledgerMonth(posted, month)
      expect({ month, before, after }).toEqual({ month, before: expected.before, after: expected.after })
      for (const { line, amount } of lines)
        expect(amount, `${month} ${line}`).toBe(rupees(expected.lines.get(line) ?? 0))
    }
    expect(await Promise.all(months.map((month) => readMonth(db, month, end)))).toEqual(statements)
    expect(await rowsOf(db, some, end)).toEqual(made)
    const { open } = await db.one(
      sql(z.object({ open: z.number() }))`select coalesce(sum(remaining_paise), 0)::bigint as open from wallet_lots`,
    )
    expect(liability.total).toBe(rupees(open))
    const owed = async (which: object) => {
      const { rows, amount } = await readRows(
        db,
        { of: 'unspent', from: FROM, to: dayOf(end), limit: 100, ...which },
        end,
      )
      expect(rows.every((row) => row.amount > 0)).toBe(true)
      return amount
    }
    expect(await owed({})).toBe(liability.total)
    for (const { source, amount } of liability.bySource) expect(await owed({ source }), source).toBe(amount)
    for (const { month, amount } of liability.byExpiry) expect(await owed({ expires: month ?? 'never' })).toBe(amount)
    expect(liability.monthEnds[0]?.amount).toBe(ledgerMonth(posted, dayOf(end).slice(0, 7)).before)
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))
