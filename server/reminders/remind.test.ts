import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { givenCredit, givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { remind } from './remind.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const INDIA_MS = 5.5 * HOUR_MS
const DAYS = 30
const START = Math.floor(new Date(TEST_NOW).getTime() / DAY_MS) * DAY_MS

const at = (hours: number) => new Date(START + hours * HOUR_MS)
const dayOf = (moment: number) => Math.floor((moment + INDIA_MS) / DAY_MS)

const turnOn = (db: Database) =>
  db.run(sql`insert into channels (name, is_on) values ('email', true)
  on conflict (name) do update set is_on = true`)

const told = (db: Database) =>
  db.rows(
    z.object({ kind: z.string(), userId: z.string(), count: z.nullable(z.number()), at: z.date() }),
    sql`
    select kind, user_id as "userId", (data->>'count')::int as count, created_at as at
      from outbox_messages order by created_at, id`,
  )

test('over 30 days of purchases each reminder is written once, also with two nodes and late runs', () =>
  withDatabase(async (db) => {
    await turnOn(db)
    const batcher = openOrderBatcher({ db })
    const LENGTHS = { '30 Days': 30, '10 Days': 10, '2 Days': 2, '12 Hours': 0.5 }
    const products: [GivenProduct, number][] = []
    for (const [duration, days] of Object.entries(LENGTHS))
      products.push([await givenProduct(db, { price: 1, stock: 60, duration }), days])
    const buyers: string[] = []
    for (let each = 0; each < 6; each++) buyers.push(await givenUser(db, { balance: 1_000 }))

    // A fixed stream of chance
    let seed = 7
    const chance = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const orders: { buyer: string; product: number; at: number; days: number }[] = []
    for (let each = 0; each < 90; each++) {
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
        const { productId, duration } = products[product]![0]
        const wanted = { buyerId: buyer, productId, duration, quantity: 1, idempotency: undefined }
        expect(await batcher.place(wanted, new Date(moment))).toHaveProperty('orderId')
      }
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
        const isDue = order.days >= 20 ? ahead === 3 || ahead === 1 : order.days >= 3 && ahead === 1
        if (isDue && ofDay >= 10 * HOUR_MS && ofDay < 22 * HOUR_MS) expected.add(`${order.buyer} ${dayOf(now)}`)
        if (order.days === 2 && ends >= now && ends < now + 4 * HOUR_MS) expected.add(`${order.buyer} ${ends}`)
      }
    }
    const messages = await told(db)
    expect(messages.length).toBeGreaterThan(20)
    const short = await db.rows(
      z.object({ name: z.string() }),
      sql`
      select user_id || ' ' || (extract(epoch from message.gone_after) * 1000)::bigint as name
        from outbox_messages message where dedupe = 'key.ending:' || subject_id`,
    )
    const daily = messages.length - short.length
    const names = [
      ...short.map(({ name }) => name),
      ...(
        await db.rows(
          z.object({ userId: z.string(), at: z.date() }),
          sql`select user_id as "userId", created_at as at from outbox_messages
               where dedupe <> 'key.ending:' || subject_id`,
        )
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
      ['credit.expiring', buyer, 2 * 24 + 5],
      ['credit.expiring', buyer, 8 * 24 + 5],
    ])
  }))

test('nothing is kept for later while every channel is off', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db)
    await givenCredit(db, buyer, { rupees: 50, expiresAt: at(7 * 24 + 6), now: at(0) })
    expect(await remind(db, at(6))).toEqual({ keys: 0, credit: 0 })
    expect(await told(db)).toEqual([])
  }))
