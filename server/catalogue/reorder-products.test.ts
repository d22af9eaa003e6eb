import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { givenProduct } from '../../test/worlds/given.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { reorderProducts } from './reorder-products.ts'
import { repriceProducts } from './reprice-products.ts'

const orderOf = (db: Database) => db.texts(sql`select id from products order by position, sequence`)

// Seen to fail where the rows are sorted before they are locked: the first admin's order is lost
test('of two orders at the same moment, the second begins with what the first has made', () =>
  withDatabase(async (db) => {
    const [one, two, three] = [await givenProduct(db), await givenProduct(db), await givenProduct(db)]
    const by = await givenAdminCall(db)
    const put = ({ productId }: typeof one) => reorderProducts(servicesOf(db), [productId], by)
    let both: Promise<unknown> | undefined

    await db.transaction(async (tx) => {
      // The first has written its order when it comes to the audit log
      await tx.run(sql`select from audit_head for update`)
      const first = put(three)
      await untilBlocked(db, 1)
      const second = put(two)
      await untilBlocked(db, 2)
      both = Promise.all([first, second])
    })
    await both

    expect(await orderOf(db)).toEqual([two, three, one].map(({ productId }) => productId))
  }))

// Seen to fail where the rows are locked in the order of the shop: one of the two is tried again
test('an order and a change of prices lock the products one way, so neither undoes the other', () =>
  withDatabase(async (db) => {
    const all = [await givenProduct(db), await givenProduct(db), await givenProduct(db)]
    const ids = all.map(({ productId }) => productId)
    const by = await givenAdminCall(db)
    await reorderProducts(servicesOf(db), ids.toReversed(), by)
    let tries = 0
    const counting = {
      ...servicesOf(db),
      db: {
        ...db,
        transaction: (work, options) =>
          db.transaction((tx) => {
            tries += 1
            return work(tx)
          }, options),
      } satisfies Database,
    }
    let both: Promise<unknown> | undefined

    await db.transaction(async (tx) => {
      await tx.run(sql`select from products where id = ${ids[1]} for update`)
      const ordered = reorderProducts(counting, ids, by)
      await untilBlocked(db, 1)
      const repriced = repriceProducts(counting, { priceIds: all.map(({ priceId }) => priceId), rupees: 1 }, by)
      await untilBlocked(db, 2)
      both = Promise.all([ordered, repriced])
    })
    await both

    expect(await orderOf(db)).toEqual(ids)
    expect(tries).toBe(2)
  }))
