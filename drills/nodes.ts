/** Many nodes on one database sell one product, `--count 8` of them, at up to 1,000 purchases a second. */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Database } from '../server/platform/database/database.ts'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import type { Drill } from './drill.ts'
import { seedShop, type DrillShop } from './seed.ts'
import { send } from './send.ts'
import { startNodes } from './store-process.ts'

/** With this pause they order 1,000 times a second, if an answer takes 50 ms. */
const BUYERS = 400
const PAUSE_MS = 350
const P99_MS_MAX = 100
/** With fewer the times say nothing about eight nodes. */
const CORES_MIN = 8
const ASKED_BUYERS = 20

export const drill: Drill = async ({ quick, count = 8, directories }) => {
  const seconds = quick ? 5 : 30
  const { first, nodes, stop } = await startNodes({ directories, count, settings: { max_connections: '500' } })
  const db = first.database()
  const shop = await seedShop(db, await first.sealer(), { buyers: BUYERS, keys: 60_000, balancePaise: 100_000_000 })
  const ports = nodes.map(({ port }) => port)
  const crowd = startCrowd({ port: first.port, ports, ...shop, again: false, pauseMs: PAUSE_MS }, directories)
  const collisions = await watchCollisions(db, seconds)
  const report = await crowd.stop()
  const found = await compare(db, crowd.acknowledgedFile, shop)
  const disagreements = await countDisagreements(ports, shop)
  const deadlocks = await db.count(sql`select deadlocks from pg_stat_database where datname = current_database()`)
  await db.close()
  await stop()
  const isJudged = availableParallelism() >= CORES_MIN && !quick
  const isRight = holds(found) && failuresOf(report) === 0 && deadlocks === 0 && disagreements === 0
  return {
    passed: isRight && (!isJudged || report.p99Ms <= P99_MS_MAX),
    figures: [
      `${count} nodes sold one product ${Math.round(report.acknowledged / seconds)} times a second to ${BUYERS} ` +
        `buyers for ${seconds} s; deadlocks ${deadlocks}, disagreements ${disagreements}; ${inWords(found)}`,
      answersInWords(report),
      `writers that waited for a row of another: ${collisions.toFixed(2)} at any moment, of ${count * 6}` +
        (isJudged ? '' : `; the times are not judged on ${availableParallelism()} cores`),
    ],
    proved: 'many nodes sell the same product without a deadlock, and none of them shows other books.',
    cannotProve: 'the speed of eight nodes on fewer than eight cores, and a network between them and the database.',
  }
}

/** @returns how many sessions waited for a lock, in the mean of all looks */
async function watchCollisions(db: Database, seconds: number): Promise<number> {
  let [looks, waited] = [0, 0]
  for (const since = performance.now(); performance.now() - since < seconds * 1_000; await sleep(100)) {
    const waiting = await db.count(sql`
      select count(*) from pg_stat_activity
       where application_name = 'chaabi' and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`)
    looks++
    waited += waiting
  }
  return waited / Math.max(1, looks)
}

/** Asks every node for the same pages. */
async function countDisagreements(ports: readonly number[], { buyers }: DrillShop): Promise<number> {
  let disagreements = 0
  for (const { cookie } of buyers.slice(0, ASKED_BUYERS))
    for (const page of ['/api/products', '/api/auth/me', '/api/auth/balance-history?limit=50']) {
      const answers = await Promise.all(ports.map((port) => send({ port, method: 'GET', path: page, cookie })))
      disagreements += new Set(answers.map(({ text }) => text)).size - 1
    }
  return disagreements
}
