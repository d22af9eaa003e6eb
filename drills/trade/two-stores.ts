/** Two stores in processes: one sells by tokens, and the other fills its shelves there, on two nodes. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { callStore } from '../../scripts/store-process.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { seedShop, type DrillShop } from '../seed.ts'
import { command, logInAdmin, startNodes, type StoreProcess } from '../store-process.ts'
import { startBadNetwork, type BadNetwork } from './bad-network.ts'

const PRODUCTS = 4
const LINKS = 2
const BUYERS = 40
export const KEEP = 20
const LIST_MS_MAX = 30_000
/** Of the sort that seed.ts gives. */
const PASSWORD = 'a drill buyer password'
export const DURATION = '1 Month'

export interface Side {
  nodes: readonly StoreProcess[]
  db: Database
  shops: readonly DrillShop[]
}
export interface TwoStores {
  here: Side
  there: Side
  network: BadNetwork
  /** The cookies of the store's account there. */
  reseller: string
  links: readonly string[]
  sources: readonly { priceId: string; linkId: string; theirProduct: string }[]
  stop(): Promise<void>
}

export async function openTwoStores(options: {
  directories: string[]
  keysThere: number
  delayMsMax: number
}): Promise<TwoStores> {
  const { directories, keysThere, delayMsMax } = options
  const theirs = await startNodes({ directories, count: 1 })
  const network = await startBadNetwork({ port: () => theirs.first.port, delayMsMax })
  const ours = await startNodes({ directories, environment: { OUTBOUND_TEST_ORIGINS: network.origin } })
  const there = await fill(theirs.nodes, { buyers: 1, keys: keysThere })
  const here = await fill(ours.nodes, { buyers: BUYERS, keys: 1 })

  const [account] = there.shops[0]?.buyers ?? []
  if (!account) throw new Error('Nobody buys')
  await asOwner(theirs.first, 'PUT', `/admin/users/${account.id}/reseller`, { on: true })
  const { token: secret } = await callStore(theirs.first, {
    method: 'POST',
    path: '/tokens',
    cookie: account.cookie,
    body: { name: 'Shop', canBuy: true, days: 365, password: PASSWORD },
  })
  const links: string[] = []
  for (let n = 0; n < LINKS; n++) {
    const link = { name: `Supplier ${n}`, address: network.origin, secret, dayMax: 1_000_000 }
    links.push((await asOwner(ours.first, 'POST', '/supply/links', link))._id)
  }
  for (const link of links) await untilListed(here.db, link)
  const sources = await Promise.all(
    here.shops.map(async ({ productId }, n) => {
      const priceId = (await here.db.text(sql`select id from prices where product_id = ${productId}`)) ?? ''
      return { priceId, linkId: links[n % LINKS] ?? '', theirProduct: there.shops[n]?.productId ?? '' }
    }),
  )
  for (const source of sources) await saveSource(ours.first, source, KEEP)
  return {
    here,
    there,
    network,
    reseller: account.cookie,
    links,
    sources,
    async stop() {
      await network.close()
      for (const { db } of [here, there]) await db.close()
      await ours.stop()
      await theirs.stop()
    },
  }
}

async function fill(nodes: readonly StoreProcess[], amounts: { buyers: number; keys: number }): Promise<Side> {
  const [first] = nodes
  if (!first) throw new Error('No node')
  const db = first.database()
  const sealer = await first.sealer()
  const shops: DrillShop[] = []
  for (let n = 0; n < PRODUCTS; n++) shops.push(await seedShop(db, sealer, { ...amounts, balancePaise: 100_000_000 }))
  return { nodes, db, shops }
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

export const saveSource = (node: StoreProcess, source: TwoStores['sources'][number], keep: number): Promise<unknown> =>
  asOwner(node, 'PUT', `/supply/sources/${source.priceId}`, { ...source, theirDuration: DURATION, max: 2, keep })

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
