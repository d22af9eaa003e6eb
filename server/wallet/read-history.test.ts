import { expect, test } from 'vitest'
import type { HistoryEntry } from '../../contract/wallet.ts'
import { withDatabase } from '../../test/database.ts'
import { givenCredit, givenUser } from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { readHistory } from './read-history.ts'

const NOW = new Date(TEST_NOW)

async function read(
  db: Database,
  userId: string,
  page: { limit?: number; before?: string | undefined },
): Promise<HistoryEntry[]> {
  const lines: HistoryEntry[] = []
  for await (const line of readHistory(db, userId, NOW, page)) lines.push(line)
  return lines
}

test('a page has as many lines as were asked for, and the next one begins behind its last', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db)
    for (let rupees = 1; rupees <= 5; rupees++) await givenCredit(db, buyer, { rupees })

    const first = await read(db, buyer, { limit: 2 })
    expect(first.map((line) => line.amount)).toEqual([5, 4])
    const second = await read(db, buyer, { limit: 2, before: first.at(-1)?._id })
    expect(second.map((line) => line.amount)).toEqual([3, 2])
    expect(await read(db, buyer, { limit: 1_000 })).toHaveLength(5)
  }))

test('a buyer who asks for pages of every size does not use up the statements that the store may prepare', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 1 })
    const [newest] = await read(db, buyer, {})
    for (let limit = 1; limit <= 1_000; limit++)
      await Promise.all([read(db, buyer, { limit }), read(db, buyer, { limit, before: newest?._id })])
    await expect(db.run(sql`select 'a statement that nobody has asked before'`)).resolves.toBe(1)
  }))
