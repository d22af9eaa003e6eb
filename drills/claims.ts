/**
 * Claims at their worst: two admins at each claim at once, the recall of a large batch beside buyers, and a desk with
 * very many claims.
 */
import { Agent } from 'node:http'
import path from 'node:path'
import * as z from 'zod/mini'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { newId } from '../server/platform/ids.ts'
import { ms, percentile, within, type Drill } from './drill.ts'
import { PRICE_PAISE, seedShop, type DrillShop } from './seed.ts'
import { send } from './send.ts'
import { logInAdmin, startStore } from './store-process.ts'

const KEYS_EACH = 5
const BUYERS_AT_ONCE = 8
const RECALL_MS_MAX = 10_000
const DESK_MS_MAX = 100
/** How much slower purchases may be beside a recall. */
const SLOWER_MAX = 1.5

/** What the desk shows is put in at one go. */
const SEED_MS_MAX = 120_000

type Ask = (method: string, at: string, cookie: string, body?: object) => Promise<{ status: number; tookMs: number }>

export const drill: Drill = async (options) => {
  const { quick, directories, count = quick ? 50 : 1_000 } = options
  const [recalledKeys, claims] = quick ? [1_000, 2_000] : [10_000, 100_000]
  const store = await startStore({ directories })
  const db = store.database()
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const sendTo = (method: string, at: string, cookie: string, body?: object) =>
    send({
      port: store.port,
      method,
      path: `/api${at}`,
      cookie,
      agent,
      timeoutMs: 60_000,
      ...(body && { body: JSON.stringify(body) }),
    })
  const ask: Ask = async (...args) => {
    const began = performance.now()
    const { status } = await sendTo(...args)
    return { status, tookMs: performance.now() - began }
  }
  const admin = await logInAdmin(store)
  const buyers = Math.ceil(count / KEYS_EACH)
  const wealth = { keys: count * 2 + 20_000, balancePaise: PRICE_PAISE * 10_000 }
  const shop = await seedShop(db, await store.sealer(), { buyers, ...wealth })

  const doubles = await decideTwice(db, ask, { shop, admin, count })
  const recall = await recallBesideBuyers(ask, { shop, admin, keys: recalledKeys })
  const desk = await openDesk(db, ask, { admin, claims })
  const broken = await findBroken(db, path.resolve(import.meta.dirname, '../server/migrations'))
  agent.destroy()
  await db.close()
  await store.stop()
  return {
    passed:
      doubles.single === count &&
      broken.length === 0 &&
      recall.tookMs < within(RECALL_MS_MAX, options) &&
      recall.ratio < within(SLOWER_MAX, options) &&
      Math.max(...desk.map(({ p95 }) => p95)) < within(DESK_MS_MAX, options),
    figures: [
      `${count} claims answered by two admins at once: ${doubles.single} single effects`,
      `recall of ${recalledKeys} keys in ${ms(recall.tookMs)}, purchases beside it ${recall.ratio.toFixed(2)} × (p95)`,
      `the desk with ${claims} claims (p95): ${desk.map(({ part, p95 }) => `${part} ${ms(p95)}`).join(', ')}; ` +
        `broken rules ${broken.length}`,
    ],
    proved: 'a claim is answered once, a recall holds up no buyer, and the desk stays quick.',
    cannotProve: 'that an answer is the right one.',
  }
}

/** @returns how many claims had one effect, and one answer that said so */
async function decideTwice(
  db: Database,
  ask: Ask,
  { shop, admin, count }: { shop: DrillShop; admin: string; count: number },
): Promise<{ single: number }> {
  const place = { productId: shop.productId, duration: shop.duration, quantity: KEYS_EACH }
  for (const { cookie } of shop.buyers) await ask('POST', '/keys/buy', cookie, place)
  await db.run(sql`
    insert into key_claims (id, key_id, order_id, user_id, batch_id, reason, created_at)
    select gen_random_uuid(), id, order_id, assigned_to, batch_id, 'never-worked', now()
      from license_keys where order_id is not null order by seq limit ${count}`)
  const open = await db.texts(sql`select id from key_claims where status = 'open'`)
  let single = 0
  for (const [nth, id] of open.entries()) {
    const refund = () => ask('PUT', `/claims/${id}/refund`, admin, { rule: 'full', expected: PRICE_PAISE / 100 })
    const other = nth % 2 === 0 ? refund : () => ask('PUT', `/claims/${id}/replace`, admin, {})
    const statuses = (await Promise.all([refund(), other()])).map(({ status }) => status).toSorted((a, b) => a - b)
    const effects = await db.count(sql`
      select (select count(*) from key_claims where id = ${id} and status = 'refunded')
             + (select count(*) from license_keys key join key_claims claim on claim.key_id = key.replaces
                 where claim.id = ${id})`)
    if (statuses.join() === '200,409' && effects === 1) single += 1
  }
  return { single }
}

/** Buyers buy the recalled product all the time. Its other keys are older, so they never run out. */
async function recallBesideBuyers(
  ask: Ask,
  { shop, admin, keys }: { shop: DrillShop; admin: string; keys: number },
): Promise<{ tookMs: number; ratio: number }> {
  const place = { productId: shop.productId, duration: shop.duration }
  const batchId = newId()
  const texts = Array.from({ length: keys }, (_, n) => `RECALLED-${n}-${newId()}`)
  await ask('POST', '/keys/bulk', admin, { ...place, keys: texts, batchId })
  const selling = { isOver: false }
  let times: number[] = []
  const buying = Promise.all(
    shop.buyers.slice(0, BUYERS_AT_ONCE).map(async ({ cookie }) => {
      while (!selling.isOver) times.push((await ask('POST', '/keys/buy', cookie, { ...place, quantity: 1 })).tookMs)
    }),
  )
  const p95 = () => percentile(times, 0.95)
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const before = p95()
  times = []
  const recall = await ask('POST', `/keys/batches/${batchId}/recall`, admin, { note: 'Bad', openClaims: true })
  const beside = p95()
  selling.isOver = true
  await buying
  if (recall.status !== 200) throw new Error(`The recall got ${recall.status}`)
  return { tookMs: recall.tookMs, ratio: beside / before }
}

/** @returns how long each part of the desk takes, in ms */
async function openDesk(
  db: Database,
  ask: Ask,
  { admin, claims }: { admin: string; claims: number },
): Promise<{ part: string; p95: number }[]> {
  const rejected = sql`
    insert into key_claims (id, key_id, order_id, user_id, batch_id, reason, status, answer, decided_at, created_at)
    select gen_random_uuid(), key.id, key.order_id, key.assigned_to, key.batch_id, 'other', 'rejected', 'No.', now(),
           now() - nth * interval '1 second'
      from generate_series(1, ${claims}::int) as nth
      join (select *, row_number() over (order by seq) - 1 as place, count(*) over () as sold
              from license_keys where order_id is not null) key on key.place = nth % key.sold`
  await db.transaction((tx) => tx.run(rejected), { statementTimeoutMs: SEED_MS_MAX })
  await db.run(sql`analyze key_claims`)
  const { id } = await db.one(sql(z.object({ id: z.string() }))`select id from key_claims order by number desc limit 1`)
  const parts: { part: string; p95: number }[] = []
  for (const [part, at] of [
    ['open', '/claims?status=open&limit=20'],
    ['all', '/claims?limit=20'],
    ['search', '/claims?search=drill&limit=20'],
    ['one', `/claims/${id}`],
  ] as const) {
    const times: number[] = []
    for (let turn = 0; turn < 40; turn++) times.push((await ask('GET', at, admin)).tookMs)
    parts.push({ part, p95: percentile(times, 0.95) })
  }
  return parts
}
