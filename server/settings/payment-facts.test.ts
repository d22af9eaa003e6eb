import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { newId } from '../platform/ids.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { readApprovalMinutes, readHasOffers } from './payment-facts.ts'

/** Requests that were reviewed after so many minutes, each an hour after the one before. */
async function givenReviews(db: Database, minutes: readonly number[], from = '2026-11-01T00:00:00Z'): Promise<void> {
  const userId = await givenUser(db)
  for (const [place, wait] of minutes.entries())
    await db.run(sql`
      insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, decided_at, created_at)
      select ${newId()}, ${userId}, 10000, 10000, ${`${from.slice(8, 10)}${4_026_118_700 + place}`}, '9876543210',
             'approved', sent + make_interval(mins => ${wait}), sent
        from (select ${from}::timestamptz + make_interval(hours => ${place}) as sent) request`)
}

test('the wait is the median of the reviews, and unknown below five of them', () =>
  withDatabase(async (db) => {
    expect(await readApprovalMinutes(db)).toBeUndefined()
    await givenReviews(db, [3, 12, 600, 8])
    expect(await readApprovalMinutes(db)).toBeUndefined()

    await givenReviews(db, [14], '2026-11-02T00:00:00Z')

    expect(await readApprovalMinutes(db)).toBe(12)
  }))

test('reviews before the last fifty no longer count', () =>
  withDatabase(async (db) => {
    await givenReviews(db, Array<number>(60).fill(50))
    await givenReviews(db, Array<number>(50).fill(0), '2026-11-20T00:00:00Z')

    expect(await readApprovalMinutes(db), 'at once is a minute').toBe(1)
  }))

test('only a plan on offer that gives more than its amount is an offer', () =>
  withDatabase(async (db) => {
    const given = (amount: number, bonus: number, isActive: boolean) =>
      db.run(sql`
        insert into topup_plans (id, amount_paise, bonus_paise, is_active, created_at)
        values (${newId()}, ${amount}, ${bonus}, ${isActive}, now())`)
    await given(500_00, 500_00, true)
    await given(500_00, 550_00, false)
    expect(await readHasOffers(db)).toBe(false)

    await given(500_00, 550_00, true)
    expect(await readHasOffers(db)).toBe(true)

    await db.run(sql`update topup_plans set deleted_at = now()`)
    expect(await readHasOffers(db)).toBe(false)
  }))
