/**
 * How each list fares as the store grows: its p95 with 1 % of the rows and with all of them, and the ratio.
 *
 * `npm run bench -- lists [--users 100000 --keys 1000000 --payments 1000000] [--calls 200] [--only TEXT] [--data DIR]`
 *
 * Both stores are servers of their own on one database engine. They are asked in turns over real sockets, so that
 * whatever else the machine does falls on both alike. DIR keeps the seeded databases for the next run.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { freePort, launchStore } from '../scripts/store-process.ts'
import { openDatabase, prepared, sql } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { createSealer } from '../server/platform/sealing.ts'
import { ensureFirstAdmin } from '../server/admins/first-admin.ts'
import { ensureSettings } from '../server/settings/settings.ts'
import { SEED_PASSWORD, seededUsername, seedStore, vacuumSeeded, type SeedSizes } from '../test/worlds/year.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** The same in each run, because DIR keeps what was encrypted with it. */
const SECRET = createHash('sha256').update('a bench secret').digest()
const OWNER = { username: 'admin', password: 'a bench owner key' }
const RATIO_GOAL = 2
const WARM_UP_CALLS = 15

const say = (line = '') => void process.stdout.write(`${line}\n`)

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
      await prepareStore(engine, name, sizes)
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

async function prepareStore(engine: EmbeddedPostgres, name: string, sizes: SeedSizes): Promise<void> {
  const { host, port, user } = engine
  const maintenance = openDatabase({ connection: { host, port, user, database: 'postgres' }, poolSize: 1 })
  const { there } = await maintenance.one(
    z.object({ there: z.boolean() }),
    sql`select exists (select from pg_database where datname = ${name}) as there`,
  )
  if (!there) await maintenance.run(prepared(`create database ${name}`))
  await maintenance.close()

  const connection = { host, port, user, database: name }
  const role = await migrate(connection, path.join(ROOT, 'server/migrations'), () => {})
  if (there) return
  say(`${name}: ${JSON.stringify(sizes)}`)
  const db = openDatabase({ connection, poolSize: 2, ...(role === undefined ? {} : { role }) })
  const now = new Date()
  await ensureSettings(db)
  await ensureFirstAdmin(db, OWNER, now)
  const { id } = await db.one(z.object({ id: z.string() }), sql`select id from admins`)
  await seedStore(db, { ...sizes, sealer: createSealer([SECRET]), now, adminId: id, say: (line) => say(`  ${line}`) })
  await db.close()
  await vacuumSeeded(connection)
}

interface Store {
  /** How long its event loop was held up since this was last asked. */
  heldUp(): Promise<string>
  sizes: SeedSizes
  pid: number
  get(path: string, cookie: string): Promise<{ ms: number; body: string }>
  /** Takes the whole answer without keeping it. */
  drain(path: string, cookie: string): Promise<{ firstByteMs: number; ms: number; bytes: number }>
  admin: string
  buyer: string
  productId: string
  batchId: string
  keyText: string
  utr: string
  stop(): Promise<void>
}

/** Asks the store. With the header x-drain the body is only counted. */
function callerOf(port: number, agent: Agent) {
  return (method: string, at: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ ms: number; firstByteMs: number; body: string; bytes: number; cookie: string }>((resolve, reject) => {
      const started = performance.now()
      const keep = headers['x-drain'] === undefined
      const asked = request({ host: '127.0.0.1', port, method, path: `/api${at}`, agent, headers }, (answer) => {
        const firstByteMs = performance.now() - started
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (keep) chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
          if (answer.statusCode === 200)
            resolve({ ms: performance.now() - started, firstByteMs, body: text, bytes, cookie })
          else reject(new Error(`${method} ${at}: ${answer.statusCode} ${text}`))
        })
      })
      asked.on('error', reject)
      asked.end(body)
    })
}

async function openStore(engine: EmbeddedPostgres, name: string, sizes: SeedSizes): Promise<Store> {
  const query = new URLSearchParams({ host: engine.host, port: String(engine.port) })
  const port = await freePort()
  const store = launchStore({
    port,
    dataDir: path.dirname(engine.logFile),
    program: 'dist/server/main.js',
    nodeArguments: ['--import', 'tsx', '--import', './bench/watch-loop.ts'],
    environment: {
      DATABASE_URL: `postgres://${engine.user}@localhost/${name}?${query}`,
      SECRET_KEY: SECRET.toString('base64'),
      RATE_LIMIT_SCALE: '100000',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { child } = store
  // Reads on, so that the pipe is never full. The loop's watch is listened to when it is asked
  child.stdout?.resume()
  await store.untilHealthy()
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  const call = callerOf(port, agent)
  const login = async (at: string, body: object) =>
    (await call('POST', at, { 'content-type': 'application/json' }, JSON.stringify(body))).cookie
  const admin = await login('/admin/login', OWNER)
  const username = seededUsername(Math.floor(sizes.users / 2))
  // The device lock of an earlier run on the same database
  const found = JSON.parse((await call('GET', `/admin/users?search=${username}`, { cookie: admin })).body) as {
    users: { _id: string }[]
  }
  await call('POST', `/admin/users/${found.users[0]?._id}/unlock-device`, { cookie: admin })
  const buyer = await login('/auth/login', { username, password: SEED_PASSWORD })
  const products = JSON.parse((await call('GET', '/products', {})).body) as { _id: string }[]
  const productId = products[7]?._id ?? ''
  const [key] = JSON.parse((await call('GET', `/keys?productId=${productId}&limit=1`, { cookie: admin })).body) as {
    key: string
  }[]
  const { batches } = JSON.parse((await call('GET', '/keys/batches?limit=1', { cookie: admin })).body) as {
    batches: { _id: string }[]
  }
  const { payments } = JSON.parse((await call('GET', '/payments?type=add_money&limit=1', { cookie: admin })).body) as {
    payments: { utr: string }[]
  }
  return {
    sizes,
    heldUp: () =>
      new Promise((resolve) => {
        child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()))
        child.kill('SIGUSR2')
      }),
    pid: store.pid,
    admin,
    buyer,
    productId,
    batchId: batches[0]?._id ?? '',
    keyText: key?.key ?? '',
    utr: payments[0]?.utr ?? '',
    get: (at, cookie) => call('GET', at, { cookie }),
    drain: (at, cookie) => call('GET', at, { cookie, 'x-drain': '1' }),
    async stop() {
      agent.destroy()
      await store.stop()
    },
  }
}

type Who = 'admin' | 'buyer' | 'visitor'
/** A list, asked for the nth time: searches differ from call to call. */
type List = [name: string, who: Who, path: (store: Store, n: number) => string]

const DAY_MS = 24 * 3_600_000
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
    const ask = async (store: Store, n: number) =>
      (await store.get(pathOf(store, n), who === 'visitor' ? '' : store[who])).ms
    const first = await ask(all, 0)
    for (let n = 1; n <= WARM_UP_CALLS; n++) for (const store of [one, all]) await ask(store, n)
    const times = new Map<Store, number[]>([
      [one, []],
      [all, []],
    ])
    for (let n = 0; n < calls; n++)
      for (const [store, taken] of n % 2 === 0 ? times : [...times].toReversed())
        taken.push(await ask(store, n + WARM_UP_CALLS))
    const [small, full] = [...times.values()].map((taken) => percentile(taken, 95)) as [number, number]
    const [smallMedian, fullMedian] = [...times.values()].map((taken) => percentile(taken, 50)) as [number, number]
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

function percentile(times: readonly number[], percent: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length * percent) / 100)] ?? 0
}

/** Every key in one answer, while another client asks for something small: memory and patience. */
async function measureCompleteArray(store: Store): Promise<void> {
  await store.heldUp()
  const before = await residentMegabytes(store.pid)
  let highest = before
  let slowest = 0
  const arrived = new AbortController()
  const others = (async () => {
    while (!arrived.signal.aborted) {
      const waited = (await store.get('/settings/version', '')).ms
      const resident = await residentMegabytes(store.pid)
      slowest = Math.max(slowest, waited)
      highest = Math.max(highest, resident)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  const { firstByteMs, ms, bytes } = await store.drain('/keys', store.admin)
  arrived.abort()
  await others
  say()
  say(
    `GET /keys, complete: ${store.sizes.keys.toLocaleString('en-IN')} keys, ${(bytes / 2 ** 20).toFixed(0)} MB ` +
      `in ${(ms / 1_000).toFixed(1)} s`,
  )
  say(`  first byte after ${firstByteMs.toFixed(0)} ms; slowest other call meanwhile ${slowest.toFixed(0)} ms`)
  say(`  ${await store.heldUp()}`)
  say(`  memory of the server: ${before.toFixed(0)} MB before, ${highest.toFixed(0)} MB at the most`)
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
