import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { prepared, sql } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { readPayments } from './payment-rows.ts'

test.each([
  ['The account was closed', 'account-closed'],
  ['The bank shows ₹100', 'bank-shows 10000'],
  ['The bank shows ₹1,00,499.50', 'bank-shows 10049950'],
  ['The bank shows ₹100 less', 'The bank shows ₹100 less'],
  ['The bank shows nothing', 'The bank shows nothing'],
])('a reason of an earlier version reads as before: %s', (words, code) =>
  withDatabase(async (db) => {
    const userId = await givenUser(db)
    const id = newId()
    await db.run(sql`
      insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, reason, decided_at,
                                  created_at)
      values (${id}, ${userId}, 10000, 10000, '412345678901', '9876543210', 'rejected', ${words}, ${TEST_NOW},
              ${TEST_NOW})`)
    const migration = await readFile('server/migrations/0049_request_reasons.sql', 'utf8')

    for (const statement of migration.split(/;\n/).filter((each) => each.trim())) await db.run(prepared(statement))

    expect(await db.run(sql`select from topup_requests where reason = ${code}`)).toBe(1)
    expect((await readPayments(db, [id]))[0]?.reason).toBe(words)
  }),
)
