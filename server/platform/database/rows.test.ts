import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { withDatabase } from '../../../test/database.ts'
import { Rupees } from '../../../contract/amounts.ts'
import { Moment } from '../../../contract/fields.ts'
import { columns, sql } from './database.ts'
import { findBroken } from './invariants.ts'

const at = new Date('2026-11-20T00:00:00.000Z')

test('rows are written as columns, and read by the names of the program in the form of the wire', () =>
  withDatabase(async (db) => {
    const rows = [
      { lineNumber: 1, amount: 49_950, addedAt: at },
      { lineNumber: 2, amount: -5, addedAt: null },
    ]

    const read = await db.rows(sql(
      z.object({ _id: z.number(), lineNumber: z.number(), amount: Rupees, addedAt: z.nullable(Moment) }),
    )`
      select given.line_number + ${10} as _id, given.*
        from ${columns(rows, 'line_number int, amount bigint, added_at timestamptz')} as given
       where given.line_number > ${0}
       order by given.line_number`)

    expect(read).toEqual([
      { _id: 11, lineNumber: 1, amount: 499.5, addedAt: '2026-11-20T00:00:00.000Z' },
      { _id: 12, lineNumber: 2, amount: -0.05, addedAt: null },
    ])
  }))

test('the schema of a statement is made once for its place in the code', () =>
  withDatabase(async (db) => {
    let times = 0
    const makeRow = () => {
      times++
      return z.object({ n: z.number() })
    }
    const read = (n: number) => db.one(sql(makeRow)`select ${n}::int as n`)

    expect([await read(1), await read(2)]).toEqual([{ n: 1 }, { n: 2 }])
    expect(times).toBe(1)
  }))

test('no rows make an empty table', () =>
  withDatabase(async (db) => {
    const none: { userId: string }[] = []
    expect(
      await db.rows(
        sql(z.object({ userId: z.string() }))`select user_id from ${columns(none, 'user_id uuid')} as given`,
      ),
    ).toEqual([])
  }))

test('an invariant is asked whole, also where a line of its comment ends in a semicolon', () =>
  withDatabase(async (db) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-invariants-'))
    try {
      const rules =
        "-- I1 Nothing is broken;\n-- or it is said;\nselect 'one';\n\n-- I2 Nothing at all.\nselect 'x' where false;\n"
      await writeFile(path.join(directory, 'invariants.sql'), rules)
      expect(await findBroken(db, directory)).toMatchObject([{ invariant: 'I1 Nothing is broken;', rows: ['one'] }])
    } finally {
      await rm(directory, { recursive: true })
    }
  }))
