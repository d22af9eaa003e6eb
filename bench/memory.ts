/** Resident memory of the server process: after its start, and at most while buyers buy as fast as they can. */
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '../drills/process-figures.ts'
import type { Bench } from './report.ts'
import { expectOnly, highestMbWhile, startBenchStore } from './running-store.ts'
import { seedBuyers, seedCatalogue, purchase } from './seed.ts'

const BUYERS = 500
const PRODUCTS = 20
const SETTLED_MS = 3_000

export const bench: Bench = {
  title: 'Memory of the server process',
  seconds: 8,
  async measure({ runs, seconds }, report) {
    const idle: number[] = []
    const loaded: number[] = []
    for (let run = 0; run < runs; run++) {
      const store = await startBenchStore(async (db) => {
        await seedBuyers(db, BUYERS)
        await seedCatalogue(db, { from: 0, count: PRODUCTS, stock: Math.ceil((seconds * 4_000) / PRODUCTS) })
      })
      try {
        await sleep(SETTLED_MS)
        idle.push(residentMb(store.pid))
        const load = store.load({
          connections: 32,
          everyMs: 0,
          forMs: seconds * 1_000,
          requests: Array.from({ length: BUYERS }, (_, n) => purchase(n, n % PRODUCTS)),
        })
        loaded.push(await highestMbWhile(store.pid, load))
        expectOnly('200', await load)
      } finally {
        await store.stop()
      }
    }
    report.add({ what: 'idle', unit: 'MB', values: idle, goal: { atMost: 120 } })
    report.add({ what: 'under the purchase load', unit: 'MB', values: loaded, goal: { atMost: 220 } })
  },
}
