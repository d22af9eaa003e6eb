/** The store for benchmarks: production mode, durable commits, everything on; with buyers who are logged in already. */
import { fork, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { freePort, launchStore, logInAt } from '../scripts/store-process.ts'
import { ensureFirstAdmin } from '../server/admins/first-admin.ts'
import { openDatabase, prepared, sql, type Database } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { createSealer } from '../server/platform/secrets/sealing.ts'
import { ensureSettings } from '../server/settings/settings.ts'
import { seedStore, type SeedSizes } from '../test/worlds/year.ts'
import { residentMb } from '../drills/process-figures.ts'
import type { Load, LoadResult } from './http-load.ts'
import type { Report } from './report.ts'

/** One server process on the database. */
export interface BenchNode {
  port: number
  pid: number
  load(load: Omit<Load, 'port'>): Promise<LoadResult>
  /** Makes one call. @returns the answer as text. @throws Error unless it is 200 */
  get(path: string, cookie?: string): Promise<string>
  /** @returns the cookies of an admin's session */
  logInAdmin(): Promise<string>
  /** How long the event loop was held up since the last call, in ms. @throws Error unless the loop is watched */
  heldUp(): Promise<{ p99: number; max: number }>
}

export interface BenchStore extends BenchNode {
  dataDir: string
  /** The cluster's socket directory, for pgbench. */
  socket: string
  connection: { host: string; port: number; user: string; database: string }
  db: Database
  stop(): Promise<void>
}

/**
 * The tables that have rows, as the engine does in time. One that was examined while it was empty is then read
 * along, row by row, by every connection that had first used it so: each purchase would cost more than the one before.
 */
export async function analyzeSeeded(db: Database): Promise<void> {
  const tables = await db.texts(sql`
    select relid::regclass::text from pg_stat_user_tables
     where schemaname = 'public' and pg_relation_size(relid) > 0`)
  const names = tables.join(', ')
  await db.transaction((tx) => tx.run(prepared(`analyze ${names}`)), { statementTimeoutMs: 600_000 })
}

/** As many as are written in the longest benchmark. */
const LOG_FILES = 48

/**
 * Leaves the engine files of its log to write over, after the next checkpoint, as one has that has worked for an hour.
 * A young one makes each of them, and all commits wait until its 16 MB are filled.
 */
export async function useLog(db: Database): Promise<void> {
  for (let n = 0; n < LOG_FILES; n++)
    await db.run(prepared("select pg_logical_emit_message(false, 'bench', ''), pg_switch_wal()"))
}

/** Writes to disk what was seeded, so that none of it is written while something is measured. */
export async function checkpoint(db: Database): Promise<void> {
  await db.transaction((tx) => tx.run(prepared('checkpoint')), { statementTimeoutMs: 600_000 })
}

/** The same in each run: what was seeded once is opened again. */
const BENCH_SECRET = createHash('sha256').update('a bench secret').digest()
export const BENCH_SEALER = createSealer([BENCH_SECRET])

export const BENCH_OWNER = { username: 'owner', password: 'a bench owner key' }

export async function startBenchStore(
  seed: (db: Database) => Promise<void>,
  { watchesLoop = false }: { watchesLoop?: boolean } = {},
): Promise<BenchStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-bench-'))
  await writeFile(path.join(dataDir, 'secret.key'), BENCH_SECRET.toString('base64'), { mode: 0o600 })
  const server = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: () => {} })
  const connection = { host: server.host, port: server.port, user: server.user, database: server.database }
  await migrate(connection, 'server/migrations', () => {})
  const db = openDatabase({ connection, poolSize: 4 })
  await seed(db)
  await analyzeSeeded(db)
  await checkpoint(db)

  let child: ChildProcess | undefined
  const stop = async () => {
    if (child) await end(child)
    await db.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const { child: started, ...node } = await startNode({ DATA_DIR: dataDir, DATABASE_URL: '' }, { watchesLoop })
    child = started
    return { ...node, dataDir, socket: server.host, connection, db, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes a database, fills it with so much, and leaves it open as its owner. */
export async function makeLargeStore(
  connection: BenchStore['connection'],
  sizes: SeedSizes,
  say: (line: string) => void = () => {},
): Promise<Database> {
  const maintenance = openDatabase({ connection: { ...connection, database: 'postgres' }, poolSize: 1 })
  await maintenance.run(prepared(`create database ${connection.database}`))
  await maintenance.close()
  await migrate(connection, 'server/migrations', () => {})
  const db = openDatabase({ connection, poolSize: 2 })
  const now = new Date()
  await ensureSettings(db)
  await ensureFirstAdmin(db, BENCH_OWNER, now)
  const { id } = await db.one(sql(z.object({ id: z.string() }))`select id from admins`)
  await seedStore(db, { ...sizes, sealer: BENCH_SEALER, now, adminId: id, say })
  return db
}

/** Arguments for Node, such as BENCH_NODE_ARGS="--cpu-prof --cpu-prof-dir=profiles", to see where the time goes. */
const PROFILING = process.env.BENCH_NODE_ARGS?.split(' ') ?? []

/** The build is made first where it is older than the sources. */
const START_MS_MAX = 300_000

/** A server process as `npm start` runs it, only without limits on how often. */
export async function startNode(
  environment: Record<string, string> & { DATA_DIR: string },
  { watchesLoop = false }: { watchesLoop?: boolean } = {},
): Promise<BenchNode & { child: ChildProcess }> {
  const port = await freePort()
  const store = launchStore({
    port,
    dataDir: environment.DATA_DIR,
    nodeArguments: [...PROFILING, ...(watchesLoop ? ['--import', 'tsx', '--import', './bench/watch-loop.ts'] : [])],
    ...(watchesLoop && { stdio: ['ignore', 'pipe', 'inherit'] }),
    admin: BENCH_OWNER,
    environment: {
      SECRET_KEY: BENCH_SECRET.toString('base64'),
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...environment,
    },
  })
  // Reads on, so that the pipe is never full
  store.child.stdout?.resume()
  await store.untilHealthy({ withinMs: START_MS_MAX })
  return {
    child: store.child,
    port,
    pid: store.pid,
    load: (load) => runLoad({ ...load, port }),
    async get(at, cookie = '') {
      const answer = await fetch(`http://127.0.0.1:${port}${at}`, { headers: { cookie } })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`GET ${at}: ${answer.status} ${text}`)
      return text
    },
    logInAdmin: () => logInAt(store.url, '/admin/login', BENCH_OWNER),
    async heldUp() {
      const { stdout } = store.child
      if (!watchesLoop || !stdout) throw new Error('Nobody watches the event loop')
      const said = new Promise<string>((resolve) => stdout.once('data', (line: Buffer) => resolve(line.toString())))
      store.child.kill('SIGUSR2')
      const [, p99, max] = /p99 (\d+) ms, max (\d+) ms/.exec(await said) ?? []
      return { p99: Number(p99), max: Number(max) }
    },
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Runs a client process against a port. */
export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const client = fork(path.join(import.meta.dirname, 'http-load.ts'), [], { execArgv: ['--import', 'tsx'] })
    client.once('message', (result) => resolve(result as LoadResult))
    client.once('error', reject)
    client.once('exit', (code) => code !== 0 && reject(new Error(`The client ended with ${code}`)))
    client.send(load)
  })
}

/** @throws Error when any answer was another one: a fast refusal is no result */
export function expectOnly(status: string, { answers }: LoadResult): void {
  const others = Object.entries(answers).filter(([each]) => each !== status)
  if (others.length > 0) throw new Error(`Not only ${status}: ${JSON.stringify(answers)}`)
}

/** @throws Error when a rule of the books is broken */
export async function expectOrder({ db }: BenchStore, report: Report): Promise<void> {
  const broken = await findBroken(db, 'server/migrations')
  if (broken.length > 0) throw new Error(`The books are broken: ${JSON.stringify(broken)}`)
  report.note('The books are in order.')
}

export function urlOf({ host, port, user, database }: BenchStore['connection']): string {
  return `postgres://${user}@localhost/${database}?${new URLSearchParams({ host, port: String(port) })}`
}

/** The highest of a process's resident memory while work goes on, in MB. */
export async function highestMbWhile(pid: number, work: Promise<unknown>): Promise<number> {
  let highest = residentMb(pid)
  const timer = setInterval(() => (highest = Math.max(highest, residentMb(pid))), 50)
  await work.finally(() => clearInterval(timer))
  return Math.max(highest, residentMb(pid))
}

export function findPgbench(): string | undefined {
  return [
    ...(process.env.PATH ?? '').split(':').map((directory) => `${directory}/pgbench`),
    ...[18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin/pgbench`),
  ].find((file) => existsSync(file))
}
