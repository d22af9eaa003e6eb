/**
 * A store that fills its shelves at another one, with a bad network between and kills on both sides, while buyers buy,
 * prices change and suppliers are turned off and on. At rest each key bought there is had here, once. `--control`
 * plants mistakes that it must notice, and `--restore` loses the second half of our side.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import type { Drill, DrillOptions, Finding } from './drill.ts'
import { send } from './send.ts'
import { runControl } from './trade/control.ts'
import { findDenied, judgeTrade } from './trade/judge-trade.ts'
import {
  asOwner,
  backUp,
  DURATION,
  goBackTo,
  KEEP,
  openTwoStores,
  saveSource,
  type Side,
  type TwoStores,
} from './trade/two-stores.ts'

const BUYING_AT_ONCE = 6
const REST_MS_MAX = 120_000
const TRADE_MS_MAX = 20 * 60_000
const QUICK_TRADE_MS_MAX = 100_000

export const drill: Drill = (options) => (options.control ? runControl(options) : trade(options))

async function trade(options: DrillOptions): Promise<Finding> {
  const { quick, restore, count = quick ? 60 : 1_000, directories, say } = options
  const stores = await openTwoStores({ directories, keysThere: 12 * count, delayMsMax: quick ? 14_000 : 90_000 })
  const { here, network } = stores
  const ending = new AbortController()
  const { signal } = ending
  const began = performance.now()
  const working = [
    ...Array.from({ length: BUYING_AT_ONCE }, () => forever(signal, 150, () => buy(here))),
    forever(signal, 1_000, () => hurry(stores)),
    forever(signal, 2_500, () => meddle(stores)),
  ]
  const killing = killAgain(stores, signal, quick ? 8_000 : 20_000)
  // It is awaited later
  killing.catch(() => {})
  const came = () => here.db.count(sql`select count(*) from supply_orders where state = 'came'`)
  let backup: string | undefined
  while ((await came()) < count && performance.now() - began < (quick ? QUICK_TRADE_MS_MAX : TRADE_MS_MAX)) {
    if (restore && backup === undefined && (await came()) > count / 2) backup = await backUp(here)
    await sleep(1_000)
  }
  ending.abort()
  await Promise.all(working)
  const kills = await killing
  say(`${await came()} orders came in ${Math.round((performance.now() - began) / 1_000)} s; now all rest`)

  await network.calm()
  const lost = backup === undefined ? 0 : await loseSince(backup, stores)
  await here.db.run(sql`update supply_sources set keep = 0`)
  await untilRest(stores)
  // What a backup has not seen comes by the comparison
  const denied = restore ? [] : await findDenied(stores)
  await Promise.all(stores.links.map((id) => call(here, 'PUT', `/supply/links/${id}`, { on: true })))
  await untilRest(stores)
  const { wrong, keys, orders } = await judgeTrade(stores)
  if (restore && lost === 0) wrong.push('nothing was lost by going back')
  const late = await here.db.count(sql`select count(*) from supply_orders where again_at is not null`)
  await stores.stop()
  return {
    passed: wrong.length + denied.length === 0 && orders >= count && kills >= (quick ? 3 : 10),
    figures: [
      `${orders} orders of ${keys} keys by ${network.purchases} tries, ${network.faults} faults of the network, ` +
        `${kills} kills on both sides; ${late} found by a comparison after a late copy` +
        (restore ? `; ${lost} orders were lost with the time since the backup` : ''),
      `Wrong: ${[...denied.map((number) => `${number} was taken for refused`), ...wrong].join('; ') || 'nothing'}`,
    ],
    proved: 'each key bought there is had here, once and at its cost, whatever the network and the processes do.',
    cannotProve: 'what a supplier does that lies, and that its keys work.',
  }
}

/** @returns how many orders that came are unknown to the backup */
async function loseSince(backup: string, stores: TwoStores): Promise<number> {
  const came = () => stores.here.db.count(sql`select count(*) from supply_orders where state = 'came'`)
  const before = await came()
  await goBackTo(backup, stores)
  return before - (await came())
}

async function forever(signal: AbortSignal, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    // A node may be dead, which is what the drill is about
    await work().catch(() => {})
    await sleep(randomInt(pauseMs, 2 * pauseMs))
  }
}

const anyOf = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T

const call = ({ nodes }: Side, method: string, path: string, body: object) =>
  asOwner(anyOf(nodes.filter(({ alive }) => alive)), method, path, body)

/** A shelf may be empty. */
async function buy({ nodes, shops }: Side): Promise<void> {
  const { productId, buyers } = anyOf(shops)
  await send({
    port: anyOf(nodes).port,
    method: 'POST',
    path: '/api/keys/buy',
    cookie: anyOf(buyers).cookie,
    body: JSON.stringify({ productId, duration: DURATION, quantity: 1 + randomInt(3) }),
    headers: { 'idempotency-key': newId() },
  })
}

/** Saves the minutes after which an order is asked for again, and their list read. */
async function hurry({ here: { db } }: TwoStores): Promise<void> {
  await db.run(sql`update supply_orders set next_at = now() where ended_at is null and next_at > now()`)
  await db.run(sql`update supply_links set look_at = now(), balance_at = now() - interval '1 hour' where is_on`)
}

/** Does one of the things that people do. */
async function meddle({ here, there, sources, links, reseller }: TwoStores): Promise<void> {
  const source = anyOf(sources)
  const dice = randomInt(5)
  if (dice === 0) {
    const id = anyOf(links)
    await call(here, 'PUT', `/supply/links/${id}`, { on: false })
    await sleep(2_000)
    for (let isOff = true; isOff; await sleep(200))
      isOff = await call(here, 'PUT', `/supply/links/${id}`, { on: true }).then(
        () => false,
        () => true,
      )
  } else if (dice === 1) {
    const priceId = await there.db.text(sql`select id from prices where product_id = ${source.theirProduct}`)
    const price = { _id: priceId, duration: DURATION, price: randomInt(2) === 0 ? 0.9 : 1 }
    await call(there, 'PUT', `/products/${source.theirProduct}`, { prices: [price] })
  } else if (dice === 2) {
    await saveSource(anyOf(here.nodes), source, 0)
    await sleep(3_000)
    await here.db.run(sql`update supply_sources set keep = ${KEEP} where price_id = ${source.priceId}`)
  } else if (dice === 3) await call(here, 'POST', '/supply/orders', { priceId: source.priceId, quantity: 1 })
  else
    // Another shop with the same account
    await send({
      port: there.nodes[0]?.port ?? 0,
      method: 'POST',
      path: '/api/keys/buy',
      cookie: reseller,
      body: JSON.stringify({ productId: source.theirProduct, duration: DURATION, quantity: 1 }),
      headers: { 'idempotency-key': `${newId()}/${newId()}` },
    })
}

/** @returns how often a process was killed */
async function killAgain({ here, there }: TwoStores, signal: AbortSignal, everyMs: number): Promise<number> {
  const nodes = [...here.nodes, ...there.nodes]
  for (let kills = 0; ; kills++) {
    await sleep(randomInt(everyMs), undefined, { signal }).catch(() => {})
    if (signal.aborted) return kills
    const node = anyOf(nodes)
    await node.kill()
    node.start()
    await node.untilHealthy()
  }
}

/** Until each order is decided and each supplier compared. A dead node holds its orders for half a minute. */
async function untilRest(stores: TwoStores): Promise<void> {
  for (const since = performance.now(); performance.now() - since < REST_MS_MAX; await sleep(500)) {
    await hurry(stores)
    const isBusy = await stores.here.db.holds(sql`
      select exists (select from supply_orders where ended_at is null)
          or exists (select from supply_links where is_on and (compares_first or compare_at <= now()))`)
    if (!isBusy) return
    // One that failed is repeated after five minutes
    await stores.here.db.run(sql`
      update supply_links set compare_at = now() where compares_first and compare_at > now() + interval '2 minutes'`)
  }
}
