/**
 * A queue of buyers, some of whom the store may buy for, and as many others who try to buy until keys arrive. Two
 * imports bring the keys in every second round.
 */
import { randomInt } from 'node:crypto'
import { Agent } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { paise } from '../contract/money.ts'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { newId } from '../server/platform/ids.ts'
import { seedProducts } from '../test/worlds/seed.ts'
import type { Drill } from './drill.ts'
import { seedShop, PRICE_PAISE, type DrillBuyer } from './seed.ts'
import { send } from './send.ts'
import { logInAdmin, startStore } from './store-process.ts'

const KEYS = 50
const DURATION = '1 Month'
const BUSY_MS = 200
/** What a place asks for: a message, or that the store buys. Only `able` can be served. */
const OTHERS = ['told', 'frugal', 'poor'] as const
type Wish = 'able' | (typeof OTHERS)[number]

interface World {
  db: Database
  rich: DrillBuyer[]
  poor: DrillBuyer[]
  call(method: string, at: string, cookie: string, body: object): Promise<number>
  admin: string
}

interface Round {
  sold: number
  /** Orders that went to another than the first in line who could pay, and people in line who wrongly got none. */
  outOfTurn: number
  walkIns: number
  faults: string[]
}

export const drill: Drill = async ({ quick, directories, count = quick ? 2 : 100 }) => {
  const people = quick ? 30 : 200
  const store = await startStore({ directories })
  const db = store.database()
  const sealer = await store.sealer()
  const wealth = { keys: 0, balancePaise: PRICE_PAISE * 1_000 }
  const rich = (await seedShop(db, sealer, { buyers: people * 2, ...wealth })).buyers
  const poor = (await seedShop(db, sealer, { buyers: people, keys: 0, balancePaise: PRICE_PAISE - 1 })).buyers
  const agent = new Agent({ keepAlive: true, maxSockets: people * 2 })
  const ask = (method: string, at: string, cookie: string, body: object) =>
    send({ port: store.port, method, path: `/api${at}`, cookie, body: JSON.stringify(body), agent, timeoutMs: 60_000 })
  const admin = await logInAdmin(store)
  // A store that has too much to do says so, and people try again
  const call: World['call'] = async (...args) => {
    for (;;) {
      const { status } = await ask(...args)
      if (status !== 503) return status
      await sleep(BUSY_MS)
    }
  }
  await call('PUT', '/settings/waiting', admin, { autoBuy: true })

  const rounds: Round[] = []
  for (let round = 0; round < count; round++)
    rounds.push(await playRound({ db, rich, poor, call, admin }, round, people))
  const broken = await findBroken(db, path.resolve(import.meta.dirname, '../server/migrations'))
  agent.destroy()
  await db.close()
  await store.stop()

  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const faults = rounds.flatMap((round) => round.faults)
  const wanted = count * Math.min(KEYS, people)
  return {
    passed:
      faults.length === 0 &&
      broken.length === 0 &&
      sum(({ outOfTurn }) => outOfTurn) === 0 &&
      sum(({ sold }) => sold) === wanted,
    figures: [
      `${count} rounds of ${people} waiting, ${Math.min(KEYS, people)} keys and ${people} others at that moment: ` +
        `${sum(({ sold }) => sold)} of ${wanted} keys sold, ${sum(({ walkIns }) => walkIns)} to the others; ` +
        `out of turn ${sum(({ outOfTurn }) => outOfTurn)}; broken rules ${broken.length}`,
      ...faults.slice(0, 5).map((fault) => `FAULT ${fault}`),
    ],
    proved: 'the store buys for the first in the queue who can pay, nobody steps in between, and no key is sold twice.',
    cannotProve: 'that buyers who are told come in time: nothing is held for them.',
  }
}

async function playRound(world: World, round: number, people: number): Promise<Round> {
  const { db, rich, poor, call, admin } = world
  const [productId, priceId] = [newId(), newId()]
  const prices = [{ id: priceId, duration: DURATION, listPrice: paise(PRICE_PAISE) }]
  await seedProducts(db, [{ id: productId, name: `Round ${round}`, prices }], new Date())
  // In some rounds more can pay than there are keys, in others fewer
  const able = round % 3 === 0 ? 20 : 65
  const queue = Array.from({ length: people }, (_, n) => {
    const wish: Wish = randomInt(100) < able ? 'able' : (OTHERS[randomInt(OTHERS.length)] ?? 'told')
    return { wish, buyer: wish === 'poor' ? poor[n] : rich[n] }
  })
  const place = { productId, duration: DURATION }
  const faults: string[] = []
  await Promise.all(
    queue.map(async ({ wish, buyer }) => {
      const autoMax = { told: undefined, able: PRICE_PAISE / 100, frugal: PRICE_PAISE / 200, poor: 5 }[wish]
      const status = await call('POST', '/waiting', buyer?.cookie ?? '', { ...place, ...(autoMax && { autoMax }) })
      if (status !== 201) faults.push(`waiting got ${status}`)
    }),
  )
  const keys = Array.from({ length: Math.min(KEYS, people) }, (_, n) => `WAIT-${round}-${n}-${newId()}`)
  const half = round % 2 === 0 ? keys.length : keys.length / 2
  const imports = [keys.slice(0, half), keys.slice(half)].filter((part) => part.length > 0)
  let isOver = false
  const bringing = Promise.all(
    imports.map((part) => call('POST', '/keys/bulk', admin, { ...place, keys: part, batchId: newId() })),
  )
  const walkIn = async ({ cookie }: DrillBuyer): Promise<number> => {
    for (;;) {
      const isLast = isOver
      const status = await call('POST', '/keys/buy', cookie, { ...place, quantity: 1 })
      if (status !== 409 || isLast) return status
    }
  }
  const walkingIn = rich.slice(people).map(walkIn)
  const brought = await bringing
  isOver = true
  const answers = [...brought, ...(await Promise.all(walkingIn))]
  const bad = answers.filter((status) => status !== 200 && status !== 201 && status !== 409)
  if (bad.length > 0) faults.push(`answers ${[...new Set(bad)].join(', ')}`)
  return { ...(await judge(db, priceId, { queue, keys: keys.length })), faults }
}

const Served = z.object({ userId: z.string(), isServed: z.boolean() })

/** Compares the orders with the queue, in the store's order. */
async function judge(
  db: Database,
  priceId: string,
  { queue, keys }: { queue: readonly { wish: Wish; buyer: DrillBuyer | undefined }[]; keys: number },
): Promise<Omit<Round, 'faults'>> {
  const places = await db.rows(sql(Served)`
    select user_id, order_id is not null as is_served from waiting_places
     where price_id = ${priceId} order by seq`)
  const able = new Set(queue.flatMap(({ wish, buyer }) => (wish === 'able' && buyer ? [buyer.id] : [])))
  const first = new Set(places.flatMap(({ userId }) => (able.has(userId) ? [userId] : [])).slice(0, keys))
  const sold = await db.count(sql`
    select count(*) from license_keys where price_id = ${priceId} and order_id is not null`)
  return {
    sold,
    outOfTurn: places.filter(({ userId, isServed }) => isServed !== first.has(userId)).length,
    walkIns: sold - places.filter(({ isServed }) => isServed).length,
  }
}
