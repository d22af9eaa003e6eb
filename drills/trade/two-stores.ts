/** Two stores in processes: one sells by tokens, and the other fills its shelves there, on two nodes. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { callStore } from '../../scripts/store-process.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { seedShop, PRICE_PAISE, type DrillBuyer, type DrillShop } from '../seed.ts'
import { command, logInAdmin, startNodes, type StoreProcess } from '../store-process.ts'
import { startBadNetwork, type BadNetwork } from './bad-network.ts'
import { startDepot, type Depot } from './depot.ts'

/**
 * A link has four calls under way at most, an account 240 a minute, and a node eight, so many orders need many of each.
 * Two links have one account.
 */
const SMALL = { accounts: 1, products: 4, nodes: 2 }
const LARGE = { accounts: 6, products: 24, nodes: 6 }
/** From so many orders on. */
const LARGE_FROM = 5_000
/** Products of which nothing is kept, and the keys of one that a buyer may order. */
const FETCHED = 2
export const FOR_BUYERS = 5
/** Far more than an order has, for what lies where and when is left to chance. */
const KEYS_AN_ORDER = 12
const BUYERS = 40
export const KEEP = 20
/** What those who order have to spend. */
export const ORDERING_PAISE = 5 * PRICE_PAISE
const LIST_MS_MAX = 30_000
/** Of the sort that seed.ts gives. */
const PASSWORD = 'a drill buyer password'
export const DURATION = '1 Month'

export interface Side {
  nodes: readonly StoreProcess[]
  db: Database
  shops: readonly DrillShop[]
}
interface Source {
  productId: string
  priceId: string
  linkId: string
  theirProduct: string
}
export interface TwoStores {
  here: Side
  there: Side
  network: BadNetwork
  depot: Depot
  /** The cookies of the store's account there. */
  reseller: string
  links: readonly string[]
  /** Of what is kept on the shelf. */
  sources: readonly Source[]
  /** Of what is only ordered for buyers, and who orders it. */
  fetched: readonly Source[]
  ordering: readonly DrillBuyer[]
  stop(): Promise<void>
}

export async function openTwoStores(options: {
  directories: string[]
  /** How many orders are to come. */
  count: number
  delayMsMax: number
  /** How many people order what is not kept. */
  people: number
}): Promise<TwoStores> {
  const { directories, count, delayMsMax, people } = options
  const { accounts: accountCount, products, nodes } = count < LARGE_FROM ? SMALL : LARGE
  const keysThere = Math.ceil((KEYS_AN_ORDER * count) / products)
  const theirs = await startNodes({ directories, count: 1 })
  const network = await startBadNetwork({ port: () => theirs.first.port, delayMsMax })
  const depot = await startDepot()
  const environment = { OUTBOUND_TEST_ORIGINS: `${network.origin},${depot.origin}` }
  const ours = await startNodes({ directories, environment, count: nodes, settings: { max_connections: '200' } })
  const rich = { balancePaise: 100_000_000 }
  const there = await fill(theirs.nodes, times(products + FETCHED, { buyers: 1, keys: keysThere, ...rich }))
  const ourSide = await fill(ours.nodes, [
    ...times(products, { buyers: BUYERS, keys: 1, ...rich }),
    ...times(FETCHED, { buyers: people / FETCHED, keys: 0, balancePaise: ORDERING_PAISE }),
  ])
  const here: Side = { ...ourSide, shops: ourSide.shops.slice(0, products) }
  // There are no messages while every channel is off
  await here.db.run(sql`
    insert into channels (name, is_on) values ('push', true) on conflict (name) do update set is_on = true`)

  const accounts = there.shops.slice(0, accountCount).flatMap(({ buyers }) => buyers)
  const links: string[] = []
  for (const account of accounts) {
    const secret = await makeToken(theirs.first, account)
    for (let n = 0; n < 2; n++) {
      const link = { name: `Supplier ${links.length}`, address: network.origin, secret, dayMax: 1_000_000 }
      links.push((await asOwner(ours.first, 'POST', '/supply/links', link))._id)
    }
  }
  for (const link of links) await untilListed(here.db, link)
  const all = await Promise.all(
    ourSide.shops.map(async ({ productId }, n): Promise<Source> => {
      const priceId = (await here.db.text(sql`select id from prices where product_id = ${productId}`)) ?? ''
      return {
        productId,
        priceId,
        linkId: links[n % links.length] ?? '',
        theirProduct: there.shops[n]?.productId ?? '',
      }
    }),
  )
  const [sources, fetched] = [all.slice(0, products), all.slice(products)]
  for (const source of sources) await saveSource(ours.first, source, { keep: KEEP })
  for (const source of fetched) await saveSource(ours.first, source, { keep: 0, forBuyers: FOR_BUYERS })
  const ordering = ourSide.shops.slice(products).flatMap(({ buyers }) => buyers)
  return {
    here,
    there,
    network,
    depot,
    reseller: accounts[0]?.cookie ?? '',
    links,
    sources,
    fetched,
    ordering,
    async stop() {
      await network.close()
      await depot.close()
      for (const { db } of [here, there]) await db.close()
      await ours.stop()
      await theirs.stop()
    },
  }
}

const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each)

async function fill(nodes: readonly StoreProcess[], wanted: readonly Parameters<typeof seedShop>[2][]): Promise<Side> {
  const [first] = nodes
  if (!first) throw new Error('No node')
  const db = first.database()
  const sealer = await first.sealer()
  const shops: DrillShop[] = []
  for (const each of wanted) shops.push(await seedShop(db, sealer, each))
  return { nodes, db, shops }
}

async function makeToken(store: StoreProcess, { id, cookie }: DrillBuyer): Promise<string> {
  await asOwner(store, 'PUT', `/admin/users/${id}/reseller`, { on: true })
  const body = { name: 'Shop', canBuy: true, days: 365, password: PASSWORD }
  return (await callStore(store, { method: 'POST', path: '/tokens', cookie, body })).token
}

/** A list may be lost on its way, and a failed look is repeated a minute later. */
async function untilListed(db: Database, link: string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < LIST_MS_MAX;) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    if (await db.holds(sql`select products <> '[]' and balance_paise is not null from supply_links where id = ${link}`))
      return
    await db.run(sql`update supply_links set look_at = now()`)
  }
  throw new Error('The supplier’s list did not come')
}

/** Logs in, because a proof lasts for ten minutes. */
export async function asOwner(node: StoreProcess, method: string, path: string, body: object) {
  return callStore(node, { method, path, cookie: await logInAdmin(node), body })
}

/** @param what how many keys are kept, and how many a buyer may order */
export const saveSource = (
  node: StoreProcess,
  { productId: _, ...source }: Source,
  what: { keep: number; forBuyers?: number },
): Promise<unknown> =>
  asOwner(node, 'PUT', `/supply/sources/${source.priceId}`, { ...source, theirDuration: DURATION, max: 2, ...what })

/** Backs this side up as its owner would. @returns the file */
export async function backUp({ nodes: [first] }: Side): Promise<string> {
  if (!first) throw new Error('No node')
  const { code, output } = await (await command('backup', [], first.dataDir)).ended
  if (code !== 0) throw new Error(output)
  const directory = path.join(first.dataDir, 'backups')
  const [file] = readdirSync(directory).filter((name) => name.endsWith('.backup'))
  return path.join(directory, file ?? '')
}

/** Stops the nodes of our side, puts the backup in the place of all that came after it, and starts them again. */
export async function goBackTo(file: string, { here }: TwoStores): Promise<void> {
  const [first] = here.nodes
  if (!first) throw new Error('No node')
  await Promise.all(here.nodes.map((node) => node.stop()))
  await here.db.close()
  const { code, output } = await (await command('restore', [file, '--replace'], first.dataDir)).ended
  if (code !== 0) throw new Error(output)
  for (const node of here.nodes) node.start()
  for (const node of here.nodes) await node.untilHealthy()
  here.db = first.database()
}
