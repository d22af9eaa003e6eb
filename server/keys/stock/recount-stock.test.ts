import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withDatabase } from '../../../test/database.ts'
import { givenProduct, givenUser, type GivenProduct } from '../../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../../test/services.ts'
import { TEST_NOW } from '../../../test/worlds/constants.ts'
import { openOrderBatcher } from '../../orders/place-order.ts'
import { sql, type Database } from '../../platform/database/database.ts'
import { findBroken } from '../../platform/database/invariants.ts'
import { importKeys } from '../import-keys.ts'
import { recountStock } from './recount-stock.ts'

const NOW = new Date(TEST_NOW)
const KEYS = 30

async function givenStock(db: Database): Promise<GivenProduct> {
  const place = await givenProduct(db)
  const keys = Array.from({ length: KEYS }, (_, n) => `KEY-${n}`)
  await importKeys(servicesOf(db), { ...place, keys }, await givenAdminCall(db))
  return place
}

const broken = async (db: Database) =>
  (await findBroken(db, 'server/migrations')).map(({ invariant }) => invariant.slice(0, 3))

test('what a program of before has sold and imported without counting it is counted anew', () =>
  withDatabase(async (db) => {
    const place = await givenStock(db)
    const buyer = await givenUser(db, { balance: 100_000 })
    await openOrderBatcher({ db }).place({ ...place, buyerId: buyer, quantity: 3, idempotency: undefined }, NOW)
    await db.run(sql`delete from batch_counters`)
    await db.run(
      sql`update stock_counters set available = available + 2 where shard = (select min(shard) from stock_counters)`,
    )
    await db.run(sql`update key_batches set first_seq = null, last_seq = null`)
    expect(await broken(db)).toEqual(['I11', 'I13'])

    expect(await recountStock(db)).toEqual({ prices: 1, batches: 1 })

    expect(await broken(db)).toEqual([])
    expect(await recountStock(db)).toEqual({ prices: 0, batches: 0 })
  }))

// Seen to fail without the lock.
test('a sale that commits while the keys are counted is counted once', () =>
  withDatabase(async (db) => {
    const place = await givenStock(db)
    const buyer = await givenUser(db, { balance: 1_000_000 })
    const batcher = openOrderBatcher({ db })
    for (let n = 0; n < KEYS; n++) {
      // Makes one counter wrong each time, so that there is something to mend
      await db.run(sql`update batch_counters set sold = sold + 1`)
      const sold = batcher.place({ ...place, buyerId: buyer, quantity: 1, idempotency: undefined }, NOW)
      await sleep(Math.random() * 6)
      await recountStock(db)
      await sold
      expect(await broken(db)).toEqual([])
    }
  }))
