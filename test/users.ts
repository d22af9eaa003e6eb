/** Shared by tests of the users' screen: an admin's form for a user, and the books behind it. */
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { sql, type Database, type Sql } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import type { Shop } from './worlds/shop.ts'
import type { Answer } from './store.ts'

export const change = (shop: Shop, id: string, fields: object): Promise<Answer> =>
  shop.owner.put(`/admin/users/${id}/custom-prices`, fields)

export const countOf = async (db: Database, from: Sql): Promise<number> =>
  (await db.one(sql(z.object({ count: z.number() }))`select count(*) as count from ${from}`)).count

export const inTheBooks = async (shop: Shop): Promise<void> =>
  expect(await findBroken(shop.store.db, 'server/migrations')).toEqual([])
