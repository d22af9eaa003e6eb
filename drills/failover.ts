/**
 * The primary's machine dies again and again, and its standby takes over, while buyers buy. The store has both servers
 * in DATABASE_URL, and two nodes behind haproxy or Caddy. In every second failover the standby gets nothing for a while
 * before.
 *
 * `--control` makes the replication asynchronous. Then purchases must be lost, or the drill proves nothing.
 * `--patroni` lets Patroni decide, and `--count` repeats its faults.
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../server/platform/database/database.ts'
import { crash, cutReceiver, promote, startPrimary, startStandby, urlOf } from '../test/worlds/engine-pair.ts'
import type { PairedEngine } from '../test/worlds/engine-pair.ts'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { newDirectory, ms, percentile, within, type Drill, type DrillOptions, type Finding } from './drill.ts'
import { underPatroni } from './failover/patroni.ts'
import { seedShop } from './seed.ts'
import { fronts, NO_FRONT } from './front.ts'
import { watchReads } from './failover/watch-reads.ts'
import { endLater, startStore, type StoreProcess } from './store-process.ts'

const BUYERS = 32
const SELLING_MS_MAX = 2_000
const ANSWER_MS_MAX = 3_000
const CUT_OFF_MS = 800

export const drill: Drill = (options) => (options.patroni ? underPatroni(options) : pair(options))

async function pair({ quick, count, control, directories, say }: DrillOptions): Promise<Finding> {
  const about = {
    proved: control
      ? 'with asynchronous replication a failover loses purchases that buyers were told of, so the drill can fail.'
      : 'the store finds the new primary by itself, and with a synchronous standby no purchase is lost.',
    cannotProve: 'what decides that a standby takes over: two machines that both think so are for Patroni to prevent.',
  }
  const [openFront] = fronts()
  if (!openFront) return { passed: true, skipped: true, figures: [NO_FRONT], ...about }
  const kills = count ?? (control ? 3 : quick ? 2 : 20)
  const directory = newDirectory(directories)
  let primary = await startPrimary(path.join(directory, 'a/postgres'))
  let standby = await startStandby(primary, path.join(directory, 'b/postgres'), { synchronous: !control })
  endLater(async () => void (await Promise.allSettled([primary.stop(), standby.stop()])))
  const databaseUrl = urlOf(primary, standby)
  const nodes = [
    await startStore({ dataDir: directory, databaseUrl }),
    await startStore({ dataDir: directory, databaseUrl }),
  ]
  const [store] = nodes as [StoreProcess]
  const front = await openFront(
    nodes.map(({ port }) => port),
    directories,
  )
  say(`buyers come through ${front.name}`)
  const before = openDatabase({ connection: databaseUrl, poolSize: 2 })
  const shop = await seedShop(before, await store.sealer(), {
    buyers: BUYERS,
    keys: Math.max(120_000, kills * 4_000),
    balancePaise: 100_000_000,
  })
  await before.close()
  const crowd = startCrowd({ port: front.port, ...shop, again: true, pauseMs: kills > 20 ? 60 : 20 }, directories)
  const sold = () => statSync(crowd.acknowledgedFile).size
  const reads = watchReads(front.port)
  await sleep(1_000)

  const sellingMs: number[] = []
  for (let n = 0; n < kills; n++) {
    await sleep(500 + Math.random() * 1_000)
    if (control || n % 2 === 1) {
      await cutReceiver(standby)
      await sleep(CUT_OFF_MS)
    }
    await crash(primary)
    await promote(standby)
    const since = performance.now()
    for (const size = sold(); sold() === size && performance.now() - since < 60_000;) await sleep(10)
    sellingMs.push(performance.now() - since)
    if (n % 10 === 9) say(`${n + 1} of ${kills} failovers`)
    ;[primary, standby] = [standby, await follow(standby, primary, !control)]
  }
  await sleep(500)
  const read = await reads.stop()
  const report = await crowd.stop()
  const db = openDatabase({ connection: urlOf(primary), poolSize: 2 })
  const found = await compare(db, crowd.acknowledgedFile, shop)
  await db.close()
  const lived = nodes.every((node) => node.alive)
  await front.close()
  await Promise.all(nodes.map((node) => node.stop()))
  await Promise.all([primary.stop(), standby.stop()])
  const worst = Math.max(...sellingMs)
  const kept = holds(found) && failuresOf(report) === 0 && lived && read.lost === 0
  const inTime =
    worst <= within(SELLING_MS_MAX, { quick }) && report.longestUnavailableMs <= within(ANSWER_MS_MAX, { quick })
  return {
    passed: control ? found.lost > 0 : kept && inTime && report.unavailable > 0 && report.acknowledged > kills * 10,
    figures: [
      `${kills} failovers with ${control ? 'asynchronous' : 'synchronous'} replication under ${BUYERS} buyers: ` +
        inWords(found),
      answersInWords(report),
      `reads through ${front.name}: ${read.answered} answered, ${read.later} told to come again, ` +
        `lost ${read.lost}${read.example && ` (${read.example})`}`,
      `selling again ${ms(percentile(sellingMs, 0.5))} after the promotion (median), ${ms(worst)} (worst); ` +
        `the nodes ${lived ? 'lived on' : 'DIED'}`,
    ],
    ...about,
  }
}

/** The machine that died comes back as a standby of the new primary, under its old address. */
const follow = (primary: PairedEngine, { dataDir, address }: PairedEngine, synchronous: boolean) =>
  startStandby(primary, dataDir, { synchronous, address })
