/** Kills all processes of the database with kill -9, under load. The server restarts it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { answersInWords, inWords } from './crowd.ts'
import { ms, percentile, within, type Drill } from './drill.ts'
import { send } from './send.ts'
import { underPurchases } from './under-purchases.ts'

const BUYERS = 32
const SERVING_MS_MAX = 5_000

export const drill: Drill = async ({ quick, directories }) => {
  const kills = quick ? 1 : 10
  const shop = { buyers: BUYERS }
  const {
    result: backMs,
    report,
    found,
    isWhole,
    lived,
  } = await underPurchases({ directories, shop }, async (store) => {
    await sleep(1_000)
    const backMs: number[] = []
    for (let n = 0; n < kills; n++) {
      await sleep(500 + Math.random() * 1_000)
      const killedAt = performance.now()
      for (const each of store.postgresPids()) process.kill(each, 'SIGKILL')
      await untilUnhealthy(store.port)
      await store.untilHealthy()
      backMs.push(performance.now() - killedAt)
    }
    await sleep(500)
    return backMs
  })
  const worst = Math.max(...backMs)
  return {
    passed:
      isWhole &&
      report.unavailable > 0 &&
      lived &&
      worst <= within(SERVING_MS_MAX, { quick }) &&
      report.acknowledged > (quick ? 10 : 100),
    figures: [
      `${kills} kills of the whole database under ${BUYERS} buyers: ${inWords(found)}`,
      answersInWords(report),
      `the server process ${lived ? 'lived on' : 'DIED'}; serving again, counted from the kill, after ` +
        `${ms(percentile(backMs, 0.5))} (median), ${ms(worst)} (worst)`,
    ],
    proved:
      'the store outlives its database, says 503 with Retry-After meanwhile, brings it back by itself and keeps ' +
      'what it acknowledged.',
    cannotProve:
      'a power cut, for the kernel still writes what a killed database had handed it; fsync is on, and `npm run ' +
      'doctor` says so.',
  }
}

/** Waits for an unhealthy answer, or for a while, because a restart can be quicker than the check. */
async function untilUnhealthy(port: number): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const answer = await send({ port, method: 'GET', path: '/api/health', timeoutMs: 3_000 }).catch(() => undefined)
    if (answer?.status !== 200) return
    await sleep(10)
  }
}
