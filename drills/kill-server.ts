/** kill -9 of the server in the middle of purchases, again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { answersInWords, inWords } from './crowd.ts'
import { ms, percentile, within, type Drill } from './drill.ts'
import { underPurchases } from './under-purchases.ts'

const BUYERS = 32
const HEALTHY_MS_MAX = 2_000

export const drill: Drill = async ({ quick, say, directories }) => {
  const kills = quick ? 2 : 20
  const shop = { buyers: BUYERS }
  const {
    result: backMs,
    report,
    found,
    isWhole,
  } = await underPurchases({ directories, shop }, async (store) => {
    await sleep(1_000)
    const backMs: number[] = []
    for (let n = 0; n < kills; n++) {
      await sleep(300 + Math.random() * 1_200)
      await store.kill()
      store.start()
      backMs.push(await store.untilHealthy())
    }
    await sleep(500)
    say('the last orders come to their answers')
    return backMs
  })
  const worst = Math.max(...backMs)
  return {
    passed:
      isWhole &&
      // A kill that cut nobody off proves nothing
      report.cutOff > 0 &&
      worst <= within(HEALTHY_MS_MAX, { quick }) &&
      report.acknowledged > (quick ? 10 : 100),
    figures: [
      `${kills} kills under ${BUYERS} buyers: ${inWords(found)}`,
      answersInWords(report),
      `healthy again after ${ms(percentile(backMs, 0.5))} (median), ` +
        `${ms(worst)} (worst), counted from the new start`,
    ],
    proved:
      'what a buyer was told is kept and charged once when the process dies at any moment, and the store comes ' +
      'back by itself.',
    cannotProve: 'a power cut, for the kernel still writes what a killed process had handed it.',
  }
}
