/** A store with many rows, and a caller that times its answers. */
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import path from 'node:path'
import * as z from 'zod/mini'
import { freePort, launchStore } from '../scripts/store-process.ts'
import { openDatabase, prepared, sql } from '../server/platform/database/database.ts'
import type { EmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { createSealer } from '../server/platform/secrets/sealing.ts'
import { ensureFirstAdmin } from '../server/admins/first-admin.ts'
import { closeDays } from '../server/books/close-days.ts'
import { ensureSettings } from '../server/settings/settings.ts'
import { SEED_PASSWORD, seededUsername, seedStore, vacuumSeeded, type SeedSizes } from '../test/worlds/year.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** The same in each run, because DIR keeps what was encrypted with it. */
const SECRET = createHash('sha256').update('a bench secret').digest()
const OWNER = { username: 'admin', password: 'a bench owner key' }
export const say = (line = '') => void process.stdout.write(`${line}\n`)

export async function prepareStore(engine: EmbeddedPostgres, name: string, sizes: SeedSizes): Promise<void> {
  const { host, port, user } = engine
  const maintenance = openDatabase({ connection: { host, port, user, database: 'postgres' }, poolSize: 1 })
  const there = await maintenance.holds(sql`select exists (select from pg_database where datname = ${name})`)
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
  const { id } = await db.one(sql(z.object({ id: z.string() }))`select id from admins`)
  await seedStore(db, { ...sizes, sealer: createSealer([SECRET]), now, adminId: id, say: (line) => say(`  ${line}`) })
  await vacuumSeeded(connection)
  const began = performance.now()
  // As a store does each night, and once after an update
  const { closed } = await closeDays(db, now)
  say(`  books of ${closed} days closed in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  await db.close()
}

export interface Store {
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

export async function openStore(engine: EmbeddedPostgres, name: string, sizes: SeedSizes): Promise<Store> {
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
