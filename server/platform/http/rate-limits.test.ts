import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { LIMITS } from '../../../contract/rate-limits.ts'
import { withDatabase } from '../../../test/database.ts'
import { sql, type Database } from '../database/database.ts'
import { rateLimits } from './rate-limits.ts'

const POINTS = LIMITS.login.origin?.points ?? 0
const who = { account: 'someone', address: '203.0.113.7' }

const passTime = (db: Database) => db.run(sql`update rate_limits set expire = 0`)

const originPoints = async (db: Database) =>
  (
    await db.one(
      z.object({ points: z.number() }),
      sql`select points from rate_limits where key like 'password/origin%'`,
    )
  ).points

test('a try that ends well after its counter has ended gives nothing to the next counter', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1)
    const slow = await take('login', who)
    await passTime(db)

    await slow(undefined)

    for (let n = 0; n < POINTS; n++) await (await take('login', who))('WRONG_CREDENTIALS')
    await expect(take('login', who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  }))

test('however many tries come back at once, a counter is never below zero', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1)
    const slow = await Promise.all(Array.from({ length: 5 }, () => take('login', who)))
    await passTime(db)
    const settle = await take('login', who)

    await Promise.all([...slow, settle].map((each) => each(undefined)))

    expect(await originPoints(db)).toBe(0)
  }))

test('tries and those that come back at the same moment are all counted', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1)
    const first = await Promise.all(Array.from({ length: 8 }, () => take('login', who)))

    const [, second] = await Promise.all([
      Promise.all(first.map((each) => each(undefined))),
      Promise.all(Array.from({ length: 6 }, () => take('login', who))),
    ])

    expect(second).toHaveLength(6)
    expect(await originPoints(db)).toBe(6)
  }))
