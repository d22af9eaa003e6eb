import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { LIMITS } from '../../contract/rate-limits.ts'
import { withDatabase } from '../../test/database.ts'
import { sql, type Database } from './database/database.ts'
import { rateLimits } from './rate-limits.ts'

const POINTS = LIMITS.login.origin?.points ?? 0
const who = { account: 'someone', address: '203.0.113.7' }

const passTime = (db: Database) => db.run(sql`update rate_limits set expire = 0`)

const originPoints = async (db: Database) =>
  (
    await db.one(
      sql(z.object({ points: z.number() }))`select points from rate_limits where key like 'password/origin%'`,
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

    for (let n = 0; n < POINTS; n++) await (await take('login', who))('WRONG_CREDENTIALS')
    await expect(take('login', who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
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

const countRows = async (db: Database) =>
  (await db.one(sql(z.object({ count: z.number() }))`select count(*) as count from rate_limits`)).count

test('v5.0.0-15.2.2 tries that use up no point leave no row, however many names a stranger makes up', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1)
    const ofName = (n: number) => take('login', { account: `made-up ${n}`, address: '2001:db8:7:1::1' })
    for (const outcome of ['SERVICE_UNAVAILABLE', undefined] as const) {
      await Promise.all(Array.from({ length: 50 }, async (_, n) => (await ofName(n))(outcome)))
      expect(await countRows(db), outcome).toBe(0)
    }

    await (
      await ofName(0)
    )('WRONG_CREDENTIALS')
    await db.run(sql`update rate_limits set points = 1000 where key like 'password/address%'`)
    const before = await countRows(db)
    const refused = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => ofName(1 + n)))
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await countRows(db)).toBe(before)
  }))

test('of tries on two nodes at once all that are wrong are counted, and the others leave nothing', () =>
  withDatabase(async (db) => {
    const nodes = [rateLimits(db, 1), rateLimits(db, 1)]
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const settle = await nodes[n % 2]?.('login', { account: `name ${n % 20}`, address: `203.0.113.${n % 7}` })
        await settle?.(n % 10 === 0 ? 'WRONG_CREDENTIALS' : undefined)
      }),
    )

    const points = await db.count(sql`select sum(points)::int from rate_limits where key like 'password/address%'`)
    expect(points).toBe(20)
    expect(await db.rows(sql(z.object({ key: z.string() }))`select key from rate_limits where points = 0`)).toEqual([])
  }))
