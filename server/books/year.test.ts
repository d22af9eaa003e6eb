import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dayAfter, dayOf, financialYear } from '../../contract/india.ts'
import { paise } from '../../contract/money.ts'
import { withDatabase } from '../../test/database.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { readLedger, tradeOnRandomDays } from '../../test/worlds/trade.ts'
import { sql } from '../platform/database/database.ts'
import { saveStore } from '../settings/save-settings.ts'
import { closeDays } from './close-days.ts'
import { exportYear } from './export-books.ts'
import { readBooks } from './read-books.ts'
import { readYear, tellTurnover } from './read-year.ts'

const STORES = 50
const FROM = '2024-02-20'
const SPAN = 420
const rupees = (amount: number): number => Math.round(amount) / 100
const Taken = z.object({ day: z.string(), amount: z.number() })

test('in 50 random stores the figures of a year are the ledger’s, to the paisa', () =>
  withDatabase(async (first) => {
    await compareYears(first, 1)
    for (let seed = 2; seed <= STORES; seed++) await withDatabase((db) => compareYears(db, seed))
  }))

async function compareYears(db: Parameters<typeof readYear>[0], seed: number): Promise<void> {
  const end = await tradeOnRandomDays(db, { seed, from: FROM, span: SPAN, days: 10 })
  const ledger = await readLedger(db)
  const taken = await db.rows(sql(Taken)`
    select (decided_at at time zone 'Asia/Kolkata')::date::text as day, amount_paise as amount
      from topup_requests where taken_back is not null`)
  for (let year = financialYear(FROM); year <= financialYear(dayOf(end)); year++) {
    const [from, to] = [`${year}-04-01`, `${year + 1}-03-31`]
    const isIn = ({ day }: { day: string }) => day >= from && day <= to
    const sum = (rows: { amount: number }[]) => rupees(rows.reduce((all, { amount }) => all + amount, 0))
    const { total: profit } = await readBooks(db, { from, to, by: 'day' })
    const open = await readYear(db, year, end)

    expect(open.total).toEqual({
      received: sum(ledger.filter((row) => isIn(row) && row.kind === 'topup' && row.account !== 'promotions')),
      seen: 0,
      takenBack: sum(taken.filter(isIn)),
      sales: rupees((profit.revenue - profit.bonus) * 100),
    })
    for (const name of ['received', 'takenBack', 'sales'] as const)
      expect(rupees(open.months.reduce((all, month) => all + month[name] * 100, 0))).toBe(open.total[name])
    await closeDays(db, end)
    expect(await readYear(db, year, end), 'closed').toEqual(open)
  }
}

test('owners hear of the year once at 80 % and once at 100 % of their line', () =>
  withDatabase(async (db) => {
    const end = await tradeOnRandomDays(db, { seed: 7, from: FROM, span: 30, days: 25 })
    await closeDays(db, end)
    const by = await givenAdminCall(db)
    const year = financialYear(FROM)
    const { total } = await readYear(db, year, end)
    const told = () => db.texts(sql`select dedupe from outbox_messages where kind = 'books.turnover' order by 1`)
    const lineAt = (share: number) =>
      saveStore(servicesOf(db), { turnoverLine: paise(Math.ceil((total.sales * 100) / share)) }, by)

    await lineAt(0.79)
    await tellTurnover(db, dayAfter(FROM, -1), end)
    expect(await told()).toEqual([])
    await lineAt(0.85)
    for (const _ of [1, 2]) await tellTurnover(db, dayAfter(FROM, -1), end)
    expect(await told()).toEqual([`books.turnover:${year}:80`])
    await lineAt(1.1)
    await tellTurnover(db, dayAfter(FROM, -1), end)
    expect(await told()).toHaveLength(2)
    await tellTurnover(db, dayOf(end), end)
    expect(await told(), 'nothing new was closed').toHaveLength(2)
    let sheet = ''
    for await (const line of exportYear(await readYear(db, year, end))) sheet += line
    expect(sheet).toContain('Financial year 2023–24 (India)')
  }))
