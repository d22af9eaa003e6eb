/** Someone locks a table that every call needs: all connections wait, and callers must not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../server/platform/database/database.ts'
import { answersInWords, inWords } from './crowd.ts'
import { ms, within, type Drill } from './drill.ts'
import { underPurchases } from './under-purchases.ts'

const LOCKED_MS = 6_000
/** Waiting for a connection (1.2 s) and then for a lock (1.5 s) can come together. */
const ANSWER_MS_MAX = 3_000
const TOLERANCE_MS = 300
const RECOVERY_MS_MAX = 2_000

export const drill: Drill = async ({ quick, directories }) => {
  const shop = { buyers: 200, keys: 40_000 }
  const crowd = { pauseMs: 100 }
  const {
    result: recoveredMs,
    report,
    found,
    isWhole,
  } = await underPurchases({ directories, shop, crowd }, async (store) => {
    await sleep(1_500)
    const db = store.database()
    await db.transaction(async (tx) => {
      await tx.run(sql`lock table user_sessions in access exclusive mode`)
      await sleep(quick ? LOCKED_MS / 2 : LOCKED_MS)
    })
    await db.close()
    const recoveredMs = await store.untilHealthy()
    await sleep(1_000)
    return recoveredMs
  })
  return {
    passed:
      isWhole &&
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
