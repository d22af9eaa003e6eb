import { expect, test } from 'vitest'
import { dayAfter, dayOf, financialYear } from '../../contract/india.ts'
import { paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { withDatabase } from '../../test/database.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { tradeOnRandomDays } from '../../test/worlds/trade.ts'
import { sql } from '../platform/database/database.ts'
import { saveStore } from '../settings/save-settings.ts'
import { closeDays } from './close-days.ts'
import { exportYear } from './export-books.ts'
import { readYear, tellTurnover } from './read-year.ts'

const FROM = '2024-02-20'

test('owners hear of the year once at 80 % and once at 100 % of their line', () =>
  withDatabase(async (db) => {
    const end = await tradeOnRandomDays(db, { seed: 7, from: FROM, span: 30, days: 25 })
    await closeDays(db, end)
    const by = await givenAdminCall(db)
    const year = financialYear(FROM)
    const { total } = await readYear(db, year, end)
    const told = () =>
      db.texts(sql`select substring(dedupe from '^books.turnover:[0-9]+:[0-9]+') from outbox_messages
                    where kind = 'books.turnover' order by 1`)
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

    // The store stood still over 31 March: its last days and the first of the next year are closed together
    await closeDays(db, new Date(end.getTime() + 20 * DAY_MS))
    await db.run(sql`delete from outbox_messages where kind = 'books.turnover'`)
    await tellTurnover(db, dayAfter(FROM, -1), new Date(end.getTime() + 20 * DAY_MS))
    expect(await told(), 'of the year that has ended').toEqual([`books.turnover:${year}:100`])
    let sheet = ''
    for await (const line of exportYear(await readYear(db, year, end))) sheet += line
    expect(sheet).toContain('Financial year 2023–24 (India)')
  }))
