/**
 * How each list fares as the store grows: its p95 with 1 % of the rows and with all of them, and the ratio.
 *
 * `npm run bench -- lists [--users 100000 --keys 1000000 --payments 1000000] [--calls 200] [--only TEXT] [--data DIR]`
 *
 * Both stores are servers of their own on one database engine. They are asked in turns over real sockets, so that
 * whatever else the machine does falls on both alike. DIR keeps the seeded databases for the next run.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { financialYear } from '../contract/india.ts'
import { DAY_MS } from '../contract/time.ts'
import { percentile } from '../drills/drill.ts'
import { residentMb } from '../drills/process-figures.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { seededUsername } from '../test/worlds/year.ts'
import { openStore, say, type Store } from './list-stores.ts'
import { highestMbWhile } from './running-store.ts'

const RATIO_GOAL = 2
const WARM_UP_CALLS = 15

export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '100000' },
      keys: { type: 'string', default: '1000000' },
      payments: { type: 'string', default: '1000000' },
      calls: { type: 'string', default: '200' },
      only: { type: 'string', default: '' },
      data: { type: 'string' },
    },
  })
  const full = { users: Number(values.users), keys: Number(values.keys), payments: Number(values.payments) }
  const small = { users: full.users / 100, keys: full.keys / 100, payments: full.payments / 100 }
  const directory = values.data ?? (await mkdtemp(path.join(tmpdir(), 'chaabi-bench-')))
  await mkdir(directory, { recursive: true })
  const engine = await startEmbeddedPostgres({
    dataDir: path.join(directory, 'postgres'),
    log: () => {},
    // Only the seeding is faster by it: nothing here writes while it measures
    settings: { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB' },
  })
  const stores: Store[] = []
  try {
    for (const [name, sizes] of [
      ['bench_small', small],
      ['bench_full', full],
    ] as const) {
      stores.push(await openStore(engine, name, sizes))
    }
    const [one, all] = stores
    if (!one || !all) return
    await compare(one, all, Number(values.calls), values.only)
    if (values.only === '' || 'complete'.includes(values.only)) await measureCompleteArray(all)
  } finally {
    for (const store of stores) await store.stop()
    await engine.stop()
    if (values.data === undefined) await rm(directory, { recursive: true, force: true })
  }
}

type Who = 'admin' | 'buyer' | 'visitor'
/** A list, asked for the nth time: searches differ from call to call. */
type List = [name: string, who: Who, path: (store: Store, n: number) => string]

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const someone = (store: Store, n: number) => seededUsername(1 + ((n * 37) % store.sizes.users))

const LISTS: List[] = [
  ['/admin/users', 'admin', () => '/admin/users?limit=10'],
  ['/admin/users, page 50', 'admin', () => '/admin/users?limit=10&skip=490'],
  ['/admin/users, one by name', 'admin', (store, n) => `/admin/users?limit=10&search=${someone(store, n)}`],
  ['/admin/users, one in forty', 'admin', () => '/admin/users?limit=10&search=diya'],
  ['/admin/users, everyone matches', 'admin', () => '/admin/users?limit=10&search=example.in'],
  ['/admin/users, nobody matches', 'admin', () => '/admin/users?limit=10&search=nobody%25'],
  ['/payments', 'admin', () => '/payments?limit=10'],
  ['/payments, page 50', 'admin', () => '/payments?limit=10&skip=490'],
  ['/payments, pending', 'admin', () => '/payments?limit=10&status=pending'],
  ['/payments, one buyer', 'admin', (store, n) => `/payments?limit=10&search=${someone(store, n)}`],
  ['/payments, a UTR', 'admin', (store) => `/payments?limit=10&search=${store.utr}`],
  ['/payments, end of a UTR', 'admin', (store) => `/payments?limit=10&search=${store.utr.slice(-7)}`],
  ['/payments, one buyer in forty', 'admin', () => '/payments?limit=10&search=diya'],
  ['/payments, everything matches', 'admin', () => '/payments?limit=10&search=example.in'],
  ['/payments/purchases', 'admin', () => '/payments/purchases?limit=50'],
  ['/payments/purchases, one buyer', 'admin', (store, n) => `/payments/purchases?search=${someone(store, n)}`],
  ['/payments/purchases, one in forty', 'admin', () => '/payments/purchases?search=diya'],
  ['/payments/purchases, product name', 'admin', () => '/payments/purchases?search=skyforge'],
  ['/payments/purchases, everything', 'admin', () => '/payments/purchases?search=example.in'],
  ['/payments/purchases, a week', 'admin', () => `/payments/purchases?from=${dayBefore(20)}&to=${dayBefore(14)}`],
  ['/payments/purchases, a product', 'admin', ({ productId }) => `/payments/purchases?productId=${productId}`],
  ['/keys of a product, 50', 'admin', ({ productId }) => `/keys?limit=50&productId=${productId}`],
  ['/keys of a duration, 50', 'admin', ({ productId }) => `/keys?limit=50&productId=${productId}&duration=1+Month`],
  ['/keys in stock, 50', 'admin', ({ productId }) => `/keys?limit=50&status=available&productId=${productId}`],
  ['/keys of all products, 50', 'admin', () => '/keys?limit=50'],
  ['/keys, one by its text', 'admin', ({ keyText }) => `/keys?search=${keyText}`],
  ['/keys/batches', 'admin', () => '/keys/batches?limit=20'],
  ['/keys of a batch, 50', 'admin', ({ batchId }) => `/keys?limit=50&batchId=${batchId}`],
  ['/referral', 'admin', () => '/referral'],
  ['/auth/balance-history, 50', 'buyer', () => '/auth/balance-history?limit=50'],
  ['/auth/balance-history, whole', 'buyer', () => '/auth/balance-history'],
  ['/keys/user', 'buyer', () => '/keys/user'],
  ['/payments/mine', 'buyer', () => '/payments/mine'],
  ['/products', 'visitor', () => '/products'],
  ['/products, signed in', 'buyer', () => '/products'],
  ['/keys/all-stats', 'buyer', () => '/keys/all-stats'],
  ['/admin/overview', 'admin', () => '/admin/overview'],
  ['/admin/stats', 'admin', () => '/admin/stats'],
  [
    '/reports/books, year by product',
    'admin',
    () => `/reports/books?from=${dayBefore(365)}&to=${dayBefore(0)}&by=product`,
  ],
  ['/reports/books, year by day', 'admin', () => `/reports/books?from=${dayBefore(365)}&to=${dayBefore(0)}&by=day`],
  ['/books/year', 'admin', () => `/books/year?year=${financialYear(dayBefore(0))}`],
  ['/reports/batches', 'admin', () => '/reports/batches'],
  ['/reports/liability', 'admin', () => '/reports/liability'],
  ['/reports/month', 'admin', () => `/reports/month?month=${dayBefore(40).slice(0, 7)}`],
  ['/admin/audit', 'admin', () => '/admin/audit'],
  ['/admin/audit, one buyer', 'admin', (store, n) => `/admin/audit?search=${someone(store, n)}`],
]

async function compare(one: Store, all: Store, calls: number, only: string): Promise<void> {
  say()
  say(
    `p95 of ${calls} calls, in ms; on a busy machine the ratio of medians tells more; "first" is the very first ` +
      'call, with nothing kept or cached',
  )
  say(
    `${'list'.padEnd(36)} ${'first'.padStart(8)} ${'p95 1 %'.padStart(8)} ${'p95 100 %'.padStart(10)} ` +
      `${'ratio'.padStart(6)} ${'of medians'.padStart(11)}`,
  )
  let worst = 0
  for (const [name, who, pathOf] of LISTS.filter(([name]) => name.includes(only))) {
    const ask = (store: Store, n: number) => store.get(pathOf(store, n), who === 'visitor' ? '' : store[who])
    const first = await ask(all, 0)
    for (let n = 1; n <= WARM_UP_CALLS; n++) for (const store of [one, all]) await ask(store, n)
    const times = new Map<Store, number[]>([
      [one, []],
      [all, []],
    ])
    for (let n = 0; n < calls; n++)
      for (const [store, taken] of n % 2 === 0 ? times : [...times].toReversed())
        taken.push(await ask(store, n + WARM_UP_CALLS))
    const [small, full] = [...times.values()].map((taken) => percentile(taken, 0.95)) as [number, number]
    const [smallMedian, fullMedian] = [...times.values()].map((taken) => percentile(taken, 0.5)) as [number, number]
    const ratio = full / small
    worst = Math.max(worst, ratio)
    const mark = ratio > RATIO_GOAL ? ' !' : ''
    say(
      `${name.padEnd(36)} ${first.toFixed(1).padStart(8)} ${small.toFixed(2).padStart(8)} ` +
        `${full.toFixed(2).padStart(10)} ${ratio.toFixed(2).padStart(6)} ` +
        `${(fullMedian / smallMedian).toFixed(2).padStart(11)}${mark}`,
    )
  }
  say(`worst ratio: ${worst.toFixed(2)} (goal: at most ${RATIO_GOAL})`)
}

/** Every key in one answer, while another client asks for something small: memory and patience. */
async function measureCompleteArray(store: Store): Promise<void> {
  await store.heldUp()
  const before = residentMb(store.pid)
  let slowest = 0
  const arrived = new AbortController()
  const others = (async () => {
    while (!arrived.signal.aborted) {
      slowest = Math.max(slowest, await store.get('/settings/version', ''))
      await sleep(5)
    }
  })()
  const draining = drainKeys(store)
  const highest = await highestMbWhile(store.pid, draining)
  const { firstByteMs, ms, bytes } = await draining
  arrived.abort()
  await others
  const held = await store.heldUp()
  say()
  say(
    `GET /keys, complete: ${store.sizes.keys.toLocaleString('en-IN')} keys, ${(bytes / 2 ** 20).toFixed(0)} MB ` +
      `in ${(ms / 1_000).toFixed(1)} s`,
  )
  say(`  first byte after ${firstByteMs.toFixed(0)} ms; slowest other call meanwhile ${slowest.toFixed(0)} ms`)
  say(`  event loop held up: p99 ${held.p99} ms, longest ${held.max} ms`)
  say(`  memory of the server: ${before.toFixed(0)} MB before, ${highest.toFixed(0)} MB at the most`)
}

/** Takes the whole answer without keeping it. */
async function drainKeys({ port, admin }: Store): Promise<{ firstByteMs: number; ms: number; bytes: number }> {
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/api/keys`, { headers: { cookie: admin } })
  const firstByteMs = performance.now() - started
  let bytes = 0
  for await (const part of answer.body ?? []) bytes += part.length
  return { firstByteMs, ms: performance.now() - started, bytes }
}
