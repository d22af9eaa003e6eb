import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { withDatabase } from '../../test/database.ts'
import { readAll } from '../../test/read-all.ts'
import { balanceOf, givenCredit, givenUser } from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import type { Database } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { allowedBefore } from './allowance.ts'
import { credit } from './credit.ts'
import { debit } from './debit.ts'
import { lockWallet } from './ledger.ts'
import { readWallets } from './read-wallets.ts'
import { readHistory } from './read-history.ts'

const day = (n: number) => new Date(Date.parse(TEST_NOW) + n * DAY_MS)

function deduct(
  db: Database,
  userId: string,
  rupees: number,
  { now = day(0), endsAt = null as Date | null } = {},
): Promise<unknown> {
  return db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    return debit(tx, {
      userId,
      amount: paise(rupees * 100),
      kind: 'admin_debit',
      description: 'Deducted',
      endsAt,
      now,
    })
  })
}

async function balanceAt(db: Database, userId: string, now: Date): Promise<number | undefined> {
  const wallet = (await readWallets(db, [userId], now)).get(userId)
  const lots = wallet?.wallet.reduce((sum, lot) => sum + lot.amount * 100, 0)
  expect(lots).toBe(wallet && wallet.balance * 100)
  return wallet?.balance
}

async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}

test('credit counts until the millisecond before it expires, and its end is a line in the history', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db, { balance: 100 })
    await givenCredit(db, user, { rupees: 40, expiresAt: day(3) })

    expect(await balanceAt(db, user, new Date(day(3).getTime() - 1))).toBe(140)
    expect(await balanceAt(db, user, day(3))).toBe(100)

    const [newest] = await readAll(readHistory(db, user, day(9), {}))
    expect(newest).toMatchObject({
      kind: 'expiry',
      type: 'admin_adjustment',
      amount: -40,
      delta: -40,
      balanceAfter: 100,
      createdAt: day(3).toISOString(),
    })
    await expectSound(db)
  }))

test('what was spent of expiring credit never has to be paid back when the rest expires', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db)
    await givenCredit(db, user, { rupees: 100, expiresAt: day(5) })
    await deduct(db, user, 70)

    expect(await balanceAt(db, user, day(6))).toBe(0)
    expect((await readAll(readHistory(db, user, day(6), {}))).map((line) => line.delta)).toEqual([-30, -70, 100])
    await expectSound(db)
  }))

test('a deduction with a term gives its amount back when the term ends', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db, { balance: 100 })
    await deduct(db, user, 60, { endsAt: day(60) })

    expect(await balanceAt(db, user, day(59))).toBe(40)
    expect(await balanceAt(db, user, day(60))).toBe(100)
    const [newest] = await readAll(readHistory(db, user, day(60), {}))
    expect(newest).toMatchObject({ kind: 'deduction_lapsed', type: 'topup', amount: 60, balanceAfter: 100 })
    await expectSound(db)
  }))

test('a deduction from credit that expires first gives nothing back', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db)
    await givenCredit(db, user, { rupees: 100, expiresAt: day(30) })
    await deduct(db, user, 60, { endsAt: day(60) })

    expect(await balanceAt(db, user, day(29))).toBe(40)
    expect(await balanceAt(db, user, day(61))).toBe(0)
    await expectSound(db)
  }))

test('an amount that returns to credit with an expiry goes with that credit', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db)
    await givenCredit(db, user, { rupees: 100, expiresAt: day(30) })
    await deduct(db, user, 60, { endsAt: day(10) })

    expect(await balanceAt(db, user, day(10))).toBe(100)
    expect(await balanceAt(db, user, day(30))).toBe(0)
    await expectSound(db)
  }))

test('a wallet that nobody looked at for a year is settled in the order in which things happened', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db)
    await givenCredit(db, user, { rupees: 100, expiresAt: day(30) })
    await deduct(db, user, 60, { endsAt: day(10) })

    expect((await readAll(readHistory(db, user, day(365), {}))).map((line) => [line.kind, line.balanceAfter])).toEqual([
      ['expiry', 0],
      ['deduction_lapsed', 100],
      ['admin_debit', 40],
      ['admin_credit', 100],
    ])
    await expectSound(db)
  }))

test('a deduction above the balance is refused with the shortfall and changes nothing', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db, { balance: 50 })

    await expect(deduct(db, user, 51)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      extras: { details: { shortfall: 1 } },
    })

    expect(await balanceOf(db, user)).toBe(50_00)
    await expectSound(db)
  }))

test('whatever is credited, deducted and left to lapse, the books add up at every step', () =>
  withDatabase(async (db) => {
    const step = fc.record({
      kind: fc.constantFrom('credit', 'debit'),
      rupees: fc.integer({ min: 1, max: 90 }),
      termDays: fc.option(fc.integer({ min: 1, max: 20 })),
      waitDays: fc.integer({ min: 0, max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const user = await givenUser(db)
        let today = 0
        for (const { kind, rupees, termDays, waitDays } of steps) {
          today += waitDays
          const ends = termDays === null ? null : day(today + termDays)
          if (kind === 'credit') await givenCredit(db, user, { rupees, expiresAt: ends, now: day(today) })
          else
            await deduct(db, user, rupees, { now: day(today), endsAt: ends }).catch((error: unknown) =>
              expect(error).toBeInstanceOf(Refusal),
            )
          const history = await readAll(readHistory(db, user, day(today), {}))
          expect(history.reduce((sum, line) => sum + line.delta * 100, 0) / 100).toBe(
            await balanceAt(db, user, day(today)),
          )
        }
        await balanceAt(db, user, day(today + 100))
      }),
      { numRuns: 40 },
    )
    await expectSound(db)
  }))

test('two adjustments at once both count', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db, { balance: 10 })

    await Promise.all(Array.from({ length: 20 }, () => givenCredit(db, user, { rupees: 5 })))

    expect(await balanceOf(db, user)).toBe(110_00)
    await expectSound(db)
  }))

test('a bonus on top of what was paid is borne by promotions', () =>
  withDatabase(async (db) => {
    const user = await givenUser(db)
    await db.transaction(async (tx) => {
      await lockWallet(tx, user, day(0))
      credit(tx, {
        userId: user,
        amount: paise(120_00),
        allowance: allowedBefore(paise(120_00)),
        promotion: paise(20_00),
        kind: 'admin_credit',
        description: 'Plan',
        expiresAt: null,
        now: day(0),
      })
    })

    expect(await balanceOf(db, user)).toBe(120_00)
    await expectSound(db)
  }))
