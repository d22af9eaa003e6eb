/** The store for benchmarks: production mode, durable commits, everything on; with buyers who are logged in already. */
import { fork, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, sql, type Database } from '../server/platform/database.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { hashToken } from '../server/platform/ids.ts'
import { migrate } from '../server/platform/migrations.ts'
import { createSealer } from '../server/platform/sealing.ts'
import type { Load, LoadResult } from './http-load.ts'

export interface BenchStore {
  port: number
  dataDir: string
  /** The cluster's socket directory, for pgbench. */
  socket: string
  db: Database
  /** The process that serves. */
  pid: number
  load(load: Omit<Load, 'port'>): Promise<LoadResult>
  stop(): Promise<void>
}

const SECRET = Buffer.alloc(32, 9)
export const BENCH_SEALER = createSealer([SECRET])

/** "00000000-0000-7000-8000-00000000002a": ids that pgbench can make from a number too. */
export function benchId(kind: number, n: number): string {
  return `0000000${kind}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

export async function startBenchStore(furnish: (db: Database) => Promise<void>): Promise<BenchStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-bench-'))
  await mkdir(dataDir, { recursive: true })
  await writeFile(path.join(dataDir, 'secret.key'), SECRET.toString('base64'), { mode: 0o600 })
  const server = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: () => {} })
  const connection = { host: server.host, port: server.port, user: server.user, database: 'postgres' }
  await migrate(connection, 'server/migrations', () => {})
  const db = openDatabase({ connection, poolSize: 4 })
  await furnish(db)
  await db.transaction((tx) => tx.run(sql`analyze`), { statementTimeoutMs: 600_000 })

  const port = await freePort()
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let look = 0; ; look++) {
    if (look > 600) throw new Error('The store does not answer')
    const healthy = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (healthy) break
    await sleep(100)
  }
  return {
    port,
    dataDir,
    socket: server.host,
    db,
    pid: child.pid ?? 0,
    load: (load) =>
      new Promise((resolve, reject) => {
        const client = fork(path.join(import.meta.dirname, 'http-load.ts'), [], { execArgv: ['--import', 'tsx'] })
        client.once('message', (result) => resolve(result as LoadResult))
        client.once('error', reject)
        client.send({ ...load, port })
      }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await db.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Buyers with a wallet of ₹1,00,00,000 each and a session; @returns their cookies */
export async function furnishBuyers(db: Database, count: number): Promise<void> {
  const now = new Date()
  const ids = Array.from({ length: count }, (_, n) => benchId(1, n))
  const tokens = ids.map((id) => hashToken(id))
  await db.run(sql`
    with buyer as (
      insert into users (id, email, username, password_hash, referral_code, device_hash, locked_at, terms_accepted_at, created_at)
      select id, 'bench' || n || '@example.in', 'bench' || n, 'none', 'BENCH', ${hashToken('bench device')}, ${now}, ${now}, ${now}
        from unnest(${ids}::uuid[]) with ordinality as each (id, n)
    ), wallet as (
      insert into wallets (user_id, balance_paise) select id, 1000000000 from unnest(${ids}::uuid[]) as each (id)
    ), movement as (
      insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, created_at)
      select id, id, 'admin_credit', 1000000000, 1000000000, 'Bench', ${now} from unnest(${ids}::uuid[]) as each (id)
    ), lot as (
      insert into wallet_lots (id, user_id, movement_id, source, amount_paise, remaining_paise, added_at)
      select id, id, id, 'admin_credit', 1000000000, 1000000000, ${now} from unnest(${ids}::uuid[]) as each (id)
    ), entry as (
      insert into wallet_entries (movement_id, lot_id, account, amount_paise)
      select id, id, 'adjustments', 1000000000 from unnest(${ids}::uuid[]) as each (id)
    )
    insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at)
    select token, id, ${hashToken('bench device')}, ${now}, ${now} from unnest(${tokens}::bytea[], ${ids}::uuid[]) as each (token, id)`)
}

export function buyerCookie(n: number): string {
  return `chaabi_session=${benchId(1, n)}; chaabi_device=bench device`
}

/** Products of one price each, `stock` keys each; ids by number. */
export async function furnishProducts(
  db: Database,
  { from, count, stock }: { from: number; count: number; stock: number },
): Promise<void> {
  const now = new Date()
  const ids = Array.from({ length: count }, (_, n) => benchId(2, from + n))
  await db.run(sql`
    with product as (
      insert into products (id, name, description, created_at)
      select id, 'Bench ' || id, 'A product', ${now} from unnest(${ids}::uuid[]) as each (id)
    ), price as (
      insert into prices (id, product_id, duration, list_paise) select id, id, '10 Days', 100 from unnest(${ids}::uuid[]) as each (id)
    )
    insert into stock_counters (price_id, shard, available)
    select id, shard, case shard when 0 then ${stock}::int else 0 end from unnest(${ids}::uuid[]) as each (id), generate_series(0, 7) as shard`)
  const sealed = BENCH_SEALER.seal('BENCH-KEY-AAAA-BBBB-CCCC')
  for (const id of ids)
    await db.transaction(
      (tx) =>
        tx.run(sql`
        insert into license_keys (id, price_id, sealed, fingerprint, created_at)
        select gen_random_uuid(), ${id}, ${sealed}, sha256((${id}::text || n)::bytea), ${now} from generate_series(1, ${stock}::int) as n`),
      { statementTimeoutMs: 600_000 },
    )
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

export function findPgbench(): string | undefined {
  return [
    ...(process.env.PATH ?? '').split(':').map((directory) => `${directory}/pgbench`),
    ...[18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin/pgbench`),
  ].find((file) => existsSync(file))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}
