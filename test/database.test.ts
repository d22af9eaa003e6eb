import { expect, test } from 'vitest'
import { sql } from '../server/platform/database/database.ts'
import { withDatabase } from './database.ts'

test('the application’s role can add to the ledger’s tables but neither change nor delete from them', () =>
  withDatabase(async (db) => {
    for (const table of [sql`wallet_movements`, sql`wallet_entries`, sql`audit_entries`])
      await expect(db.run(sql`delete from ${table}`)).rejects.toThrow(/permission denied/)
    for (const change of [
      sql`update wallet_movements set amount_paise = 1`,
      sql`update wallet_entries set amount_paise = 1`,
      sql`update audit_entries set action = ''`,
    ])
      await expect(db.run(change)).rejects.toThrow(/permission denied/)
    await expect(db.run(sql`create table intruder ()`)).rejects.toThrow(/permission denied/)
    const one = await db.count(sql`select count(*) from audit_head`)
    expect(one).toBe(1)
  }))
