/**
 * Keys that end at one moment and renew, on two nodes that are killed in the middle of the purchases, again and again,
 * while some buyers end their renewals and others buy by hand. Then keys that end one after the other, on nodes that
 * run: how long a buyer is without.
 */
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { newId } from '../../server/platform/ids.ts'
import { percentile } from '../drill.ts'
import { killInParts, SETTLED_MS_MAX } from '../kill-in-parts.ts'
import { seedShop, PRICE_PAISE, type DrillBuyer } from '../seed.ts'
import { send } from '../send.ts'
import { startNodes, type StoreProcess } from '../store-process.ts'

/** Of every hundred buyers so many stop, and so many buy by hand, while the store buys. */
const STOP_PERCENT = 10
const BUY_PERCENT = 10
/** Time in which the keys end that are watched. */
const SPREAD_MS = 120_000
/** The goal of the median. */
const WAIT_S_MAX = 65

/** A node may be dead or dying: then another one is asked, as a browser does. */
async function ask(nodes: readonly StoreProcess[], method: string, at: string, cookie: string, body?: object) {
  // The store must know a second try of a purchase
  const headers = body && 'quantity' in body ? { 'idempotency-key': newId() } : {}
  for (;;) {
    const node = nodes[randomInt(nodes.length)]
    const sent = { port: node?.port ?? 0, method, path: `/api${at}`, cookie, headers, timeoutMs: 10_000 }
    const answer = await send({ ...sent, ...(body && { body: JSON.stringify(body) }) }).catch(() => undefined)
    if (answer && answer.status !== 503) return answer.status
    await sleep(50)
  }
}

interface AtOnce {
  passed: boolean
  figures: string[]
}

/** @param count renewals that are due at one moment. @param watched others that are due one after the other */
export async function renewAtOnce(
  directories: string[],
  { count, watched, killsMin }: { count: number; watched: number; killsMin: number },
): Promise<AtOnce> {
  const { first, nodes, stop } = await startNodes({ directories })
  const db = first.database()
  const [buyers, balancePaise] = [count + watched, 3 * PRICE_PAISE]
  const shop = await seedShop(db, await first.sealer(), { buyers, keys: 3 * buyers, balancePaise })
  const [storm, calm] = [shop.buyers.slice(0, count), shop.buyers.slice(count)]
  const wanted = { productId: shop.productId, duration: shop.duration, quantity: 1 }
  await inTens(shop.buyers, ({ cookie }) => ask(nodes, 'POST', '/keys/buy', cookie, wanted))
  const keys = await db.rows(sql(z.object({ buyer: z.string(), keyId: z.string(), orderId: z.string() }))`
    select assigned_to as buyer, id as key_id, order_id from license_keys where order_id is not null`)
  const soldTo = new Map(keys.map((key) => [key.buyer, key]))
  const renew = ({ id, cookie }: DrillBuyer) =>
    ask(nodes, 'POST', '/renewals', cookie, { keyId: soldTo.get(id)?.keyId })
  await inTens(storm, renew)
  await endAll(db)

  const stopped: string[] = []
  const meddling = inTens(storm, async ({ id, cookie }) => {
    const dice = randomInt(100)
    const orderId = soldTo.get(id)?.orderId ?? ''
    if (dice < STOP_PERCENT) {
      if ((await ask(nodes, 'DELETE', `/renewals/${orderId}`, cookie)) === 200) stopped.push(orderId)
    } else if (dice < STOP_PERCENT + BUY_PERCENT) await ask(nodes, 'POST', '/keys/buy', cookie, wanted)
  })
  const openNow = () => db.count(sql`select count(*) from renewals where ended_at is null`)
  const { kills, open } = await killInParts(db, nodes, { job: 'renew', count, parts: 15, openNow })
  await meddling
  const found = await judge(db, stopped)
  await inTens(calm, renew)
  const waits = await waitFor(db, calm)
  const broken = await findBroken(db, path.resolve(import.meta.dirname, '../../server/migrations'))
  await db.close()
  await stop()
  const [median, longest] = [percentile(waits, 0.5), Math.max(...waits)]
  const isPrompt = waits.length === watched && median <= WAIT_S_MAX
  return {
    passed: open === 0 && found.wrong === 0 && broken.length === 0 && kills >= killsMin && isPrompt,
    figures: [
      `${count} renewals due at one moment on two nodes, ${kills} kills while they were bought: ${found.ends}; ` +
        `wrong ${found.wrong}, still open ${open}; broken rules ${broken.length}`,
      `running, from the end of a key to the next: median ${median.toFixed(1)} s, longest ${longest.toFixed(1)} s, ` +
        `${waits.length} of ${watched} bought`,
    ],
  }
}

/** Lets keys end one after the other, and the jobs have their turns. @returns seconds from each end to the next key */
async function waitFor(db: Database, buyers: readonly DrillBuyer[]): Promise<number[]> {
  const ids = buyers.map(({ id }) => id)
  const apart = SPREAD_MS / ids.length
  await db.run(sql`
    with due as (
      update renewals set due_at = now() + n * make_interval(secs => ${apart / 1_000}::float8)
        from unnest(${ids}::uuid[]) with ordinality as buyer (id, n)
       where renewals.user_id = buyer.id and ended_at is null
      returning order_id, due_at
    )
    update license_keys set expires_at = due_at from due where license_keys.order_id = due.order_id`)
  const ofThem = sql`renewals.user_id = any(${ids}::uuid[])`
  for (const since = performance.now(); performance.now() - since < SPREAD_MS + SETTLED_MS_MAX; await sleep(500))
    if (!(await db.holds(sql`select exists (select from renewals where ended_at is null and ${ofThem})`))) break
  const rows = await db.rows(sql(z.object({ seconds: z.number() }))`
    select extract(epoch from key.assigned_at - due_at)::float8 as seconds
      from renewals join license_keys key on key.order_id = next_id where ${ofThem}`)
  return rows.map(({ seconds }) => seconds)
}

async function inTens(buyers: readonly DrillBuyer[], work: (buyer: DrillBuyer) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < buyers.length; at += 10) await Promise.all(buyers.slice(at, at + 10).map(work))
}

/** Lets a month pass for the keys. */
async function endAll(db: Database): Promise<void> {
  await db.run(sql`
    update license_keys set expires_at = now() where order_id in (select order_id from renewals)`)
  await db.run(sql`update renewals set due_at = now()`)
}

/** Counts the ends, and what cannot be: two orders of one renewal, none of one that was bought, one after a stop. */
async function judge(db: Database, stopped: readonly string[]): Promise<{ ends: string; wrong: number }> {
  const ends = await db.rows(sql(z.object({ reason: z.string(), times: z.number() }))`
    select end_reason as reason, count(*) as times from renewals where ended_at is not null group by 1 order by 1`)
  const wrong = await db.count(sql`
    select (select count(*) from orders
             where idempotency_key is null and not exists (select from renewals where next_id = orders.id))
           + (select count(*) from renewals where order_id = any(${stopped}::uuid[]) and end_reason <> 'stopped')
           + (select count(*) from renewals
               where end_reason not in ('bought', 'stopped', 'by-hand'))`)
  return { ends: ends.map(({ reason, times }) => `${reason} ${times}`).join(', '), wrong }
}
