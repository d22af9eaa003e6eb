/** Two server processes on one database: what they sell together, and whether they ever disagree. */
import { availableParallelism } from 'node:os'
import type { Bench } from './report.ts'
import { expectOnly, startBenchStore, type BenchNode } from './running-store.ts'
import { buyerCookie, seedBuyers, seedCatalogue, purchase } from './seed.ts'

const BUYERS = 500
const PRODUCTS = 20
const CLIENTS = 32
/** Two servers, the engine and the clients want a core each before more servers can sell more. */
const CORES_MIN = 4

export const bench: Bench = {
  title: 'Two server processes on one database',
  seconds: 4,
  async measure({ runs, seconds }, report) {
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, BUYERS)
      await seedCatalogue(db, {
        from: 0,
        count: PRODUCTS,
        stock: Math.ceil((seconds * (runs + 1) * 9_000) / PRODUCTS),
      })
    })
    try {
      const second = await store.addNode()
      const sell = async (nodes: BenchNode[]) => {
        const results = await Promise.all(
          nodes.map((node) =>
            node.load({
              connections: CLIENTS / nodes.length,
              everyMs: 0,
              forMs: seconds * 1_000,
              requests: Array.from({ length: BUYERS }, (_, n) => purchase(n, n % PRODUCTS)),
            }),
          ),
        )
        for (const result of results) expectOnly('200', result)
        return results.reduce((sum, result) => sum + result.perSecond, 0)
      }
      const one: number[] = []
      const two: number[] = []
      await sell([store, second])
      for (let run = 0; run < runs; run++) {
        one.push(await sell([store]))
        two.push(await sell([store, second]))
        await refuseDisagreement(store, second)
      }
      const cores = availableParallelism()
      report.add({
        what: `purchases through two processes, ${CLIENTS} clients in all`,
        unit: '/s',
        values: two,
        yardstick: { what: 'through one', values: one },
        ...(cores >= CORES_MIN ? { goal: { atLeast: 1.5 } } : {}),
      })
      if (cores < CORES_MIN)
        report.note(`Not judged: ${cores} cores are too few for two servers, the engine and the clients.`)
      report.note('Both processes gave the same shop, accounts and histories after each run.')
    } finally {
      await store.stop()
    }
  },
}

async function refuseDisagreement(one: BenchNode, other: BenchNode): Promise<void> {
  const asked: [string, string][] = [['/api/products', '']]
  for (let n = 0; n < 20; n++)
    asked.push(['/api/auth/me', buyerCookie(n)], ['/api/auth/balance-history?limit=50', buyerCookie(n)])
  for (const [at, cookie] of asked) {
    const [here, there] = await Promise.all([one.get(at, cookie), other.get(at, cookie)])
    if (here !== there) throw new Error(`Two processes disagree about ${at}: ${here} and ${there}`)
  }
}
