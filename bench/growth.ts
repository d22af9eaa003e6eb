/**
 * Measures if the store slows down as it grows: the p95 of what buyers do, in a large store and in one with 1 % of its
 * users and 0.1 % of its keys, on one engine and in turns. The buyers who ask have 1,000 lines of history in the
 * large one.
 *
 * `--users 100000 --keys 1000000 --payments 1000000` takes minutes to seed; lists of the admin panel: bench lists.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import type { Load } from './http-load.ts'
import type { Bench } from './report.ts'
import { checkpoint, end, expectOnly, makeLargeStore, startNode, urlOf } from './running-store.ts'
import { buyerCookie, seedBuyers, seedHistories, seedCatalogue, purchase } from './seed.ts'
import { vacuumSeeded, type SeedSizes } from '../test/worlds/year.ts'

const BUYERS = 100
const PRODUCTS = 20
/** Both stores fill a page of the history and have as many keys a buyer, so their answers have one size. */
const HISTORY_LINES = { small: 50, large: 1_000 }
const KEYS_EACH = 20
/** A modest, equal pace: at full speed the p95 would be a queue's. */
const PACE = { connections: 8, everyMs: 25 }

const PURCHASES = Array.from({ length: BUYERS }, (_, n) => purchase(n, n % PRODUCTS))
const ASKED: { what: string; requests: Load['requests'] }[] = [
  ...['/api/products', '/api/auth/me', '/api/auth/balance-history?limit=50', '/api/keys/user'].map((at) => ({
    what: `GET ${at.slice('/api'.length)}`,
    requests: Array.from({ length: BUYERS }, (_, n) => ({ method: 'GET', path: at, cookie: buyerCookie(n) })),
  })),
  // Last, for they make what is read above longer
  { what: 'purchase', requests: PURCHASES },
]

export const bench: Bench = {
  title: 'Growth',
  seconds: 1.5,
  own: ['users', 'keys', 'payments'],
  async measure({ runs, seconds, own }, report) {
    const large = {
      users: Number(own.users ?? 10_000),
      keys: Number(own.keys ?? 150_000),
      payments: Number(own.payments ?? 100_000),
    }
    const payments = Math.max(100, Math.ceil(large.payments / 1_000))
    const small = {
      users: Math.max(50, Math.ceil(large.users / 100)),
      keys: Math.max(payments, Math.ceil(large.keys / 1_000)),
      payments,
    }
    const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-bench-'))
    const engine = await startEmbeddedPostgres({ dataDir: path.join(directory, 'postgres'), log: () => {} })
    const nodes: Awaited<ReturnType<typeof startNode>>[] = []
    try {
      for (const [database, sizes, lines] of [
        ['bench_small', small, HISTORY_LINES.small],
        ['bench_large', large, HISTORY_LINES.large],
      ] as const) {
        const connection = { host: engine.host, port: engine.port, user: engine.user, database }
        await seed(connection, sizes, lines)
        nodes.push(await startNode({ DATA_DIR: path.join(directory, database), DATABASE_URL: urlOf(connection) }))
      }
      for (const node of nodes)
        await node.load({ ...PACE, everyMs: 0, forMs: 60_000, requests: PURCHASES, count: BUYERS * KEYS_EACH })
      report.note(`Small: ${JSON.stringify(small)}, large: ${JSON.stringify(large)}.`)
      for (const { what, requests } of ASKED) {
        const p95s: number[][] = nodes.map(() => [])
        const p50s: number[][] = nodes.map(() => [])
        for (let run = 0; run <= runs; run++)
          for (const [index, node] of nodes.entries()) {
            const result = await node.load({ ...PACE, forMs: seconds * 1_000, requests })
            expectOnly('200', result)
            // The first run of each warms up
            if (run === 0) continue
            p95s[index]?.push(result.p95)
            p50s[index]?.push(result.p50)
          }
        const [before, after] = p95s
        report.add({
          what: `p95, ${what}`,
          unit: 'ms',
          values: after ?? [],
          yardstick: { what: 'small store', values: before ?? [] },
          goal: { atMost: 1.3 },
        })
        // One stall of the machine in a turn decides its p95, but not its middle
        report.add({
          what: `middle, ${what}`,
          unit: 'ms',
          values: p50s[1] ?? [],
          yardstick: { what: 'small store', values: p50s[0] ?? [] },
        })
      }
    } finally {
      await Promise.all(nodes.map(({ child }) => end(child)))
      await engine.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
}

async function seed(
  connection: { host: string; port: number; user: string; database: string },
  sizes: SeedSizes,
  lines: number,
): Promise<void> {
  const db = await makeLargeStore(connection, sizes)
  await seedBuyers(db, BUYERS)
  await seedCatalogue(db, { from: 0, count: PRODUCTS, stock: 500 })
  await seedHistories(db, BUYERS, lines)
  await vacuumSeeded(connection)
  await checkpoint(db)
  await db.close()
}
