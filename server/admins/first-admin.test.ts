import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { ensureFirstAdmin } from './first-admin.ts'

describe('the first admin', () => {
  const NOW = new Date(TEST_NOW)

  test('is made once, with a password of 20 random characters where none is given', () =>
    withDatabase(async (db) => {
      const first = await ensureFirstAdmin(db, { username: undefined, password: undefined }, NOW)

      expect(first).toEqual({
        username: 'admin',
        password: expect.stringMatching(/^[\w-]{20}$/) as string,
        generated: true,
      })
      expect(await ensureFirstAdmin(db, { username: 'other', password: 'another password' }, NOW)).toBeUndefined()
      // The password for the first start no longer counts
      expect(await ensureFirstAdmin(db, { username: '', password: 'password' }, NOW)).toBeUndefined()
    }))

  test.each([
    ['ADMIN_PASSWORD: Password must have at least 12 characters', { password: 'owner-key' }],
    ['ADMIN_PASSWORD: This password is too common', { password: '123456789qwe' }],
    ['ADMIN_PASSWORD: Don’t use your name', { username: 'shopkeeper', password: 'shopkeeper@2026' }],
    ['ADMIN_USERNAME: Username must be 3 to 32 characters', { username: 'me', password: 'a long owner password' }],
    ['ADMIN_USERNAME: Username can’t have spaces', { username: 'the owner', password: 'a long owner password' }],
  ])('is made by the rules of those who come after: %s', (reason, wanted) =>
    withDatabase(async (db) => {
      await expect(ensureFirstAdmin(db, wanted, NOW)).rejects.toThrow(reason)

      expect(await db.rows(sql(z.object({ n: z.number() }))`select count(*) as n from admins`)).toEqual([{ n: 0 }])
    }),
  )

  // Six are made if the check for an admin comes before the lock on audit_head.
  test('is one, however many nodes start at the same moment', () =>
    withDatabase(async (db) => {
      const starts = await db.transaction(async (tx) => {
        await tx.run(sql`select from audit_head for update`)
        const waiting = Array.from({ length: 6 }, (_, index) =>
          ensureFirstAdmin(db, { username: `admin${index}` }, NOW),
        )
        await untilBlocked(db, 6)
        return { waiting }
      })

      expect((await Promise.all(starts.waiting)).filter((made) => made !== undefined)).toHaveLength(1)
      expect(await db.rows(sql(z.object({ n: z.number() }))`select count(*) as n from admins`)).toEqual([{ n: 1 }])
    }))
})
