/**
 * Buyers pay for an order, and the store buys when the payment is approved. Two nodes approve, reject, cancel and sell
 * at one moment, and one of them is killed in every fourth round.
 */
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { newId } from '../server/platform/ids.ts'
import type { Drill } from './drill.ts'
import { seedShop, PRICE_PAISE, type DrillBuyer, type DrillShop } from './seed.ts'
import { send } from './send.ts'
import { logInAdmin, startNodes, type StoreProcess } from './store-process.ts'

const BUYERS_EACH = 6
const KILL_EVERY = 4
/** What is left to the job is done within a minute. */
const JOB_MS_MAX = 150_000
/** Of every hundred wishes this many find a key. */
const KEYS_PERCENT = 60

interface World {
  nodes: readonly StoreProcess[]
  shop: DrillShop
  admin: string
}

/** Any node may be dead or dying: then there is no answer, and the next try goes to another one. */
async function ask({ nodes }: World, method: string, at: string, cookie: string, body?: object): Promise<number> {
  const node = nodes[randomInt(nodes.length)]
  const sent = { port: node?.port ?? 0, method, path: `/api${at}`, cookie, timeoutMs: 10_000 }
  const headers = body && 'quantity' in body ? { 'idempotency-key': newId() } : {}
  return send({ ...sent, headers, ...(body && { body: JSON.stringify(body) }) })
    .then(({ status }) => status)
    .catch(() => 0)
}

async function untilAnswered(...args: Parameters<typeof ask>): Promise<number> {
  for (;;) {
    const status = await ask(...args)
    if (status !== 0 && status !== 503) return status
    await sleep(50)
  }
}

let utr = 620_000_000_000

/** @returns the ids of buyers whose cancellation was confirmed */
async function playRound(world: World, buyers: readonly DrillBuyer[], db: Database): Promise<string[]> {
  const { shop, admin } = world
  const { productId, duration } = shop
  const price = PRICE_PAISE / 100
  await Promise.all(
    buyers.map(({ cookie }) => {
      const then = { productId, duration, quantity: 1, expectedPrice: price }
      const request = { amount: price, utr: String((utr += 1)), payerName: '9876543210', then }
      return untilAnswered(world, 'POST', '/payments/add-money', cookie, request)
    }),
  )
  const requests = await db.rows(sql(z.object({ id: z.string(), userId: z.string() }))`
    select id, user_id from topup_requests where user_id = any(${buyers.map(({ id }) => id)}::uuid[])`)
  const idOf = ({ id }: DrillBuyer) => requests.find(({ userId }) => userId === id)?.id ?? ''
  const approve = (buyer: DrillBuyer) => ask(world, 'PUT', `/payments/${idOf(buyer)}/approve`, admin, {})
  const confirmed: string[] = []
  await Promise.all(
    buyers.map(async (buyer, nth) => {
      const others: (() => Promise<unknown>)[] = [
        () => approve(buyer),
        async () => {
          await sleep(randomInt(30))
          if ((await ask(world, 'DELETE', '/orders/wish', buyer.cookie)) === 200) confirmed.push(buyer.id)
        },
        () => ask(world, 'POST', '/keys/buy', buyer.cookie, { productId, duration, quantity: 1 }),
        () => ask(world, 'PUT', `/payments/${idOf(buyer)}/reject`, admin, {}),
      ]
      await Promise.all([approve(buyer), others[nth % others.length]?.()])
    }),
  )
  // The admin looks again at what got no answer
  for (const buyer of buyers) await untilAnswered(world, 'PUT', `/payments/${idOf(buyer)}/approve`, admin, {})
  return confirmed
}

export const drill: Drill = async ({ quick, count = quick ? 8 : 200, directories }) => {
  const { first, nodes, stop } = await startNodes({ directories })
  const db = first.database()
  const wishes = count * BUYERS_EACH
  const keys = Math.ceil((wishes * KEYS_PERCENT) / 100)
  const shop = await seedShop(db, await first.sealer(), { buyers: wishes, keys, balancePaise: 0 })
  const world: World = { nodes, shop, admin: await logInAdmin(first) }

  const cancelled: string[] = []
  let [kills, back] = [0, Promise.resolve<unknown>(undefined)]
  for (let round = 0; round < count; round++) {
    const buyers = shop.buyers.slice(round * BUYERS_EACH, (round + 1) * BUYERS_EACH)
    const playing = playRound(world, buyers, db)
    if (round % KILL_EVERY === 0) {
      await back
      await sleep(randomInt(60))
      const node = nodes[kills % nodes.length]
      await node?.kill()
      kills += 1
      node?.start()
      back = node?.untilHealthy() ?? back
    }
    cancelled.push(...(await playing))
  }
  await back
  const open = await untilSettled(db)
  const found = await judge(db, cancelled)
  const broken = await findBroken(db, path.resolve(import.meta.dirname, '../server/migrations'))
  await db.close()
  await stop()
  const ends = Object.entries(found.ends).map(([reason, times]) => `${reason} ${times}`)
  const sum = Object.values(found.ends).reduce((total, times) => total + times, 0)
  return {
    passed: sum === wishes && found.wrong === 0 && open === 0 && broken.length === 0,
    figures: [
      `${count} rounds of ${BUYERS_EACH} wishes on two nodes with ${kills} kills: ${sum} of ${wishes} ended ` +
        `(${ends.join(', ')}); wrong ${found.wrong}, still open ${open}; broken rules ${broken.length}`,
    ],
    proved: 'each wish becomes one order or ends for one reason, whatever happens at the moment of its approval.',
    cannotProve: 'that the price and the stock are what the buyer hoped for by then.',
  }
}

/** Waits for the job. @returns how many wishes are open */
async function untilSettled(db: Database): Promise<number> {
  for (const since = performance.now(); ; await sleep(500)) {
    const open = await db.count(sql`select count(*) from order_wishes where ended_at is null`)
    if (open === 0 || performance.now() - since > JOB_MS_MAX) return open
  }
}

/** Counts the ends, and what cannot be: an order of the store's own without its wish, or after a cancellation. */
async function judge(
  db: Database,
  cancelled: readonly string[],
): Promise<{ ends: Record<string, number>; wrong: number }> {
  const ends = await db.rows(sql(z.object({ reason: z.string(), times: z.number() }))`
    select end_reason as reason, count(*) as times from order_wishes where ended_at is not null group by 1 order by 1`)
  const wrong = await db.count(sql`
    select (select count(*) from orders
             where idempotency_key is null and not exists (select from order_wishes where order_id = orders.id))
           + (select count(*) from order_wishes
               where user_id = any(${cancelled}::uuid[]) and end_reason <> 'cancelled')
           + (select count(*) from order_wishes wish join topup_requests request on request.id = wish.topup_id
               where wish.end_reason = 'rejected' and request.status <> 'rejected')`)
  return { ends: Object.fromEntries(ends.map(({ reason, times }) => [reason, times])), wrong }
}
