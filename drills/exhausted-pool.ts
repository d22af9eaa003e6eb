/** Someone locks a table that every call needs: all connections wait, and callers must not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../server/platform/database/database.ts'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { ms, within, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { startStore } from './store-process.ts'

const LOCKED_MS = 6_000
/** Waiting for a connection (1.2 s) and then for a lock (1.5 s) can come together. */
const ANSWER_MS_MAX = 3_000
const TOLERANCE_MS = 300
const RECOVERY_MS_MAX = 2_000

export const drill: Drill = async ({ quick, directories }) => {
  const store = await startStore()
  directories.push(store.dataDir)
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers: 200, keys: 40_000, balancePaise: 100_000_000 })
  const crowd = startCrowd({ port: store.port, ...shop, again: true, pauseMs: 100 }, directories)
  await sleep(1_500)
  await db.transaction(async (tx) => {
    await tx.run(sql`lock table user_sessions in access exclusive mode`)
    await sleep(quick ? LOCKED_MS / 2 : LOCKED_MS)
  })
  const recoveredMs = await store.untilHealthy()
  await sleep(1_000)
  const report = await crowd.stop()
  const found = await compare(db, crowd.acknowledgedFile, shop)
  await db.close()
  await store.stop()
  return {
    passed:
      holds(found) &&
      failuresOf(report) === 0 &&
      report.cutOff === 0 &&
      report.unavailable > 0 &&
      report.longestUnavailableMs <= ANSWER_MS_MAX + TOLERANCE_MS &&
      recoveredMs <= within(RECOVERY_MS_MAX, { quick }),
    figures: [
      `200 buyers, a table locked for ${(quick ? LOCKED_MS / 2 : LOCKED_MS) / 1_000} s: ${inWords(found)}`,
      answersInWords(report),
      `healthy ${ms(recoveredMs)} after the lock went`,
    ],
    proved: 'when every connection is taken, callers hear 503 with Retry-After within 3 s, and nothing is lost.',
    cannotProve:
      'that no statement of the store ever holds such a lock; migrations take theirs before the store listens.',
  }
}
