/**
 * A store that fills its shelves at another one, and orders there for buyers, with a bad network between and kills on
 * both sides, while buyers buy, prices change and suppliers are turned off and on. At rest each key bought there is had
 * here, once, and each order for a buyer is one order or one reason. Before that it measures how long buyers wait.
 * `--control` plants mistakes that it must notice, and `--restore` loses the second half of our side.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import { patiently } from '../test/patiently.ts'
import { runControl } from './control.ts'
import { ms, percentile, within, type Drill, type DrillOptions, type Finding } from './drill.ts'
import { send } from './send.ts'
import { judgeOffers } from './trade/judge-offers.ts'
import { judgeOrdering } from './trade/judge-ordering.ts'
import { findDenied, judgeTrade } from './trade/judge-trade.ts'
import { tradeOnce } from './trade/once-only.ts'
import { orderForBuyers } from './trade/order-for-buyers.ts'
import { tradeBugs } from './trade/planted-bugs.ts'
import { timeOrders, timeSilence } from './trade/time-orders.ts'
import {
  asOwner,
  backUp,
  DURATION,
  FOR_BUYERS,
  goBackTo,
  KEEP,
  openTwoStores,
  saveSource,
  type Side,
  type TwoStores,
} from './trade/two-stores.ts'

const BUYING_AT_ONCE = 6
const ORDERING_AT_ONCE = 8
const REST_MS_MAX = 120_000
const TRADE_MS_MAX = 20 * 60_000
const ORDER_MS_MAX = 300
const QUICK_TRADE_MS_MAX = 150_000
/** Orders at suppliers that sell again under the same number. */
const ONCE = { calls: 1_000, withinMs: 20 * 60_000 }
const QUICK_ONCE = { calls: 40, withinMs: 60_000 }
/** What a buyer waits, at a supplier that takes 200 ms, and beyond the ten minutes at one that is silent. */
const COME_MS = 1_500
const LATE_MS = 5_000

const CONTROL = { drill: 'trade', count: 25, bugs: tradeBugs, wrong: /^ {3}Wrong: (.*)$/m, isWell: 'nothing' }

export const drill: Drill = (options) => (options.control ? runControl(options, CONTROL) : trade(options))

async function trade(options: DrillOptions): Promise<Finding> {
  const { quick, restore, count = quick ? 60 : 1_000, directories, say } = options
  const people = quick ? 80 : 300
  const delayMsMax = quick ? 14_000 : 90_000
  const stores = await openTwoStores({ directories, count, delayMsMax, people })
  const { here, network } = stores
  const waited = await measure(stores, options)
  network.worsen()
  const { backup, kills, known, tookMs } = await meanwhileAll(stores, options, count)
  say(`${await countCome(here)} orders came in ${Math.round(tookMs / 1_000)} s; now all rest`)

  await network.calm()
  const lost = backup === undefined ? 0 : await loseSince(backup, stores)
  await here.db.run(sql`update supply_sources set keep = 0`)
  await untilRest(stores)
  // What a backup has not seen comes by the comparison
  const denied = restore ? [] : await patiently(() => findDenied(stores))
  await Promise.all(stores.links.map((id) => call(here, 'PUT', `/supply/links/${id}`, { on: true })))
  await untilRest(stores)
  const { wrong, keys, orders } = await patiently(() => judgeTrade(stores))
  const ordered = await patiently(() => judgeOrdering(stores, restore ? undefined : known))
  wrong.push(...ordered.wrong, ...(await judgeOffers(stores, () => hurry(stores))))
  if (restore && lost === 0) wrong.push('nothing was lost by going back')
  const once = await tradeOnce(stores, {
    ...(quick ? QUICK_ONCE : ONCE),
    work: async (stop) => {
      const buying = Array.from({ length: BUYING_AT_ONCE }, () => forever(stop, 150, () => buy(here)))
      await Promise.all([...buying, killAgain(here.nodes, stop, quick ? 15_000 : 20_000)])
    },
  })
  wrong.push(...once.wrong)
  const late = await here.db.count(sql`select count(*) from supply_orders where again_at is not null`)
  await stores.stop()
  const isEnough = orders >= count && ordered.count >= orderedMin(options) && kills >= killsMin(options)
  return {
    passed: wrong.length + denied.length === 0 && once.done && isEnough && waited.isWell,
    figures: [
      `${orders} orders of ${keys} keys by ${network.purchases} tries, ${network.faults} faults of the network, ` +
        `${kills} kills on both sides; ${late} found by a comparison after a late copy` +
        (restore ? `; ${lost} orders were lost with the time since the backup` : ''),
      `${ordered.count} ordered for buyers (${ordered.ends})`,
      once.figure,
      waited.figure,
      `Wrong: ${[...denied.map((number) => `${number} was taken for refused`), ...wrong].join('; ') || 'nothing'}`,
    ],
    proved:
      'each key bought there is had here, once and at its cost, and each order for a buyer is one order or one ' +
      'reason, whatever the network and the processes do; and nothing is sent twice to one that would sell twice.',
    cannotProve: 'what a supplier does that lies, and that its keys work.',
  }
}

const countCome = ({ db }: Side) =>
  patiently(() => db.count(sql`select count(*) from supply_orders where state = 'came'`))

/** How many must be ordered for buyers; fewer where a planted mistake is looked for. */
const orderedMin = ({ quick, count }: DrillOptions): number => (quick ? (count === undefined ? 20 : 1) : 200)
/** A quick machine has its orders before a process was killed. */
const killsMin = ({ quick }: DrillOptions): number => (quick ? 3 : 10)

async function measure(stores: TwoStores, options: DrillOptions): Promise<{ isWell: boolean; figure: string }> {
  const came = await timeOrders(stores, options.quick ? 10 : 40)
  const { lateMs, moved } = await timeSilence(stores, options.quick ? 3 : 10)
  const [median, slowest, latest] = [percentile(came, 0.5), percentile(came, 1), percentile(lateMs, 1)]
  return {
    isWell: median <= within(COME_MS, options) && latest <= within(LATE_MS, options) && moved === 0,
    figure:
      `An order for a buyer came after ${ms(median)} (median of ${came.length}, the slowest ${ms(slowest)}); ` +
      `from a silent supplier all ${lateMs.length} ended at most ${ms(latest)} after their ten minutes, and ` +
      `${moved} paise moved`,
  }
}

/** Lets all of them work until enough has come. */
async function meanwhileAll(stores: TwoStores, options: DrillOptions, count: number) {
  const { quick, restore } = options
  const { here } = stores
  const ending = new AbortController()
  const { signal } = ending
  const began = performance.now()
  const working = [
    ...Array.from({ length: BUYING_AT_ONCE }, () => forever(signal, 150, () => buy(here))),
    // Each list that is read is a call, too
    forever(signal, 500 * stores.links.length, () => hurry(stores)),
    forever(signal, 2_500, () => meddle(stores)),
  ]
  const ordering = orderForBuyers(stores, signal, ORDERING_AT_ONCE)
  let kills = 0
  const killing = killAgain([...here.nodes, ...stores.there.nodes], signal, quick ? 8_000 : 20_000, () => kills++)
  // They are awaited later; a node that does not come back ends the wait for kills
  for (const each of [killing, ordering]) each.catch(() => ending.abort())
  const countOrdered = () =>
    patiently(() => here.db.count(sql`select count(*) from waiting_places where fetch_until is not null`))
  const isEnough = async () =>
    kills >= killsMin(options) && (await countCome(here)) >= count && (await countOrdered()) >= orderedMin(options)
  const mostMs = quick ? QUICK_TRADE_MS_MAX : Math.max(TRADE_MS_MAX, count * ORDER_MS_MAX)
  let backup: string | undefined
  while (!signal.aborted && !(await isEnough()) && performance.now() - began < mostMs) {
    if (restore && backup === undefined && (await countCome(here)) > count / 2) backup = await backUp(here)
    await sleep(1_000)
  }
  ending.abort()
  await Promise.all([...working, killing])
  return { backup, known: await ordering, kills, tookMs: performance.now() - began }
}

/** @returns how many orders that came are unknown to the backup */
async function loseSince(backup: string, stores: TwoStores): Promise<number> {
  const before = await countCome(stores.here)
  await goBackTo(backup, stores)
  return before - (await countCome(stores.here))
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

/** Saves the minutes after which an order is asked for again, and their list read, and the hour of many refusals. */
async function hurry({ here: { db } }: TwoStores): Promise<void> {
  await db.run(sql`
    update supply_orders set created_at = created_at - interval '1 hour'
     where state in ('refused', 'dropped') and created_at > now() - interval '1 hour'`)
  await db.run(sql`update supply_orders set next_at = now() where ended_at is null and next_at > now()`)
  await db.run(sql`update supply_links set look_at = now(), balance_at = now() - interval '1 hour' where is_on`)
}

/** Does one of the things that people do. */
async function meddle({ here, there, sources, fetched, links, reseller }: TwoStores): Promise<void> {
  const source = anyOf([...sources, ...fetched])
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
    const isKept = sources.includes(source)
    // Its answer may be lost
    await saveSource(anyOf(here.nodes), source, { keep: 0, forBuyers: 0 }).catch(() => {})
    await sleep(3_000)
    await here.db.run(sql`
      update supply_sources set keep = ${isKept ? KEEP : 0}, for_buyers = ${isKept ? 0 : FOR_BUYERS}
       where price_id = ${source.priceId}`)
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

async function killAgain(
  nodes: Side['nodes'],
  signal: AbortSignal,
  everyMs: number,
  onKill: () => void = () => {},
): Promise<void> {
  for (;;) {
    await sleep(randomInt(everyMs), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const node = anyOf(nodes)
    await node.kill()
    node.start()
    await node.untilHealthy()
    onKill()
  }
}

/**
 * Until each order is decided, each supplier compared, and nobody waits for an order of his. A dead node holds its
 * orders for half a minute.
 */
async function untilRest(stores: TwoStores): Promise<void> {
  for (const since = performance.now(); performance.now() - since < REST_MS_MAX; await sleep(500))
    if (await patiently(() => isAtRest(stores))) return
}

async function isAtRest(stores: TwoStores): Promise<boolean> {
  await hurry(stores)
  const isBusy = await stores.here.db.holds(sql`
    select exists (select from supply_orders where ended_at is null)
        or exists (select from waiting_places
                    where ended_at is null and fetch_until is not null and fetch_end is null)
        or exists (select from supply_links where is_on and (compares_first or compare_at <= now()))`)
  if (!isBusy) return true
  // Ends the places of those who have bought by hand or closed their account
  await stores.here.db.run(sql`
    update jobs set next_at = now() where name = 'waiting' and started_at < now() - interval '8 seconds'`)
  // One that failed is repeated after five minutes
  await stores.here.db.run(sql`
    update supply_links set compare_at = now() where compares_first and compare_at > now() + interval '2 minutes'`)
  return false
}
