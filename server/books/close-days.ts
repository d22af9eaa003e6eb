/** Closes the books of days that are over. Purchases and refunds are of the day on which they come. */
import * as z from 'zod/mini'
import { dayAfter, dayOf, daysBetween, startOf } from '../../contract/india.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { indianDay } from '../platform/database/indian-day.ts'
import { sql, type Database, type Transaction } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import type { Services } from '../platform/services.ts'
import { closedThrough, dayFigures } from './day-figures.ts'
import { tellTurnover } from './read-year.ts'

/** The last purchases of a day are committed by this time of the next. */
const CLOSES_AFTER_MS = 10 * MINUTE_MS
/** Days closed in one transaction. */
const DAYS_AT_ONCE = 31
const TIMEOUT_MS = 120_000

export const bookJobs = ({ db }: Pick<Services, 'db'>): Job[] => [
  {
    name: 'close-books',
    nextAfter: (now) => new Date(startOf(dayAfter(openDay(now), 1)).getTime() + CLOSES_AFTER_MS),
    run: async (now, signal) => {
      const before = await closedThrough(db)
      const done = await closeDays(db, now, signal)
      await tellTurnover(db, before, now)
      return done
    },
  },
]

/** @returns the first day that cannot be closed yet */
const openDay = (now: Date): string => dayOf(now.getTime() - CLOSES_AFTER_MS)

/** @returns how many days were closed */
export async function closeDays(db: Database, now: Date, signal?: AbortSignal): Promise<{ closed: number }> {
  const last = dayAfter(openDay(now), -1)
  let closed = 0
  for (;;) {
    const days = await closeNext(db, last)
    closed += days
    if (days === 0 || signal?.aborted) return { closed }
  }
}

function closeNext(db: Database, last: string): Promise<number> {
  return db.transaction(
    async (tx) => {
      await reopen(tx, last)
      const { first } = await tx.one(sql(() => z.object({ first: z.nullable(z.string()) }))`
        select ${indianDay(sql`min(created_at)`)}::text as first
          from (select created_at from orders order by id limit 1000) oldest`)
      if (first === null || first > last) return 0
      // Its lock lets one node close at a time
      await tx.run(
        sql`insert into book_closing (closed_through) values (${dayAfter(first, -1)}) on conflict do nothing`,
      )
      await tx.run(sql`select from book_closing for update`)
      const from = dayAfter(await closedThrough(tx), 1)
      if (from > last) return 0
      const end = dayAfter(from, DAYS_AT_ONCE - 1)
      const to = end < last ? end : last
      await tx.run(sql`insert into book_days select * from ${dayFigures({ from, to })} figures`)
      await tx.run(sql`update book_closing set closed_through = ${to}`)
      return daysBetween(from, to) + 1
    },
    { statementTimeoutMs: TIMEOUT_MS },
  )
}

/** Opens days again that a clock that was ahead has closed, because their sales are still to come. */
async function reopen(tx: Transaction, last: string): Promise<void> {
  const ahead = await tx.run(sql`update book_closing set closed_through = ${last} where closed_through > ${last}`)
  if (ahead > 0) await tx.run(sql`delete from book_days where day > ${last}`)
}
