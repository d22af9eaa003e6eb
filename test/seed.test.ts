import path from 'node:path'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { SEED_PASSWORD, seededUsername, seedStore } from './worlds/year.ts'
import { sql } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { givenAdminCall } from './services.ts'
import { TEST_NOW, TEST_SEALER, withStore } from './store.ts'

test('a seeded store keeps every invariant, and its buyers can log in and buy', () =>
  withStore(async (store) => {
    const { admin } = await givenAdminCall(store.db)
    const sizes = { users: 200, keys: 2_000, payments: 2_345 }

    const seed = { ...sizes, sealer: TEST_SEALER, now: new Date(TEST_NOW), adminId: admin.id, say: () => {} }
    await seedStore(store.db, seed)

    expect(await findBroken(store.db, path.resolve('server/migrations'))).toEqual([])
    const counted = await store.db.one(sql(z.object({ users: z.number(), keys: z.number(), payments: z.number() }))`
      select (select count(*) from users) as users, (select count(*) from license_keys) as keys,
             (select count(*) from topup_requests) + (select count(*) from orders)
             + (select count(*) from wallet_movements where kind in ('admin_credit', 'admin_debit')) as payments`)
    expect(counted).toEqual(sizes)

    const buyer = store.browser()
    await buyer.api.sessions.login({ username: seededUsername(7), password: SEED_PASSWORD })
    const [product] = await buyer.api.catalogue.list({})
    const owned = await buyer.api.keys.mine({})
    const { keys } = await buyer.api.orders.place({ productId: product?._id ?? '', duration: '1 Day', quantity: 1 })

    expect(owned).toHaveLength(7)
    expect(owned[0]?.key).toMatch(/^SEED-/)
    expect(keys[0]?.key).toMatch(/^SEED-/)
    expect(await findBroken(store.db, path.resolve('server/migrations'))).toEqual([])
    await expect(seedStore(store.db, seed)).rejects.toThrow('already has data')
  }))
