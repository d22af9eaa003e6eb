import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { newId } from '../platform/ids.ts'
import { sql } from '../platform/database/database.ts'
import { readHasOffers } from './offers.ts'

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
