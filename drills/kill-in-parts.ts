/** Nodes that are killed again and again in the middle of one job. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Database } from '../server/platform/database/database.ts'
import type { StoreProcess } from './store-process.ts'

export const SETTLED_MS_MAX = 180_000

/** Lets the job have its turn now. One that has just begun may be at work. */
export const runNow = (db: Database, job: string): Promise<number> =>
  db.run(sql`update jobs set next_at = now() where name = ${job} and started_at < now() - interval '8 seconds'`)

interface Work {
  job: string
  count: number
  /** A node is killed after each of so many parts of the work, or seldomer where it is fast. */
  parts: number
  openNow(): Promise<number>
}

/** Lets the job run until nothing is open, and kills the node that works, in each part. */
export async function killInParts(db: Database, nodes: readonly StoreProcess[], { job, count, parts, openNow }: Work) {
  const part = Math.ceil(count / parts)
  let [kills, next] = [0, count - part]
  for (const since = performance.now(); ; await sleep(5)) {
    const open = await openNow()
    if (open === 0 || performance.now() - since > SETTLED_MS_MAX) return { kills, open }
    if (open > next) {
      await runNow(db, job)
      continue
    }
    next = open - part
    await sleep(randomInt(10))
    // Which node works is not known
    await Promise.all(nodes.map((node) => node.kill()))
    for (const node of nodes) node.start()
    await Promise.all(nodes.map((node) => node.untilHealthy()))
    kills += 1
    await db.run(sql`update jobs set next_at = now() where name = ${job}`)
  }
}
