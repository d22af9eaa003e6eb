/** Ten thousand open pages, and a hundred purchases a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runApart } from './crowd.ts'
import { newDirectory, ms, within, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import type { ListenersOptions, ListenersReport } from './listeners.ts'
import { residentMb } from './process-figures.ts'
import { startStore } from './store-process.ts'

const P99_MS_MAX = 300
const PURCHASES_PER_S = 100
const SAMPLE_INTERVAL_MS = 2_000
const LAST_MS = 60_000
const SLOPE_MB_PER_MINUTE_MAX = 20

export const drill: Drill = async ({ quick, say, directories }) => {
  const streams = quick ? 2_000 : 10_000
  const forMs = quick ? 20_000 : 150_000
  const store = await startStore({ directories })
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers: streams, keys: 20_000, balancePaise: 1_000_000 })
  await db.close()
  const options = { port: store.port, ...shop, purchasesPerS: PURCHASES_PER_S, forMs }
  const directory = newDirectory(directories)
  const { child, ended } = runApart<ListenersReport>('listeners', options satisfies ListenersOptions, directory)
  const memory: { atMs: number; mb: number }[] = []
  const began = performance.now()
  while (child.exitCode === null && child.signalCode === null) {
    memory.push({ atMs: performance.now() - began, mb: residentMb(store.pid) })
    await Promise.race([sleep(SAMPLE_INTERVAL_MS), ended])
  }
  const report = await ended
  say('the pages are closed')
  await store.stop()
  // Measures only the end, because garbage from opening 10,000 pages is collected after a minute or so
  const lastMs = Math.min(LAST_MS, forMs / 2)
  const last = memory.slice(0, -1).filter(({ atMs }, _, all) => atMs >= (all.at(-1)?.atMs ?? 0) - lastMs)
  const slope = slopeOf(last) * 60_000
  const expected = (PURCHASES_PER_S * forMs) / 1_000
  return {
    passed:
      report.opened === streams &&
      report.broken === 0 &&
      report.deaf === 0 &&
      report.bought >= expected * 0.95 &&
      report.failedPurchases === 0 &&
      report.own.missing === 0 &&
      report.own.p99 < within(P99_MS_MAX, { quick }) &&
      report.spread.p99 < within(P99_MS_MAX, { quick }) &&
      slope < SLOPE_MB_PER_MINUTE_MAX,
    figures: [
      `${report.opened} of ${streams} streams (opened in ${ms(report.openMs)}), broken ${report.broken}, deaf to ` +
        `the news for everyone ${report.deaf}; ${report.bought} purchases in ${forMs / 1_000} s, failed ` +
        `${report.failedPurchases}, p99 ${ms(report.buyP99Ms)}`,
      `a buyer's own event after the answer: p50 ${ms(report.own.p50)}, p99 ${ms(report.own.p99)}, longest ` +
        `${ms(report.own.max)}, missing ${report.own.missing}`,
      `news for everyone, from the first page to each other: p50 ${ms(report.spread.p50)}, p99 ` +
        `${ms(report.spread.p99)} (${report.spread.deliveries} deliveries; gathered for ${ms(streams / 10)} before)`,
      `memory ${Math.round(memory.at(-2)?.mb ?? 0)} MB at the end, slope ${slope.toFixed(1)} MB a minute in the ` +
        `last ${lastMs / 1_000} s`,
    ],
    proved: 'one process tells this many pages what happened while it sells.',
    cannotProve: 'slow networks between page and store, and hours: the run is short, and buyers share the cores.',
  }
}

/** Returns the slope of the straight line through the points, by least squares. */
function slopeOf(points: readonly { atMs: number; mb: number }[]): number {
  const meanAt = points.reduce((sum, point) => sum + point.atMs, 0) / points.length
  const meanMb = points.reduce((sum, point) => sum + point.mb, 0) / points.length
  const above = points.reduce((sum, point) => sum + (point.atMs - meanAt) * (point.mb - meanMb), 0)
  const below = points.reduce((sum, point) => sum + (point.atMs - meanAt) ** 2, 0)
  return below === 0 ? 0 : above / below
}
