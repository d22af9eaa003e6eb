/**
 * Approvals by hand: one after the other, as an admin taps them, and eight at once. It uses nothing of the bank inbox,
 * so that it also runs in a checkout from before it, with this folder's files.
 */
import { seedRequests, type SeededRequest } from './bank-rows.ts'
import { callStore } from '../scripts/store-process.ts'
import type { Bench } from './report.ts'
import { expectOrder, startBenchStore, useLog } from './running-store.ts'
import { seedBuyers } from './seed.ts'

const BUYERS = 500
const AT_ONCE = 8
const FIRST = 500_000_000_000
/** More than any machine here approves in a second. */
const FASTEST_PER_SECOND = 1_500

export const bench: Bench = {
  title: 'Approvals by hand',
  seconds: 4,
  async measure({ runs, seconds }, report) {
    let pending: SeededRequest[] = []
    const count = Math.ceil(FASTEST_PER_SECOND * seconds * 2 * (runs + 1))
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, BUYERS)
      pending = await seedRequests(db, { count, buyers: BUYERS, from: FIRST, status: 'pending' })
      await useLog(db)
    })
    try {
      const cookie = await store.logInAdmin()
      const approve = async (clients: number, forMs: number) => {
        const times: number[] = []
        const until = performance.now() + forMs
        const tap = async () => {
          while (performance.now() < until) {
            const { id } = pending.pop() ?? { id: '' }
            const began = performance.now()
            await callStore(store, { method: 'PUT', path: `/payments/${id}/approve`, cookie })
            times.push(performance.now() - began)
          }
        }
        await Promise.all(Array.from({ length: clients }, tap))
        return {
          perSecond: (times.length * 1_000) / forMs,
          p50: times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0,
        }
      }
      const [alone, together, p50]: number[][] = [[], [], []]
      await approve(AT_ONCE, 1_000)
      for (let run = 0; run < runs; run++) {
        const one = await approve(1, (seconds * 1_000) / 2)
        alone?.push(one.perSecond)
        p50?.push(one.p50)
        together?.push((await approve(AT_ONCE, seconds * 1_000)).perSecond)
      }
      report.add({ what: 'one after the other', unit: '/s', values: alone ?? [] })
      report.add({ what: 'one after the other, p50', unit: 'ms', values: p50 ?? [] })
      report.add({ what: `${AT_ONCE} at once`, unit: '/s', values: together ?? [] })
      await expectOrder(store, report)
    } finally {
      await store.stop()
    }
  },
}
