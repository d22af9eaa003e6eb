import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { withDatabase } from '../test/database.ts'
import { givenUser } from '../test/given.ts'
import { TEST_NOW } from '../test/world.ts'
import { examineAtNight } from './doctor.ts'
import { nextNight, storeJobs } from './jobs.ts'
import type { Examination } from './reports/health-report.ts'
import { manualClock } from './platform/clock.ts'
import { sql, type Database } from './platform/database.ts'
import { readJobs, runDueJobs } from './platform/jobs.ts'

const place = { migrations: path.resolve('server/migrations'), dataDir: tmpdir() }
const lookAt = (db: Database) => (now: Date) => examineAtNight(db, place, now)

test('what has lapsed is posted without anybody looking, and the books are checked', () =>
  withDatabase(async (db) => {
    const clock = manualClock(TEST_NOW)
    const userId = await givenUser(db, { balance: 100, expiresAt: new Date(clock.now().getTime() + 1_000) })
    clock.advance(2_000)

    await runDueJobs(db, storeJobs(db, lookAt(db)), clock)

    const { balance } = await db.one(
      z.object({ balance: z.number() }),
      sql`select balance_paise as balance from wallets where user_id = ${userId}`,
    )
    expect(balance).toBe(0)
    const states = new Map((await readJobs(db)).map((job) => [job.name, job]))
    expect(states.get('post-lapses')?.result).toEqual({ wallets: 1 })
    const found = states.get('check-books')?.result as Examination | undefined
    // The tests' own engine spares the disk, which is the one thing to be found
    expect(found?.broken.filter((text) => !/ is off: a power cut/.test(text))).toEqual([])
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

test('the night is 3 o’clock in India', () => {
  expect(nextNight(new Date('2026-11-20T15:44:00Z')).toISOString()).toBe('2026-11-20T21:30:00.000Z')
  expect(nextNight(new Date('2026-11-20T21:30:00Z')).toISOString()).toBe('2026-11-21T21:30:00.000Z')
})
