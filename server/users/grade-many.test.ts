/** Many buyers are moved between groups, and each to where a count by hand puts them. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { servicesOf } from '../../test/services.ts'
import { TEST_NOW, unique } from '../../test/worlds/constants.ts'
import { givenProduct } from '../../test/worlds/given.ts'
import { seedUsers } from '../../test/worlds/seed.ts'
import { DAY_MS } from '../../contract/time.ts'
import { seededDice } from '../demo/dice.ts'
import { columns, sql, type Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { gradeBuyers } from './grade-buyers.ts'

const running = () => new AbortController().signal
const NOW = new Date(TEST_NOW)

/** @param lines sums in rupees, and what of them was given back */
async function seedOrders(
  db: Database,
  lines: readonly { userId: string; sum: number; back: number; ageMs: number }[],
) {
  const product = await givenProduct(db)
  const placed = lines.map(({ ageMs, ...line }) => {
    const createdAt = new Date(NOW.getTime() - ageMs)
    return { ...line, createdAt, id: newId(createdAt) }
  })
  await db.run(sql`
    insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                        unit_paise, amount_paise, refunded_paise, created_at)
    select placed.id, placed.user_id, product_id, prices.id, 'Many', '', duration, 1, placed.sum * 100,
           placed.sum * 100, placed.back * 100, placed.created_at
      from prices,
           ${columns(placed, 'id uuid, user_id uuid, sum bigint, back bigint, created_at timestamptz')} as placed
     where product_id = ${product.productId}`)
}

const addGroup = async (db: Database, fromSpent: number | null) => {
  const id = newId()
  await db.run(sql`
    insert into buyer_groups (id, name, percent_off, from_spent_paise, created_at)
    values (${id}, ${unique('G')}, 5, ${fromSpent === null ? null : fromSpent * 100}, ${NOW})`)
  return { id, fromSpent }
}

const addUsers = async (db: Database, count: number) => {
  const users = Array.from({ length: count }, () => ({ id: newId(), username: unique('buyer') }))
  await seedUsers(db, users, { now: NOW })
  return users.map(({ id }) => id)
}

test('1,200 buyers move in steps, each once, also when a node stops in the middle', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const { id: groupId } = await addGroup(db, 100)
    const users = await addUsers(db, 1_200)
    await seedOrders(
      db,
      users.map((userId) => ({ userId, sum: 100, back: 0, ageMs: 1 })),
    )
    await db.run(
      sql`insert into channels (name, is_on) values ('email', true) on conflict (name) do update set is_on = true`,
    )
    const stop = new AbortController()
    const events = { ...services.events, publish: () => stop.abort() }
    const members = () => db.count(sql`select count(*) from users where group_id = ${groupId}`)
    await expect(gradeBuyers({ db, events }, { now: NOW, falls: false }, stop.signal)).rejects.toThrow()
    expect(await members()).toBe(500)
    expect(await gradeBuyers(services, { now: NOW, falls: false }, running())).toBe(700)
    expect([await members(), await db.count(sql`select count(*) from outbox_messages`)]).toEqual([1_200, 1_200])
    expect(services.told.filter(({ name }) => name === 'stock')).toHaveLength(700)
  }))

test('of any groups and orders, a second grading moves nobody, and all are where a count by hand puts them', () =>
  withDatabase(async (db) => {
    const services = servicesOf(db)
    const dice = seededDice(84)
    for (let round = 0; round < 12; round++) {
      await db.run(sql`update users set group_id = null`)
      await db.run(sql`delete from buyer_groups`)
      const sums = [...new Set(Array.from({ length: 1 + dice(6) }, () => 1 + dice(900)))]
      const groups = await Promise.all([null, ...sums].map((sum) => addGroup(db, sum)))
      const users = await addUsers(db, 40)
      const lines = users.flatMap((userId) =>
        Array.from({ length: dice(4) }, () => {
          const sum = 1 + dice(500)
          return { userId, sum, back: dice(2) * dice(sum + 1), ageMs: dice(100) * DAY_MS + dice(2) }
        }),
      )
      await seedOrders(db, lines)
      const placed = users.map((id) => ({
        id,
        groupId: groups[dice(groups.length * 2)]?.id ?? null,
        whose: dice(3) === 0 ? 'hand' : 'spend',
      }))
      await db.run(sql`
        update users set group_id = placed.group_id, group_by = placed.whose
          from ${columns(placed, 'id uuid, group_id uuid, whose text')} as placed where users.id = placed.id`)
      const reached = (id: string) => {
        const spent = lines
          .filter(({ userId, ageMs }) => userId === id && ageMs < 90 * DAY_MS)
          .reduce((sum, line) => sum + line.sum - line.back, 0)
        return groups
          .filter(({ fromSpent }) => fromSpent !== null && fromSpent <= spent)
          .toSorted((one, other) => (other.fromSpent ?? 0) - (one.fromSpent ?? 0))[0]
      }
      const sumOf = (groupId: string | null) =>
        groupId === null ? 0 : (groups.find(({ id }) => id === groupId)?.fromSpent ?? Infinity)
      for (const falls of [false, true]) {
        await gradeBuyers(services, { now: NOW, falls }, running())
        expect(await gradeBuyers(services, { now: NOW, falls }, running()), `round ${round}`).toBe(0)
        const kept = new Map(
          (
            await db.rows(
              sql(z.object({ id: z.string(), groupId: z.nullable(z.string()) }))`select id, group_id from users`,
            )
          ).map(({ id, groupId }) => [id, groupId]),
        )
        for (const { id, groupId, whose } of placed) {
          const best = reached(id)
          const isUp = (best?.fromSpent ?? 0) > sumOf(groupId)
          const expected = whose === 'hand' ? groupId : falls || isUp ? (best?.id ?? null) : groupId
          expect(kept.get(id), `round ${round}, ${whose}, ${falls}`).toBe(expected)
        }
      }
    }
  }))
