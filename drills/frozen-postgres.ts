/** The database stands still for four seconds (SIGSTOP), and then loses all its connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../server/platform/database/database.ts'
import { answersInWords, inWords } from './crowd.ts'
import { ms, type Drill } from './drill.ts'
import { send } from './send.ts'
import type { StoreProcess } from './store-process.ts'
import { underPurchases } from './under-purchases.ts'

const FROZEN_MS = 4_000
/** Beside purchases: what pages ask for. */
const CALLS = ['/api/health', '/api/auth/me', '/api/products', '/api/auth/balance-history', '/api/settings/version']
const ANSWER_MS_MAX = 3_000
const RECOVERY_MS_MAX = 2_000
/** The time that the scheduler may add on a busy machine. */
const TOLERANCE_MS = 300

export const drill: Drill = async ({ quick, directories }) => {
  const rounds = quick ? 1 : 2
  const { result, report, found, isWhole, open } = await underPurchases(
    { directories, restMs: 500 },
    async (store, _, { buyers }) => {
      await sleep(1_500)
      return freeze(store, buyers[0]?.cookie ?? '', rounds)
    },
  )
  const { recoveredMs, longestPollMs, cut } = result
  const longest = Math.max(report.longestUnavailableMs, longestPollMs)
  return {
    passed:
      isWhole &&
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

/** Stops the database's processes, round by round, and then cuts its connections. */
async function freeze(store: StoreProcess, cookie: string, rounds: number) {
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
            cookie,
          }).catch(() => undefined)
          // Not 200: a call that was under way when the node found the database frozen is answered after the thaw
          if (answer?.status !== 200) longestPollMs = Math.max(longestPollMs, performance.now() - began)
        }),
      )
      await sleep(50)
    }
    await store.untilHealthy()
    recoveredMs.push(performance.now() - thawAt)
    await sleep(1_000)
  }
  const db = store.database()
  const cut = await db.count(sql`
    select count(pg_terminate_backend(pid)) from pg_stat_activity
     where application_name = 'chaabi' and pid <> pg_backend_pid() and usename is not null`)
  recoveredMs.push(await store.untilHealthy())
  await sleep(1_000)
  await db.close()
  return { recoveredMs, longestPollMs, cut }
}
