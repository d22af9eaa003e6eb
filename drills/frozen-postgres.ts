/** The database stands still for four seconds (SIGSTOP), and then loses all its connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../server/platform/database/database.ts'
import { answersInWords, compare, countOpen, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { ms, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { send } from './send.ts'
import { startStore } from './store-process.ts'

const FROZEN_MS = 4_000
/** Beside purchases: what pages ask for. */
const CALLS = ['/api/health', '/api/auth/me', '/api/products', '/api/auth/balance-history', '/api/settings/version']
const ANSWER_MS_MAX = 3_000
const RECOVERY_MS_MAX = 2_000
/** The time that the scheduler may add on a busy machine. */
const TOLERANCE_MS = 300

export const drill: Drill = async ({ quick, directories }) => {
  const rounds = quick ? 1 : 2
  const store = await startStore()
  directories.push(store.dataDir)
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers: 32, keys: 60_000, balancePaise: 100_000_000 })
  const crowd = startCrowd({ port: store.port, ...shop, again: true }, directories)
  await sleep(1_500)

  const recoveredMs: number[] = []
  let longestPollMs = 0
  for (let n = 0; n < rounds; n++) {
    const pids = store.postgresPids()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const thawAt = performance.now() + FROZEN_MS
    setTimeout(() => {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }, FROZEN_MS)
    while (performance.now() < thawAt) {
      await Promise.all(
        CALLS.map(async (path) => {
          const began = performance.now()
          const answer = await send({
            port: store.port,
            method: 'GET',
            path,
            cookie: shop.buyers[0]?.cookie ?? '',
          }).catch(() => undefined)
          // One that is answered after the thaw was on its way before the frost was found out
          if (answer?.status !== 200) longestPollMs = Math.max(longestPollMs, performance.now() - began)
        }),
      )
      await sleep(50)
    }
    await store.untilHealthy()
    recoveredMs.push(performance.now() - thawAt)
    await sleep(1_000)
  }
  const { cut } = await db.one(
    z.object({ cut: z.number() }),
    sql`
    select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
     where application_name = 'chaabi' and pid <> pg_backend_pid() and usename is not null`,
  )
  recoveredMs.push(await store.untilHealthy())
  await sleep(1_000)
  const report = await crowd.stop()
  await db.close()
  await sleep(500)

  const after = store.database()
  const found = await compare(after, crowd.acknowledgedFile, shop)
  const open = await countOpen(after)
  await after.close()
  await store.stop()
  const longest = Math.max(report.longestUnavailableMs, longestPollMs)
  return {
    passed:
      holds(found) &&
      failuresOf(report) === 0 &&
      report.cutOff === 0 &&
      report.unavailable > 0 &&
      open === 0 &&
      longest <= ANSWER_MS_MAX + TOLERANCE_MS &&
      Math.max(...recoveredMs) <= RECOVERY_MS_MAX,
    figures: [
      `frozen ${rounds} × ${FROZEN_MS / 1_000} s, then ${cut} connections cut: ${inWords(found)}`,
      answersInWords(report),
      `longest 503 or poll ${ms(longest)}, recovered after ${ms(Math.max(...recoveredMs))} at most, transactions ` +
        `left open ${open}`,
    ],
    proved:
      'a database that stands still or drops its connections costs 503s and never a purchase, and the pool heals ' +
      'by itself.',
    cannotProve: 'a network that loses packets one way; the sockets here are local.',
  }
}
