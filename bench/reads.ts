/**
 * The calls that pages make most: the store as visitors and buyers see it, the caller's own account and history, and
 * polls without news. Beside each, a bare Fastify server that sends the same bytes (bench/yardstick-server.ts).
 */
import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { Load } from './http-load.ts'
import type { Bench } from './report.ts'
import { end, expectOnly, runLoad, startBenchStore, type BenchStore } from './running-store.ts'
import { benchId, buyerCookie, seedBuyers, seedCatalogue, purchase } from './seed.ts'
import type { Yardstick } from './yardstick-server.ts'

const READERS = 100
const CONNECTIONS = 32
const PRODUCTS = 50

interface Read {
  what: string
  path: string
  signedIn: boolean
  /** Says what it has already, and learns that nothing is new. */
  poll?: true
  yardstick: 'memory' | 'row'
  goal: number
}

const READS: Read[] = [
  { what: 'GET /products, visitor', path: '/api/products', signedIn: false, yardstick: 'memory', goal: 0.7 },
  { what: 'GET /products, signed in', path: '/api/products', signedIn: true, yardstick: 'row', goal: 0.6 },
  { what: 'GET /auth/me', path: '/api/auth/me', signedIn: true, yardstick: 'row', goal: 0.6 },
  {
    what: 'GET /auth/balance-history?limit=50',
    path: '/api/auth/balance-history?limit=50',
    signedIn: true,
    yardstick: 'row',
    goal: 0.6,
  },
  { what: 'poll of /products, 304', path: '/api/products', signedIn: true, poll: true, yardstick: 'row', goal: 0.8 },
  { what: 'poll of /auth/me, 304', path: '/api/auth/me', signedIn: true, poll: true, yardstick: 'row', goal: 0.8 },
]

export const bench: Bench = {
  title: `Reads, ${PRODUCTS} products × 4 durations, ${READERS} buyers, ${CONNECTIONS} connections`,
  seconds: 1.5,
  async measure({ runs, seconds }, report) {
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, READERS)
      await seedCatalogue(db, { from: 0, count: PRODUCTS, stock: 500, durations: 4 })
    })
    let yardstick: { child: ChildProcess; port: number } | undefined
    try {
      await buyHistories(store)
      const bodies = await Promise.all(READS.map((read) => store.get(read.path, read.signedIn ? buyerCookie(1) : '')))
      const { port } = (yardstick = await startYardstick(store, bodies))
      const ask = async (at: number, requests: Load['requests'], status: string) => {
        const result = await runLoad({
          port: at,
          connections: CONNECTIONS,
          forMs: seconds * 1_000,
          everyMs: 0,
          requests,
        })
        expectOnly(status, result)
        return result.perSecond
      }
      for (const [n, read] of READS.entries()) {
        const values: number[] = []
        const beside: number[] = []
        const bare = [{ method: 'GET', path: `/${read.yardstick}/${n}` }]
        const measure = async () => ({
          bare: await ask(port, bare, '200'),
          read: read.poll ? await poll(store, read, seconds) : await ask(store.port, requestsOf(read), '200'),
        })
        // Neither has run this way before: what it takes until it is compiled is not what is asked here
        await measure()
        for (let run = 0; run < runs; run++) {
          const result = await measure()
          beside.push(result.bare)
          values.push(result.read)
        }
        report.add({
          what: `${read.what} (${((bodies[n]?.length ?? 0) / 1024).toFixed(1)} kB)`,
          unit: '/s',
          values,
          yardstick: {
            what: read.yardstick === 'memory' ? 'bare Fastify from memory' : 'bare Fastify and one row',
            values: beside,
          },
          goal: { atLeast: read.goal },
        })
      }
    } finally {
      if (yardstick) await end(yardstick.child)
      await store.stop()
    }
  },
}

const requestsOf = ({ path: at, signedIn }: Read): Load['requests'] =>
  Array.from({ length: signedIn ? READERS : 1 }, (_, n) => ({
    method: 'GET',
    path: at,
    ...(signedIn ? { cookie: buyerCookie(n) } : {}),
  }))

/** Each connection polls as one buyer: the first answer brings the ETag, and all others must be 304. */
async function poll(store: BenchStore, read: Read, seconds: number): Promise<number> {
  const requests = requestsOf(read).map((request) => ({ ...request, etag: true }))
  const result = await store.load({
    connections: CONNECTIONS,
    forMs: seconds * 1_000,
    everyMs: 0,
    requests,
    faithful: true,
  })
  const { '304': unchanged = 0, '200': whole = 0, ...others } = result.answers
  if (Object.keys(others).length > 0 || whole > CONNECTIONS || unchanged === 0)
    throw new Error(`A poll that finds nothing new was answered with ${JSON.stringify(result.answers)}`)
  return result.perSecond
}

/** Real purchases, so that every buyer has more than the fifty lines that are asked for. */
async function buyHistories(store: BenchStore): Promise<void> {
  const requests = Array.from({ length: READERS }, (_, n) => purchase(n, n % PRODUCTS))
  await store.load({ connections: CONNECTIONS, forMs: 60_000, everyMs: 0, requests, count: READERS * 60 })
}

function startYardstick(store: BenchStore, bodies: string[]): Promise<{ child: ChildProcess; port: number }> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'yardstick-server.ts'), [], {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    child.once('error', reject)
    child.once('message', (port) => resolve({ child, port: port as number }))
    child.send({ connection: store.connection, bodies, userId: benchId(1, 1) } satisfies Yardstick)
  })
}
