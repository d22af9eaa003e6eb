import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Refusal } from '../../contract/errors.ts'
import { ADMIN_CODES, LIMITS } from '../../contract/rate-limits.ts'
import { HOUR_MS } from '../../contract/time.ts'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { databaseClock, manualClock } from './clock.ts'
import { sql, type Database } from './database/database.ts'
import { forgetCounters, rateLimits } from './rate-limits.ts'

const POINTS = LIMITS.login.origin?.points ?? 0
const clock = manualClock(TEST_NOW)
const who = { account: 'someone', address: '203.0.113.7' }

afterEach(() => vi.useRealTimers())

const passTime = (db: Database) => db.run(sql`update rate_limits set expire = 0`)

const originPoints = async (db: Database) =>
  (
    await db.one(
      sql(z.object({ points: z.number() }))`select points from rate_limits where key like 'password/origin%'`,
    )
  ).points

test('a try that ends well after its counter has ended gives nothing to the next counter', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1, clock)
    const slow = await take('login', who)
    await passTime(db)

    await slow(undefined)

    for (let n = 0; n < POINTS; n++) await (await take('login', who))('WRONG_CREDENTIALS')
    await expect(take('login', who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  }))

test('however many tries come back at once, a counter is never below zero', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1, clock)
    const slow = await Promise.all(Array.from({ length: 5 }, () => take('login', who)))
    await passTime(db)
    const settle = await take('login', who)

    await Promise.all([...slow, settle].map((each) => each(undefined)))

    for (let n = 0; n < POINTS; n++) await (await take('login', who))('WRONG_CREDENTIALS')
    await expect(take('login', who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  }))

test('tries and those that come back at the same moment are all counted', () =>
  withDatabase(async (db) => {
    const take = rateLimits(db, 1, clock)
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
    const take = rateLimits(db, 1, clock)
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
    const nodes = [rateLimits(db, 1, clock), rateLimits(db, 1, clock)]
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

test.each([
  ['login', 'WRONG_CREDENTIALS'],
  ['reset-device', 'WRONG_CREDENTIALS'],
  ['admin-code', 'WRONG_CODE'],
  ['buy', undefined],
] as const)('of two nodes whose machines are two hours apart, the one ahead forgets no try at %s', (name, outcome) =>
  withDatabase(async (db) => {
    const stop = new AbortController()
    const nodes = [await nodeOf(db, -HOUR_MS, stop.signal), await nodeOf(db, HOUR_MS, stop.signal)]
    const { origin, account } = name === 'admin-code' ? ADMIN_CODES : LIMITS[name]
    const points = (origin ?? account)?.points ?? 0

    for (let n = 0; n < points; n++) await (await nodes[n % 2]?.(name))?.(outcome)
    for (const node of nodes) {
      const error: unknown = await node(name).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'RATE_LIMITED' })
      const { retryAfterMs = 0 } = (error as Refusal).extras
      expect(retryAfterMs).toBeGreaterThan(0)
      expect(retryAfterMs).toBeLessThanOrEqual(HOUR_MS / 4)
    }
    stop.abort()
  }),
)

/** A node whose machine is ahead by so much. This machine's clock is only wrong while the node works. */
async function nodeOf(db: Database, byMs: number, signal: AbortSignal) {
  const thatMachine = <T>(work: () => Promise<T>): Promise<T> => {
    vi.useFakeTimers({ toFake: ['Date'], now: performance.timeOrigin + performance.now() + byMs })
    return work().finally(() => vi.useRealTimers())
  }
  const take = rateLimits(db, 1, await thatMachine(() => databaseClock(db, signal)))
  return async (name: Parameters<typeof take>[0]) => {
    const settle = await thatMachine(() => take(name, who))
    return (outcome: Parameters<typeof settle>[0]) => thatMachine(() => settle(outcome))
  }
}

test('nobody stays locked out because the clock was ahead, and was put right', () =>
  withDatabase(async (db) => {
    const clock = manualClock(TEST_NOW)
    const take = rateLimits(db, 1, clock)
    clock.advance(HOUR_MS)
    for (let n = 0; n < POINTS; n++) await (await take('login', who))('WRONG_CREDENTIALS')
    clock.set(TEST_NOW)

    await expect(take('login', who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    clock.advance(HOUR_MS / 4)
    await (
      await take('login', who)
    )('WRONG_CREDENTIALS')
  }))

test('the job that forgets counters leaves those that still count', () =>
  withDatabase(async (db) => {
    const clock = manualClock(TEST_NOW)
    const take = rateLimits(db, 1, clock)
    await (
      await take('login', who)
    )('WRONG_CREDENTIALS')

    clock.advance(HOUR_MS / 4 - 1)
    expect(await forgetCounters(db, clock.now())).toBe(0)
    clock.advance(2)
    expect(await forgetCounters(db, clock.now())).toBeGreaterThan(0)
    expect(await countRows(db)).toBe(0)
  }))
