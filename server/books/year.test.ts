import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dayOf, financialYear } from '../../contract/india.ts'
import { withDatabase } from '../../test/database.ts'
import { AT, openInviting, person } from '../../test/worlds/invites.ts'
import { readLedger, tradeOnRandomDays } from '../../test/worlds/trade.ts'
import { sql } from '../platform/database/database.ts'
import { closeDays } from './close-days.ts'
import { readBooks } from './read-books.ts'
import { readYear } from './read-year.ts'

const STORES = 50
const FROM = '2024-02-20'
const SPAN = 420
const rupees = (amount: number): number => Math.round(amount) / 100
const Taken = z.object({ day: z.string(), amount: z.number() })

test(
  'in 50 random stores the figures of a year are the ledger’s, to the paisa',
  () =>
    withDatabase(async (first) => {
      await compareYears(first, 1)
      for (let seed = 2; seed <= STORES; seed++) await withDatabase((db) => compareYears(db, seed))
    }),
  1_200_000,
)

test('of a year’s money, only what a statement proves was seen in the bank', () =>
  withDatabase(async (db) => {
    const { add, takeBack } = await openInviting(db)
    const back = person({ paid: 64 })
    await add(
      person({ paid: 200 }),
      person({ paid: 100, paidAt: new Date('2026-04-01T00:00:00+05:30') }),
      person({ paid: 50, paidAt: new Date('2026-03-31T23:59:59+05:30') }),
      person({ paid: 32, proof: 'alert' }),
      person({ paid: 16, proof: 'none' }),
      back,
    )
    await takeBack(back)

    const { months, total } = await readYear(db, 2026, AT)
    // What was taken back is received on the day of its credit, which is AT for each of these
    expect(total).toMatchObject({ received: 200 + 100 + 32 + 16 + 64, seen: 200 + 100, takenBack: 64 })
    expect(months[0]).toMatchObject({ month: '2026-04', received: 100, seen: 100 })
    expect(await readYear(db, 2025, AT)).toMatchObject({ total: { received: 50, seen: 50, takenBack: 0 } })
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
