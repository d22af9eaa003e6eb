import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { examineAtNight } from './doctor.ts'
import { nextNight, storeJobs } from './jobs.ts'
import type { Examination } from '../reports/health-report.ts'
import { manualClock } from '../platform/clock.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { readJobs, runDueJobs } from '../platform/jobs.ts'

const place = { migrations: path.resolve('server/migrations'), dataDir: tmpdir() }
const lookAt = (db: Database) => (now: Date) => examineAtNight(db, place, now)

test('what has lapsed is posted without anybody looking, and the books are checked', () =>
  withDatabase(async (db) => {
    const clock = manualClock(TEST_NOW)
    const userId = await givenUser(db, { balance: 100, expiresAt: new Date(clock.now().getTime() + 1_000) })
    clock.advance(2_000)

    await runDueJobs(db, storeJobs(db, lookAt(db)), clock)

    const balance = await db.count(sql`select balance_paise from wallets where user_id = ${userId}`)
    expect(balance).toBe(0)
    const states = new Map((await readJobs(db)).map((job) => [job.name, job]))
    expect(states.get('post-lapses')?.result).toEqual({ wallets: 1 })
    const found = states.get('check-books')?.result as Examination | undefined
    // The tests' own engine spares the disk, which is the one thing to be found
    expect(found?.broken.filter((text) => !text.startsWith('A power cut'))).toEqual([])
    expect([...states.values()].filter((job) => job.failures > 0)).toEqual([])
  }))

test('a broken book is found at night', () =>
  withDatabase(async (db) => {
    const userId = await givenUser(db, { balance: 100 })
    await db.run(sql`update wallets set balance_paise = balance_paise + 1 where user_id = ${userId}`)

    await runDueJobs(db, storeJobs(db, lookAt(db)), manualClock(TEST_NOW))

    const check = (await readJobs(db)).find((job) => job.name === 'check-books')
    expect(JSON.stringify(check?.result)).toContain(userId)
  }))

const LONG_AGO = '2020-01-01T00:00:00Z'

/** Sessions that can be forgotten, of one user. */
async function givenOldSessions(db: Database, count: number): Promise<void> {
  const userId = await givenUser(db)
  await db.run(sql`
    insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at)
    select sha256(convert_to(n::text, 'UTF8')), ${userId}, '', ${LONG_AGO}, ${LONG_AGO}
      from generate_series(1, ${count}::int) as n`)
}

test('very many old sessions are forgotten in steps, each of which a statement has the time for', () =>
  withDatabase(async (db) => {
    await givenOldSessions(db, 12_000)
    const steps: number[] = []
    const watched: Database = {
      ...db,
      async run(statement) {
        const rows = await db.run(statement)
        if (statement.text.includes('from user_sessions where')) steps.push(rows)
        return rows
      },
    }

    await runDueJobs(db, storeJobs(watched, lookAt(db)), manualClock(TEST_NOW))

    expect(steps).toEqual([5_000, 5_000, 2_000])
  }))

test('what cannot be cleaned up is told, and does not keep the rest from it', () =>
  withDatabase(async (db) => {
    await givenOldSessions(db, 1)
    await db.run(sql`insert into rate_limits (key, points, expire) values ('over', 1, 0)`)
    const busy: Database = {
      ...db,
      async run(statement) {
        if (statement.text.includes('user_sessions')) throw new Error('no time for this')
        return db.run(statement)
      },
    }

    await runDueJobs(db, storeJobs(busy, lookAt(db)), manualClock(TEST_NOW))

    const job = (await readJobs(db)).find(({ name }) => name === 'clean-up')
    expect(job?.failures).toBe(1)
    expect(job?.error).toContain('no time for this')
    expect(await db.rows(sql(z.object({ key: z.string() }))`select key from rate_limits`)).toEqual([])
  }))

test('the night is 3 o’clock in India', () => {
  expect(nextNight(new Date('2026-11-20T15:44:00Z')).toISOString()).toBe('2026-11-20T21:30:00.000Z')
  expect(nextNight(new Date('2026-11-20T21:30:00Z')).toISOString()).toBe('2026-11-21T21:30:00.000Z')
})
