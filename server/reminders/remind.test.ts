import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { paise } from '../../contract/money.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW, unique } from '../../test/worlds/constants.ts'
import { givenCredit, givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { importKeys } from '../keys/import-keys.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { takePlace } from '../waiting/places.ts'
import { stockHooks } from '../waiting/routes.ts'
import { moveQueues } from '../waiting/tell-queue.ts'
import { remind } from './remind.ts'

const INDIA_MS = 5.5 * HOUR_MS
const DAYS = 30
const START = Math.floor(new Date(TEST_NOW).getTime() / DAY_MS) * DAY_MS

const at = (hours: number) => new Date(START + hours * HOUR_MS)
const dayOf = (moment: number) => Math.floor((moment + INDIA_MS) / DAY_MS)

const turnOn = (db: Database) =>
  db.run(sql`insert into channels (name, is_on) values ('email', true)
  on conflict (name) do update set is_on = true`)

const told = (db: Database) =>
  db.rows(sql(z.object({ kind: z.string(), userId: z.string(), count: z.nullable(z.number()), at: z.date() }))`
    select kind, user_id as "userId", (data->>'count')::int as count, created_at as at
      from outbox_messages order by created_at, id`)

/** Ends before its commit, as the run of a node that is killed. */
const killed = (db: Database): Database => ({
  ...db,
  transaction: (work) =>
    db.transaction(async (tx) => {
      await work(tx)
      throw new Error('Killed')
    }),
})

/** How keys of each length are bought: from stock, by the store for who waits, or after a message to who waits. */
const SOLD = [
  ['30 Days', 30, 'stock'],
  ['10 Days', 10, 'stock'],
  ['2 Days', 2, 'stock'],
  ['12 Hours', 0.5, 'stock'],
  ['20 Days', 20, 'auto'],
  ['4 Days', 4, 'told'],
] as const
type Way = (typeof SOLD)[number][2]

/** Buys one key at a moment. */
async function openCounter(db: Database) {
  const batcher = openOrderBatcher({ db })
  const services = servicesOf(db)
  const admin = await givenAdminCall(db)
  await db.run(sql`update waiting_settings set auto_buy = true`)
  return async (buyer: string, { productId, duration }: GivenProduct, way: Way, now: Date) => {
    const wish = { productId, duration, quantity: 1 }
    if (way !== 'stock') {
      await takePlace(db, { ...wish, ...(way === 'auto' && { autoMax: paise(100) }) }, { userId: buyer, now })
      await importKeys(services, { productId, duration, keys: [unique('K-')] }, { ...admin, now }, stockHooks(services))
    }
    if (way === 'auto') return
    expect(await batcher.place({ ...wish, buyerId: buyer, idempotency: undefined }, now)).toHaveProperty('orderId')
  }
}

test('over 30 days of purchases and waiting each message is written once, with two nodes, late runs and kills', () =>
  withDatabase(async (db) => {
    await turnOn(db)
    const buy = await openCounter(db)
    const products: [GivenProduct, number, Way][] = []
    for (const [duration, days, way] of SOLD)
      products.push([await givenProduct(db, { price: 1, stock: way === 'stock' ? 60 : 0, duration }), days, way])
    const buyers: string[] = []
    for (let each = 0; each < 6; each++) buyers.push(await givenUser(db, { balance: 1_000 }))

    // A fixed stream of chance
    let seed = 7
    const chance = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const orders: { buyer: string; product: number; at: number; days: number }[] = []
    for (let each = 0; each < 130; each++) {
      const product = chance(products.length)
      orders.push({
        buyer: buyers[chance(buyers.length)] ?? '',
        product,
        at: START - 28 * DAY_MS + chance(56 * 24 * 60) * 60_000,
        days: products[product]?.[1] ?? 0,
      })
    }
    orders.sort((a, b) => a.at - b.at)
    let placed = 0
    for (let hour = 0; hour < DAYS * 24; hour++) {
      for (; (orders[placed]?.at ?? Infinity) <= at(hour).getTime(); placed++) {
        const { buyer, product, at: moment } = orders[placed]!
        const [given, , way] = products[product]!
        await buy(buyer, given, way, new Date(moment))
      }
      if (hour % 4 === 0) await remind(killed(db), at(hour)).catch(() => {})
      await moveQueues(db, at(hour))
      // A run that comes late, and now and then two at the same moment
      if (hour % 7 !== 3) await Promise.all([remind(db, at(hour)), ...(hour % 5 === 0 ? [remind(db, at(hour))] : [])])
    }

    const expected = new Set<string>()
    const isRenewed = (order: (typeof orders)[number], by: number) =>
      orders.some((o) => o.buyer === order.buyer && o.product === order.product && o.at > order.at && o.at <= by)
    for (let hour = 0; hour < DAYS * 24; hour++) {
      if (hour % 7 === 3) continue
      const now = at(hour).getTime()
      const ofDay = (now + INDIA_MS) % DAY_MS
      for (const order of orders.filter((each) => each.at <= now && !isRenewed(each, now))) {
        const ends = order.at + order.days * DAY_MS
        const ahead = dayOf(ends) - dayOf(now)
        const isDue = (days: number) => (order.days >= 20 ? days === 3 || days === 1 : order.days >= 3 && days === 1)
        // The store was not there on the day before the first
        const isLeft = isDue(ahead + 1) && ends >= now && !expected.has(`${order.buyer} ${dayOf(now) - 1}`)
        if ((isDue(ahead) || isLeft) && ofDay >= 10 * HOUR_MS && ofDay < 22 * HOUR_MS)
          expected.add(`${order.buyer} ${dayOf(now)}`)
        if (order.days === 2 && ends >= now && ends < now + 4 * HOUR_MS) expected.add(`${order.buyer} ${ends}`)
      }
    }
    const all = await told(db)
    const atOnce = orders.filter(({ at: moment }) => moment <= at(DAYS * 24 - 1).getTime())
    const soldAs = (way: Way) =>
      atOnce
        .filter(({ product }) => products[product]?.[2] === way)
        .map(({ buyer, at: moment }) => `${buyer} ${moment}`)
    const toldOf = (kind: string) =>
      all.filter((each) => each.kind === kind).map((each) => `${each.userId} ${each.at.getTime()}`)
    expect(toldOf('waiting.bought')).toEqual(soldAs('auto'))
    expect(toldOf('stock.back')).toEqual(soldAs('told'))
    const messages = all.filter(({ kind }) => kind === 'key.ending')
    expect(messages.length).toBeGreaterThan(20)
    const short = await db.texts(sql`
      select user_id || ' ' || (extract(epoch from message.gone_after) * 1000)::bigint
        from outbox_messages message where dedupe = 'key.ending:' || subject_id`)
    const daily = messages.length - short.length
    const names = [
      ...short,
      ...(
        await db.rows(sql(
          z.object({ userId: z.string(), at: z.date() }),
        )`select user_id as "userId", created_at as at from outbox_messages
               where kind = 'key.ending' and dedupe <> 'key.ending:' || subject_id`)
      ).map((each) => `${each.userId} ${dayOf(each.at.getTime())}`),
    ]
    expect(daily).toBeGreaterThan(10)
    expect(names.toSorted()).toEqual([...expected].toSorted())
  }))

test('credit of at least ₹10 is reminded of a week and a day before, in the daytime, and closed accounts are not', () =>
  withDatabase(async (db) => {
    await turnOn(db)
    const [buyer, poor, closed] = [await givenUser(db), await givenUser(db), await givenUser(db)]
    const expiresAt = at(9 * 24 + 6)
    for (const [user, rupees] of [
      [buyer, 6],
      [buyer, 5],
      [poor, 9],
      [closed, 50],
    ] as const)
      await givenCredit(db, user, { rupees, expiresAt, now: at(0) })
    await db.run(sql`update users set closes_at = ${at(0)} where id = ${closed}`)

    for (let hour = 0; hour < 10 * 24; hour++) await remind(db, at(hour))

    const found = await told(db)
    expect(found.map(({ kind, userId, at: moment }) => [kind, userId, (moment.getTime() - START) / HOUR_MS])).toEqual([
      // 10:00 in India is 4:30 in UTC, so the first whole hour after it
      ['credit.lapsing', buyer, 2 * 24 + 5],
      ['credit.lapsing', buyer, 8 * 24 + 5],
    ])
  }))

test('what a store that was off for a day did not tell is told on the next, once, while it is still to come', () =>
  withDatabase(async (db) => {
    await turnOn(db)
    const buy = await openCounter(db)
    const product = await givenProduct(db, { price: 1, stock: 2, duration: '10 Days' })
    const [later, sooner] = [await givenUser(db, { balance: 10 }), await givenUser(db, { balance: 10 })]
    // Both end on the twelfth: one in the evening, the other before ten in the morning, in India
    await buy(later, product, 'stock', at(2 * 24 + 14))
    await buy(sooner, product, 'stock', at(2 * 24 - 1))
    const [week, day] = [await givenUser(db), await givenUser(db)]
    await givenCredit(db, week, { rupees: 50, expiresAt: at(17 * 24 + 6), now: at(0) })
    await givenCredit(db, day, { rupees: 50, expiresAt: at(12 * 24 + 14), now: at(5 * 24) })
    // Has less than a week from the start, so nothing of it was missed
    await givenCredit(db, await givenUser(db), { rupees: 50, expiresAt: at(16 * 24 + 6), now: at(11 * 24 + 20) })

    const wasOff = (hour: number) => hour >= 10 * 24 && hour < 12 * 24
    for (let hour = 0; hour < 13 * 24; hour++) if (!wasOff(hour)) await remind(db, at(hour))

    const found = (await told(db)).map(({ kind, userId, at: moment }) => [
      kind,
      userId,
      (moment.getTime() - START) / HOUR_MS,
    ])
    const tenOnTheTwelfth = 12 * 24 + 5
    const late = found.filter(([, , hour]) => Number(hour) >= 10 * 24)
    expect(new Set(late.map(String))).toEqual(
      new Set([
        `key.ending,${later},${tenOnTheTwelfth}`,
        `credit.lapsing,${week},${tenOnTheTwelfth}`,
        `credit.lapsing,${day},${tenOnTheTwelfth}`,
      ]),
    )
    expect(late).toHaveLength(3)
  }))

// Bought at 08:00 in India on the first day
const chosen = async (db: Database, duration: string, remindDays: number | null) => {
  await turnOn(db)
  const buy = await openCounter(db)
  const product = await givenProduct(db, { price: 1, stock: 1, duration })
  await db.run(sql`update products set remind_days = ${remindDays} where id = ${product.productId}`)
  const buyer = await givenUser(db, { balance: 10 })
  await buy(buyer, product, 'stock', at(2.5))
  return { buyer, product }
}

test.each([
  ['30 Days', null, ['27', '29']],
  ['30 Days', 7, ['23']],
  ['30 Days', 29, ['1']],
  ['30 Days', 0, []],
  ['10 Days', 2, ['8']],
  ['2 Days', 0, []],
  ['2 Days', 1, ['1']],
  // Not longer than the days that were chosen
  ['30 Days', 30, ['27', '29']],
  ['10 Days', 10, ['9']],
  ['2 Days', 2, ['2']],
])('keys of %s whose owner chose %s days are reminded of on day %j', (duration, days, expected) =>
  withDatabase(async (db) => {
    await chosen(db, duration, days)
    for (let hour = 3; hour < 31 * 24; hour += 3) await remind(db, at(hour))
    const dayOfPurchase = dayOf(at(2.5).getTime())
    expect((await told(db)).map((each) => String(dayOf(each.at.getTime()) - dayOfPurchase))).toEqual(expected)
  }),
)

test('keys of two products that end on other days make one message on a day that both are due', () =>
  withDatabase(async (db) => {
    const { buyer } = await chosen(db, '10 Days', 5)
    const buy = await openCounter(db)
    const usual = await givenProduct(db, { price: 1, stock: 1, duration: '6 Days' })
    await buy(buyer, usual, 'stock', at(2.5))
    for (let hour = 3; hour < 11 * 24; hour += 3) await remind(db, at(hour))
    expect((await told(db)).map(({ count }) => count)).toEqual([2])
  }))

test('nothing is kept for later while every channel is off', () =>
  withDatabase(async (db) => {
    await db.run(sql`update channels set is_on = false`)
    const buyer = await givenUser(db)
    await givenCredit(db, buyer, { rupees: 50, expiresAt: at(7 * 24 + 6), now: at(0) })
    expect(await remind(db, at(6))).toEqual({ keys: 0, credit: 0 })
    expect(await told(db)).toEqual([])
  }))
