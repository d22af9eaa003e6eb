/**
 * Patroni decides who is the primary, while buyers buy at two nodes: one has all servers in DATABASE_URL, one goes
 * through haproxy. Machines die, a network is cut, and roles are swapped on purpose.
 */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../server/platform/database/database.ts'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd, type Crowd } from '../crowd.ts'
import { newDirectory, within, type DrillOptions, type Finding } from '../drill.ts'
import { openHaproxy } from '../front.ts'
import { seedShop } from '../seed.ts'
import { startStore } from '../store-process.ts'
import { startCluster, whatIsMissing, type Cluster, type Machine } from './cluster.ts'

const BUYERS_EACH = 10
const SETTLE_MS = 3_000
const WHOLE_MS_MAX = 30_000
/** The machines are busy with a backup. */
const CONNECT_MS_MAX = 20_000
const WITHOUT_TLS = [[' check-ssl verify required ca-file /etc/chaabi-tls/ca.crt', '']] as const
const ABOUT = {
  proved:
    'with Patroni and a synchronous standby no fault of one machine loses a purchase, and sale goes on by itself.',
  cannotProve: 'real machines, their network and their watchdogs, and three etcd.',
}

type Mend = () => Machine

interface Fault {
  name: string
  /** How long nobody may buy, at most. */
  goalMs: number
  /** True if another machine has to become the primary. */
  moves: boolean
  /** @returns what mends the machine that was struck, when buyers buy again */
  strike(cluster: Cluster, leader: Machine): Promise<Mend | void> | Mend | void
}

const FAULTS: readonly Fault[] = [
  {
    name: 'machine of the primary dies',
    goalMs: 25_000,
    moves: true,
    strike(_, leader) {
      leader.kill()
      return () => leader.start()
    },
  },
  { name: 'engine of the primary dies', goalMs: 5_000, moves: false, strike: (_, leader) => leader.killEngine() },
  {
    // Patroni looks every second. Then the other standby has to say within a second what it has
    name: 'machine of the synchronous standby dies',
    goalMs: 2_000,
    moves: false,
    async strike(cluster) {
      const standby = await cluster.synchronous()
      standby.kill()
      return () => standby.start()
    },
  },
  { name: 'planned switchover', goalMs: 10_000, moves: true, strike: (cluster) => cluster.switchOver() },
  {
    name: 'Patroni of the primary stands still',
    goalMs: 25_000,
    moves: true,
    strike(_, leader) {
      leader.holdPatroni()
      return () => leader.start()
    },
  },
  {
    name: 'network of the primary is cut',
    goalMs: 25_000,
    moves: true,
    strike(_, leader) {
      leader.cut(true)
      return () => leader.cut(false)
    },
  },
]

export async function underPatroni({ quick, count, directories, say }: DrillOptions): Promise<Finding> {
  const missing = whatIsMissing()
  if (missing !== undefined) return { passed: true, skipped: true, figures: [missing], ...ABOUT }
  const cluster = await startCluster(newDirectory(directories))
  say('three databases under Patroni run')
  const servers = cluster.machines.map(({ name, address }) => ({ name, address: `${address}:5432` }))
  const front = await openHaproxy('haproxy-patroni.cfg', servers, directories, WITHOUT_TLS)
  // Before its first look haproxy takes all of them for the primary
  const upCount = async () => (await Promise.all(servers.map(({ name }) => front.isUp(name)))).filter(Boolean).length
  while ((await upCount()) !== 1) await sleep(100)
  const dataDir = newDirectory(directories)
  const urls = [cluster.databaseUrl, `postgres://chaabi:third-password@127.0.0.1:${front.port}/chaabi`]
  const sellers = []
  for (const databaseUrl of urls) sellers.push(await openSeller(databaseUrl, cluster, dataDir, directories))
  await sleep(SETTLE_MS)
  const results = []
  for (let round = 0; round < (count ?? 1); round++)
    for (const fault of quick ? FAULTS.slice(1, 2) : FAULTS) {
      const result = await strike(fault, cluster, sellers)
      say(result.words)
      results.push({ ...result, inTime: result.pauseMs <= within(fault.goalMs, { quick }) })
    }
  const figures = results.map(({ words }) => words)
  let passed = results.every(({ inTime, backMs }) => inTime && backMs <= WHOLE_MS_MAX)
  const began = performance.now()
  await cluster.backUp('backup', '--type=full')
  figures.push(`pgBackRest made a full backup in ${inS(performance.now() - began)}, and every log file is archived`)
  for (const seller of sellers) {
    const { kept, words } = await seller.close()
    passed &&= kept
    figures.push(...words)
  }
  return { passed, figures, ...ABOUT }
}

interface Seller {
  crowd: Crowd
  close(): Promise<{ kept: boolean; words: string[] }>
}

async function openSeller(
  databaseUrl: string,
  cluster: Cluster,
  dataDir: string,
  directories: string[],
): Promise<Seller> {
  const store = await startStore({ dataDir, databaseUrl })
  const db = openDatabase({ connection: await cluster.primaryUrl(), poolSize: 2 })
  const settings = { buyers: BUYERS_EACH, keys: 60_000, balancePaise: 100_000_000 }
  const shop = await seedShop(db, await store.sealer(), settings)
  await db.close()
  const crowd = startCrowd({ port: store.port, ...shop, again: true, pauseMs: 50 }, directories)
  return {
    crowd,
    async close() {
      const report = await crowd.stop()
      const books = openDatabase({
        connection: await cluster.primaryUrl(),
        poolSize: 2,
        connectTimeoutMs: CONNECT_MS_MAX,
      })
      const found = await compare(books, crowd.acknowledgedFile, shop)
      await books.close()
      const lived = store.alive
      await store.stop()
      const way = databaseUrl.includes(',') ? 'all servers in DATABASE_URL' : 'haproxy before the databases'
      const words = [
        `${way}: ${inWords(found)}; the store's process ${lived ? 'lived on' : 'DIED'}`,
        answersInWords(report),
      ]
      return { kept: holds(found) && failuresOf(report) === 0 && lived, words }
    },
  }
}

const inS = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

async function strike(
  { name, goalMs, moves, strike: hit }: Fault,
  cluster: Cluster,
  sellers: readonly Seller[],
): Promise<{ pauseMs: number; backMs: number; words: string }> {
  const leader = await cluster.leader()
  if (!leader) throw new Error('There is no primary')
  const pauses = sellers.map(({ crowd }) => watchPause(crowd))
  const mend = await hit(cluster, leader)
  if (moves) while ((await cluster.leader())?.name === leader.name) await sleep(200)
  await sleep(SETTLE_MS)
  await Promise.all(pauses.map((pause) => pause.sellsAgain()))
  const began = performance.now()
  const mended = mend?.()
  if (mended) await cluster.untilFollows(mended)
  await cluster.untilWhole()
  const backMs = performance.now() - began
  await sleep(SETTLE_MS)
  const each = pauses.map((pause) => pause.end())
  const pauseMs = Math.max(...each)
  const back = mend ? `, back as a standby ${inS(backMs)} after it was mended` : ''
  const words = `${name}: no purchase for ${each.map(inS).join(' and ')} (goal ${inS(goalMs)})${back}`
  return { pauseMs, backMs, words }
}

/** Measures the longest time without a purchase. */
function watchPause({ acknowledgedFile }: Crowd): { sellsAgain(): Promise<void>; end(): number } {
  const sold = () => statSync(acknowledgedFile).size
  let [size, since, longest] = [sold(), performance.now(), 0]
  const look = () => {
    longest = Math.max(longest, performance.now() - since)
    if (sold() === size) return
    size = sold()
    since = performance.now()
  }
  const timer = setInterval(look, 20)
  return {
    async sellsAgain() {
      const before = sold()
      while (sold() === before) await sleep(50)
    },
    end() {
      look()
      clearInterval(timer)
      return longest
    },
  }
}
