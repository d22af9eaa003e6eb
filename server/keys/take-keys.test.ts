import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenProduct, givenStock } from '../../test/worlds/given.ts'
import { prepared, sql, type Transaction } from '../platform/database/database.ts'
import { countFree } from './stock/count-free.ts'
import { lockKeys } from './take-keys.ts'

/** Counts the keys that this transaction has read so far, in any table or index. */
function keysRead(tx: Transaction): Promise<number> {
  return tx.count(sql`select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
          from pg_stat_xact_user_tables where relname = 'license_keys'`)
}

test('the first key of a product is found without reading those of the products before it', () =>
  withDatabase(async (db) => {
    const others = await givenProduct(db)
    await givenStock(db, others.priceId, 5_000)
    const wanted = await givenProduct(db)
    await givenStock(db, wanted.priceId, 3)
    const empty = await givenProduct(db)
    await db.transaction(async (tx) => {
      // Needs the owner, who opened this connection
      await tx.run(prepared('set local role none'))
      await tx.run(prepared('analyze license_keys'))
    })

    await db.transaction(async (tx) => {
      // Repeats until the engine has settled on one plan for all
      for (let round = 0; round < 8; round++) {
        const claimed = await lockKeys(tx, new Map([[wanted.priceId, 2]]), { floors: new Map(), wait: false })
        expect(claimed.get(wanted.priceId)).toHaveLength(2)
        expect(await countFree(tx, [wanted.priceId, empty.priceId], 2)).toEqual(
          new Map([
            [wanted.priceId, 2],
            [empty.priceId, 0],
          ]),
        )
      }
      expect(await keysRead(tx)).toBeLessThan(200)
    })
  }))
