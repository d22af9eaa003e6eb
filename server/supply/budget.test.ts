/** What may be spent on a day holds, however many order at the same moment. */
import { describe, expect, test } from 'vitest'
import { withSuppliers, type Supplied } from '../../test/worlds/suppliers.ts'
import { untilBlocked } from '../../test/blocked.ts'
import { sql } from '../platform/database/database.ts'
import { orderWhatIsMissing } from './demand.ts'

const spent = ({ here }: Supplied) =>
  here.store.db.count(sql`select coalesce(sum(quantity * cap_paise), 0)::bigint / 100 from supply_orders`)

// Seen to fail without `for update` in lockBudget
test('eight nodes that look at one moment order once, within the budget', () =>
  withSuppliers(
    async (given) => {
      const { db, clock } = given.here.store
      const writers = await db.transaction(async (tx) => {
        await tx.run(sql`select from supply_links for update`)
        const running = Array.from({ length: 8 }, () => orderWhatIsMissing(db, clock.now()))
        await untilBlocked(db, 8)
        return { running }
      })
      await Promise.all(writers.running)
      expect([await spent(given), (await given.orders()).length]).toEqual([300, 1])
    },
    { dayMax: 399, keep: 20 },
  ))

// Seen to fail without `for update` in lockBudget
test('what admins order at one moment stays within the budget', () =>
  withSuppliers(
    async (given) => {
      const { db } = given.here.store
      const pressed = await db.transaction(async (tx) => {
        await tx.run(sql`select from supply_links for update`)
        const order = () => given.here.shop.owner.post('/supply/orders', { priceId: given.here.priceId, quantity: 2 })
        const running = Array.from({ length: 5 }, order)
        await untilBlocked(db, 5)
        return { running }
      })
      const answers = (await Promise.all(pressed.running)).map(({ status, body }) => body.code ?? status)
      expect(answers.map(String).toSorted()).toEqual(['201', '201', 'DAY_SPENT', 'DAY_SPENT', 'DAY_SPENT'])
      expect(await spent(given)).toBe(400)
    },
    { dayMax: 500, keep: 0 },
  ))

describe('an order by hand', () => {
  test('comes whatever lies on the shelf, and counts as stock', () =>
    withSuppliers(async (given) => {
      await given.work()
      await given.here.shop.owner.api.supply.order({ priceId: given.here.priceId, quantity: 4 })
      await given.work()
      expect(await given.orders()).toMatchObject([{ state: 'came', quantity: 4 }, { state: 'came' }])
      const { bought, had } = await given.books()
      expect([had.length, had]).toEqual([7, bought])
    }))

  test('is refused for more than they have or than lies there', () =>
    withSuppliers(
      async (given) => {
        const { priceId } = given.here
        const { owner } = given.here.shop
        expect((await owner.post('/supply/orders', { priceId, quantity: 3 })).body.code).toBe('NOT_FETCHABLE')
        expect((await owner.post('/supply/orders', { priceId, quantity: 2 })).body.code).toBe('NOT_FETCHABLE')
        expect((await owner.post('/supply/orders', { priceId, quantity: 1 })).status).toBe(201)
      },
      { keep: 0, stock: 2, balance: 100 },
    ))
})
