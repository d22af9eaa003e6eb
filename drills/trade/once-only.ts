/**
 * The same store fills its shelves at suppliers that sell again under the same number. Each order is sent once, with
 * all that is lost and all kills, and a person says what became of those without an answer.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../../server/platform/database/database.ts'
import { DEPOT_TEMPLATE } from './depot.ts'
import { textsOf } from './judge-trade.ts'
import { asOwner, type TwoStores } from './two-stores.ts'

const SETTLED = 3
const REST_MS_MAX = 90_000

const OrderRow = z.object({
  id: z.string(),
  state: z.string(),
  number: z.number(),
  tries: z.number(),
  isByHand: z.boolean(),
})

interface Once {
  calls: number
  withinMs: number
  /** Buys and kills until the signal comes. */
  work: (signal: AbortSignal) => Promise<unknown>
}

export async function tradeOnce(
  stores: TwoStores,
  { calls, withinMs, work }: Once,
): Promise<{ wrong: string[]; figure: string; done: boolean }> {
  const { here, depot } = stores
  const links = await describeDepot(stores)
  const ending = new AbortController()
  const working = work(ending.signal)
  working.catch(() => {})
  for (const since = performance.now(); depot.calls < calls && performance.now() - since < withinMs; await sleep(200))
    // The owner has looked at it
    await here.db.run(sql`
      update supply_links set is_on = true, paused_why = null where id = any(${links}::uuid[]) and not is_on`)
  ending.abort()
  await working
  await here.db.run(sql`update supply_sources set keep = 0`)
  await untilNoted(stores, links)
  const wrong = await judgeOnce(stores, links)
  const { lost, byHand } = await settleSome(stores, links, wrong)
  return {
    wrong,
    figure:
      `${depot.sales.size} orders at suppliers that would sell again, ${lost} answers lost: ${byHand} by hand, ` +
      `${depot.calls - depot.sales.size} sent twice`,
    done: depot.calls >= calls,
  }
}

async function describeDepot({ here, depot, sources }: TwoStores): Promise<string[]> {
  const [node] = here.nodes
  if (!node) throw new Error('No node')
  const links: string[] = []
  for (const [n, { priceId }] of sources.entries()) {
    const form = {
      ...DEPOT_TEMPLATE,
      name: `Depot ${n}`,
      url: `${depot.origin}/buy`,
      secret: 'depot',
      dayMax: 1_000_000,
    }
    const link = await asOwner(node, 'POST', '/supply/links/api', form)
    const source = { linkId: link._id, sku: `D-${n}`, max: 2, keep: 100 }
    await asOwner(node, 'PUT', `/supply/sources/${priceId}/sku`, source)
    links.push(link._id)
  }
  return links
}

/** A dead node holds its orders for half a minute. Then they are by hand. */
async function untilNoted({ here }: TwoStores, links: readonly string[]): Promise<void> {
  for (const since = performance.now(); performance.now() - since < REST_MS_MAX; await sleep(500)) {
    const isBusy = await here.db.holds(sql`
      select exists (select from supply_orders
                      where link_id = any(${[...links]}::uuid[])
                        and (state = 'waiting' or (state = 'asked' and why is null)))`)
    if (!isBusy) return
  }
}

const readOrders = ({ here }: TwoStores, links: readonly string[]) =>
  here.db.rows(sql(OrderRow)`
    select id, state, number, tries, coalesce(state = 'asked' and is_once and why is not null, false) as is_by_hand
      from supply_orders where link_id = any(${[...links]}::uuid[]) order by number`)

/** @returns what is wrong, one line each */
async function judgeOnce(stores: TwoStores, links: readonly string[]): Promise<string[]> {
  const { here, depot } = stores
  const sealer = await here.nodes[0]?.sealer()
  if (!sealer) throw new Error('No node')
  const had = await textsOf(
    here.db,
    sealer,
    sql`id in (select key_id from supply_keys join supply_orders bought on bought.id = order_id
                where bought.link_id = any(${[...links]}::uuid[]))`,
  )
  const orders = await readOrders(stores, links)
  const known = new Set(orders.map(({ id }) => id))
  const came = orders.filter(({ state }) => state === 'came')
  const sold = came.flatMap(({ id }) => (depot.sales.get(id) ?? []).map(({ key }) => key)).toSorted()
  const twice = [...depot.sales.values()].filter((sales) => sales.length > 1).length
  const unsaid = orders.filter(({ id, state, isByHand }) => depot.sales.has(id) && state !== 'came' && !isByHand)
  const strange = [...depot.sales.keys()].filter((id) => !known.has(id))
  return [
    ...(twice === 0 ? [] : [`${twice} orders were sent twice`]),
    ...(orders.every(({ tries }) => tries <= 1) ? [] : ['an order says that it was sent twice']),
    ...(unsaid.length === 0 ? [] : [`${unsaid.length} orders that were sold are neither here nor by hand`]),
    ...(strange.length === 0 ? [] : [`${strange.length} orders were sold that are not known here`]),
    ...(had.join() === sold.join() ? [] : [`${had.length} keys are had of ${sold.length} that came`]),
  ]
}

/** A person looks at the purchases there, and pastes what was sold. */
async function settleSome(stores: TwoStores, links: readonly string[], wrong: string[]) {
  const { here, depot } = stores
  const byHand = (await readOrders(stores, links)).filter(({ isByHand }) => isByHand)
  const node = here.nodes.find(({ alive }) => alive)
  for (const { id, number } of byHand.filter((order) => depot.sales.has(order.id)).slice(0, SETTLED)) {
    const keys = (depot.sales.get(id) ?? []).map(({ key }) => key)
    const settled = node && (await asOwner(node, 'PUT', `/supply/orders/${id}`, { keys }))
    if (settled?.['state'] !== 'came') wrong.push(`S-${number} was not settled`)
  }
  const lost = [...depot.sales.values()].flat().filter(({ isLost }) => isLost).length
  if (lost === 0 || byHand.length < lost) wrong.push(`${lost} answers were lost, and ${byHand.length} are by hand`)
  return { lost, byHand: byHand.length }
}
