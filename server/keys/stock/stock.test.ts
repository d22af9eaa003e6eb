import { expect, test } from 'vitest'
import { withDatabase } from '../../../test/database.ts'
import { givenProduct } from '../../../test/worlds/given.ts'
import { TEST_NOW, TEST_SEALER } from '../../../test/worlds/constants.ts'
import { sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { findBroken } from '../../platform/database/invariants.ts'
import { addKeys } from './stock.ts'

const NOW = new Date(TEST_NOW)

test('an import into a duration that leaves the shop at that moment leaves its counter right', () =>
  withDatabase(async (db) => {
    const { priceId } = await givenProduct(db)
    const keys = () =>
      ['AAAA-1', 'AAAA-2', 'AAAA-3'].map((text) => {
        const id = newId()
        return { id, sealed: TEST_SEALER.seal('key', id, text), fingerprint: TEST_SEALER.fingerprint(text) }
      })
    const add = () =>
      db.transaction(async (tx) => {
        const batchId = newId()
        await tx.run(sql`insert into key_batches (id, price_id, created_at) values (${batchId}, ${priceId}, ${NOW})`)
        return addKeys(tx, [keys()], { priceId, batchId, now: NOW })
      })
    await add()
    // Removes the price after the import has read it and before it writes
    await db.run(sql`update prices set removed_at = ${NOW} where id = ${priceId}`)
    await add()
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))
