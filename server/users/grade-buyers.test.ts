/** Buyers join groups by what they buy: up each night, down once a month, and never against an admin's hand. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { unproven } from '../../test/worlds/admins.ts'
import { unique } from '../../test/worlds/constants.ts'
import { givenProduct } from '../../test/worlds/given.ts'
import { withPush, send } from '../../test/worlds/push-shop.ts'
import { openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { atTime } from '../../contract/india.ts'
import { DAY_MS } from '../../contract/time.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { runDueJobs } from '../platform/jobs.ts'
import { gradeBuyers, gradeJobs } from './grade-buyers.ts'

const duration = '10 Days'
const running = () => new AbortController().signal
const grade = ({ app: { services } }: Pick<TestStore, 'app'>, now: Date, falls = false) =>
  gradeBuyers(services, { now, falls }, running())

const Kept = z.object({ group: z.nullable(z.string()), by: z.string() })
const keptOf = (db: Database, id: string) =>
  db.one(sql(Kept)`
    select (select name from buyer_groups where id = users.group_id) as "group", group_by as by
      from users where id = ${id}`)
const told = (db: Database) => db.count(sql`select count(*) from outbox_messages where kind = 'group.changed'`)

interface Given {
  store: TestStore
  shop: Shop
  silver: string
  gold: string
  /** Someone who has bought so many keys of ₹100. */
  regular(keys: number): Promise<Buyer>
  buy(buyer: Buyer, keys: number): Promise<void>
  groupOf(buyer: Buyer): Promise<string | null>
  /** Lets the jobs run at 03:30 of a day in India. */
  night(day: string): Promise<void>
}

/** Silver from ₹200, Gold from ₹500. A key is ₹100 in each, so that sums stay plain. */
const withGroups = (work: (given: Given) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId, prices } = await shop.product({ prices: { [duration]: 100 }, stock: 60 })
    const own = [{ priceId: prices[0]?._id ?? '', price: 100 }]
    const make = async (name: string, percentOff: number, fromSpent: number) =>
      (await shop.owner.api.groups.create({ name, percentOff, fromSpent, prices: own }))._id
    const [silver, gold] = [await make('Silver', 5, 200), await make('Gold', 15, 500)]
    const buy = async (buyer: Buyer, quantity: number) => {
      if (quantity > 0) await buyer.api.orders.place({ productId, duration, quantity })
    }
    await work({
      store,
      shop,
      silver,
      gold,
      buy,
      async regular(keys) {
        const buyer = await shop.buyer({ balance: 2_000 })
        await buy(buyer, keys)
        return buyer
      },
      groupOf: async ({ id }) => (await keptOf(store.db, id)).group,
      async night(day) {
        store.clock.advance(atTime(day, '03:30:00').getTime() - store.clock.now().getTime())
        await runDueJobs(store.db, gradeJobs(store.app.services), store.clock)
      },
    })
  })

describe('by what they buy, buyers', () => {
  test('move up each night, and down on the 1st of a month only', () =>
    withGroups(async ({ store, regular, buy, groupOf, night }) => {
      const buyer = await regular(2)
      await night('2026-11-21')
      expect((await buyer.api.sessions.me()).group).toEqual({ name: 'Silver', by: 'spend' })
      await buy(buyer, 3)
      expect(await groupOf(buyer)).toBe('Silver')
      await night('2026-11-22')
      expect(await groupOf(buyer)).toBe('Gold')
      for (const first of ['2026-12-01', '2027-01-01', '2027-02-01', '2027-02-28']) {
        await night(first)
        expect(await groupOf(buyer)).toBe('Gold')
      }
      store.clock.advance(DAY_MS - 1)
      await runDueJobs(store.db, gradeJobs(store.app.services), store.clock)
      expect(await groupOf(buyer)).toBe('Gold')
      await night('2027-03-01')
      expect(await groupOf(buyer)).toBeNull()
      expect(await told(store.db)).toBe(3)
    }))

  test('fall on the first night after it when the store was off on the 1st, and once a month', () =>
    withGroups(async ({ store, regular, groupOf, night }) => {
      const buyer = await regular(2)
      await night('2026-11-21')
      await night('2027-03-03')
      expect(await groupOf(buyer)).toBeNull()
      await store.db.run(sql`update users set group_id = (select id from buyer_groups where name = 'Gold')`)
      await night('2027-03-31')
      expect(await groupOf(buyer)).toBe('Gold')
      await night('2027-04-01')
      expect(await groupOf(buyer)).toBeNull()
    }))

  test('do not climb by what they give back, and lose it on the 1st', () =>
    withGroups(async ({ shop, store, regular, groupOf }) => {
      const [climber, honest] = [await regular(2), await regular(5)]
      const refund = async (buyer: Buyer, count: number) => {
        for (const { _id: keyId } of (await buyer.api.keys.mine()).slice(0, count)) {
          const { _id: id } = await buyer.api.claims.open({ keyId, reason: 'never-worked' })
          await shop.owner.api.claims.refund({ id, rule: 'full', expected: 100 })
        }
      }
      await refund(climber, 1)
      const now = new Date(store.clock.now().getTime() + 1)
      await grade(store, now)
      expect([await groupOf(climber), await groupOf(honest)]).toEqual([null, 'Gold'])
      expect((await shop.owner.api.groups.list()).map(({ name, sold90 }) => [name, sold90])).toEqual([
        ['Gold', 500],
        ['Silver', 0],
      ])
      await refund(honest, 4)
      await grade(store, now)
      expect(await groupOf(honest)).toBe('Gold')
      await grade(store, now, true)
      expect(await groupOf(honest)).toBeNull()
    }))

  test('count an order for 90 days, to the millisecond', () =>
    withGroups(async ({ store, regular, groupOf }) => {
      const placed = store.clock.now().getTime()
      const buyer = await regular(2)
      await grade(store, new Date(placed + 90 * DAY_MS - 1))
      expect(await groupOf(buyer)).toBe('Silver')
      await grade(store, new Date(placed + 90 * DAY_MS), true)
      expect(await groupOf(buyer)).toBeNull()
    }))

  test('go nowhere while blocked or about to leave, and leave with their account', () =>
    withGroups(async ({ store, shop, regular, groupOf }) => {
      const [blocked, leaving, gone] = [await regular(2), await regular(2), await regular(2)]
      await shop.owner.api.users.block({ id: blocked.id, reason: 'Asked twice' })
      await store.db.run(sql`update users set closes_at = ${store.clock.now()} where id = ${leaving.id}`)
      await shop.owner.api.users.remove({ id: gone.id })
      const now = new Date(store.clock.now().getTime() + 1)
      expect(await grade(store, now, true)).toBe(0)
      await shop.owner.api.users.unblock({ id: blocked.id })
      expect(await grade(store, now, true)).toBe(1)
      expect(await groupOf(blocked)).toBe('Silver')
    }))

  test('stay until the 1st in a group that nobody joins any more, and find another when theirs is removed', () =>
    withGroups(async ({ store, shop, regular, gold, groupOf }) => {
      const [bySpend, byHand] = [await regular(5), await regular(2)]
      const now = new Date(store.clock.now().getTime() + 1)
      await grade(store, now)
      await shop.owner.api.users.setGroup({ id: byHand.id, groupId: gold })
      await shop.owner.api.groups.update({ id: gold, fromSpent: null })
      expect(await grade(store, now)).toBe(0)
      await shop.owner.api.groups.remove({ id: gold, expected: 2 })
      expect(await keptOf(store.db, byHand.id)).toEqual({ group: null, by: 'spend' })
      expect(await grade(store, now)).toBe(2)
      expect([await groupOf(bySpend), await groupOf(byHand)]).toEqual(['Silver', 'Silver'])
    }))
})

describe('an admin’s hand', () => {
  test('wins, also for no group, until it gives the buyer back', () =>
    withGroups(async ({ store, shop, silver, regular, groupOf }) => {
      const buyer = await regular(5)
      const set = (groupId: string | null) => shop.owner.api.users.setGroup({ id: buyer.id, groupId })
      const now = new Date(store.clock.now().getTime() + 1)
      for (const [groupId, name] of [
        [silver, 'Silver'],
        [null, null],
      ] as const) {
        expect(await set(groupId)).toMatchObject({ groupBy: 'hand' })
        expect(await grade(store, now, true)).toBe(0)
        expect(await groupOf(buyer)).toBe(name)
      }
      store.clock.advance(1)
      const back = await shop.owner.api.users.setGroup({ id: buyer.id, groupId: null, bySpend: true })
      expect(back).toMatchObject({ group: { name: 'Gold' }, groupBy: 'spend' })
      expect(await told(store.db)).toBe(0)
      const both = await shop.owner.put(`/admin/users/${buyer.id}/group`, { groupId: silver, bySpend: true })
      expect([both.status, Object.keys(both.body.fields as object)]).toEqual([400, ['groupId']])
    }))

  // Seen to fail without `for no key update of users` in moveSome: the buyer was Gold by hand’s “none”
  test('wins over a night that has already counted the buyer', () =>
    withGroups(async ({ store, shop, regular }) => {
      const buyer = await regular(5)
      const now = new Date(store.clock.now().getTime() + 1)
      const { put, job } = await store.db.transaction(async (tx) => {
        await tx.run(sql`select from users where id = ${buyer.id} for update`)
        const byHand = shop.owner.put(`/admin/users/${buyer.id}/group`, { groupId: null })
        await untilBlocked(store.db)
        const graded = grade(store, now)
        await untilBlocked(store.db, 2)
        return { put: byHand, job: graded }
      })
      expect([(await put).status, await job]).toEqual([200, 0])
      expect(await keptOf(store.db, buyer.id)).toEqual({ group: null, by: 'hand' })
      expect(await told(store.db)).toBe(0)
    }))

  test('proves itself for a lower sum, and never has two groups of one sum', () =>
    withGroups(async ({ shop, silver, gold }) => {
      const thief = await unproven(shop, 'payments')
      const change = async (fromSpent: unknown) =>
        (await thief.put(`/groups/${gold}`, { fromSpent })).body.code ?? 'saved'
      expect([await change(499.99), await change(500), await change(600)]).toEqual([
        'STEP_UP_REQUIRED',
        'saved',
        'saved',
      ])
      expect([await change(null), await change(9_000)]).toEqual(['saved', 'STEP_UP_REQUIRED'])
      for (const wrong of [0, -1, '1.001', 'much', 1e12]) expect(await change(wrong)).toBe('INVALID_INPUT')
      const both = await Promise.all([silver, gold].map((id) => shop.owner.put(`/groups/${id}`, { fromSpent: 700 })))
      expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    }))
})

describe('the night', () => {
  // Seen to fail without the comparison with `held_id`: more than one message
  test('moves each buyer once, on however many nodes, and says so once', () =>
    withGroups(async ({ store, regular }) => {
      await regular(2)
      const now = new Date(store.clock.now().getTime() + 1)
      const moved = await Promise.all(Array.from({ length: 5 }, () => grade(store, now, true)))
      expect([moved.reduce((sum, each) => sum + each), await told(store.db)]).toEqual([1, 1])
    }))

  test('and the removal of a group come one after the other, and neither fails', () =>
    withGroups(async ({ store, shop, regular }) => {
      const buyers = [await regular(5), await regular(5), await regular(5)]
      const now = new Date(store.clock.now().getTime() + 1)
      for (let n = 0; n < 10; n++) {
        const { _id: id } = await shop.owner.api.groups.create({
          name: unique('G '),
          percentOff: 1,
          fromSpent: 300 + n,
          prices: [],
        })
        await store.db.run(sql`update users set group_id = null`)
        await Promise.all([grade(store, now, true), shop.owner.api.groups.remove({ id })])
        for (const buyer of buyers) expect(['Gold', null]).toContain((await keptOf(store.db, buyer.id)).group)
      }
    }))

  test('tells the buyer in the morning, of what is true then', () =>
    withPush(async ({ shop, buyer, push, to }) => {
      const { store, owner } = shop
      const { db, clock } = store
      clock.advance(atTime('2026-11-21', '03:30:00').getTime() - clock.now().getTime())
      const { _id: id } = await owner.api.groups.create({ name: 'Gold', percentOff: 15, fromSpent: 1, prices: [] })
      const product = await givenProduct(db, { stock: 1 })
      await owner.api.users.update({ id: buyer.id, balance: 500 })
      await buyer.api.orders.place({ ...product, quantity: 1 })
      const titles = () => push.arrived.filter(({ path }) => path === to).map(({ message }) => message['title'])
      const until = async (time: string) => {
        clock.advance(atTime('2026-11-21', time).getTime() - clock.now().getTime())
        await send(store)
      }
      const before = titles().length
      clock.advance(1)
      await grade(store, clock.now())
      await until('07:59:00')
      expect(titles()).toHaveLength(before)
      await until('08:00:00')
      expect(titles().at(-1)).toBe('You’re in Gold: 15% off')
      await grade(store, new Date(clock.now().getTime() + 91 * DAY_MS), true)
      await send(store)
      expect(titles().at(-1)).toBe('Your Gold prices have ended')
      await grade(store, clock.now())
      await owner.api.groups.remove({ id })
      await send(store)
      expect(titles()).toHaveLength(before + 2)
    }))
})
