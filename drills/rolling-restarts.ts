/** Two nodes behind a front are restarted in turn, under buyers who never try again. Once for each front. */
import { setTimeout as sleep } from 'node:timers/promises'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { ms, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { fronts, NO_FRONT } from './front.ts'
import { startNodes, type StoreProcess } from './store-process.ts'

/** A stopping node still answers this long, which is longer than the front needs to notice. */
const DRAIN_MS = 1_000

const ABOUT = {
  proved:
    'a node that ends answers what it has, takes what still comes, and sends its callers elsewhere: an update ' +
    'costs nobody a request.',
  cannotProve:
    'a front that takes longer to notice than DRAIN_MS, and a migration that old and new program disagree about.',
}

export const drill: Drill = async ({ quick, count, directories }) => {
  if (fronts().length === 0) return { passed: true, skipped: true, figures: [NO_FRONT], ...ABOUT }
  const restarts = count ?? (quick ? 2 : 20)
  const { nodes, stop } = await startNodes({ directories, environment: { DRAIN_MS: String(DRAIN_MS) } })
  const rounds = []
  for (const open of quick ? fronts().slice(0, 1) : fronts())
    rounds.push(await restartBehind(open, nodes, { restarts, directories }))
  await stop()
  return {
    passed: rounds.every(({ passed }) => passed),
    figures: rounds.flatMap(({ figures }) => figures),
    ...ABOUT,
  }
}

async function restartBehind(
  open: ReturnType<typeof fronts>[number],
  nodes: readonly [StoreProcess, ...StoreProcess[]],
  { restarts, directories }: { restarts: number; directories: string[] },
): Promise<{ passed: boolean; figures: string[] }> {
  const [first] = nodes
  const db = first.database()
  const shop = await seedShop(db, await first.sealer(), { buyers: 24, keys: 40_000, balancePaise: 100_000_000 })
  const front = await open(
    nodes.map((node) => node.port),
    directories,
  )
  const crowd = startCrowd({ port: front.port, ...shop, again: false, pauseMs: 30 }, directories)
  await sleep(1_500)

  const stopMs: number[] = []
  let badExits = 0
  for (let n = 0; n < restarts; n++) {
    const node = nodes[n % 2]
    if (!node) break
    const { code, tookMs } = await node.stop()
    if (code !== 0) badExits++
    stopMs.push(tookMs)
    node.start()
    await node.untilHealthy()
    while (!(await front.isHealthy(node.port))) await sleep(20)
  }
  const report = await crowd.stop()
  await front.close()
  const found = await compare(db, crowd.acknowledgedFile, shop)
  await db.close()
  // Counts every request that was cut off or got 503 as failed, because buyers here never try again
  const failed = failuresOf(report)
  return {
    passed: holds(found) && failed === 0 && badExits === 0 && report.acknowledged > restarts * 5,
    figures: [
      `${restarts} rolling restarts of two nodes behind ${front.name}: failed requests ${failed} of ` +
        `${report.sent}; ${inWords(found)}`,
      answersInWords(report),
      `a node was gone ${ms(Math.max(...stopMs))} after SIGTERM at most (it answers for ${DRAIN_MS} ms of ` +
        `these), exit codes other than 0: ${badExits}`,
    ],
  }
}
