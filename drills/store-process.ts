/** The real program in a process of its own, with its database in a directory of its own, to be killed at will. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, closeSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '../server/platform/database.ts'
import { serverProcesses } from '../server/platform/postgres-processes.ts'
import { createSealer, type Sealer } from '../server/platform/sealing.ts'
import { ownSecretKeys } from '../server/secret-keys.ts'
import { bundleServer } from './bundle-server.ts'
import { send } from './send.ts'

const START_MS_MAX = 60_000
const POLL_MS = 20

export interface StoreProcess {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly pid: number
  /** Whether the process that was started last still lives. */
  readonly alive: boolean
  start(): void
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>
  /** SIGTERM, and waits until it is gone. @returns its exit code and how long it took */
  stop(): Promise<{ code: number | null; tookMs: number }>
  /** Waits for the first 200 of /api/health. @returns milliseconds since the call */
  untilHealthy(maxMs?: number): Promise<number>
  /** The ids of all processes of its database. */
  postgresPids(): number[]
  /** A connection of our own, as the owner of the tables. Open it anew after the database was killed. */
  database(): Database
  sealer(): Promise<Sealer>
}

export interface StoreOptions {
  dataDir?: string
  /** Given: no database of its own, and `dataDir` is only for files. */
  databaseUrl?: string
  environment?: Record<string, string>
}

const running = new Set<{ end(): Promise<void> }>()

/** Ends everything that was started and still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((one) => one.end()))
}

/** Have `end` called when the drills are over, or interrupted. */
export function endLater(end: () => Promise<void>): void {
  running.add({ end })
}

export async function startStore(options: StoreOptions = {}): Promise<StoreProcess> {
  const main = await bundleServer()
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'chaabi-drill-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const socketDir = path.join(dataDir, 'postgres.run')
  let child: ChildProcess | undefined
  let ended: Promise<number | null> = Promise.resolve(null)

  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const store: StoreProcess = {
    url,
    port,
    dataDir,
    get pid() {
      return child?.pid ?? 0
    },
    get alive() {
      return isAlive()
    },
    start() {
      const log = openSync(path.join(dataDir, `store-${port}.log`), 'a')
      const started = spawn(process.execPath, [main, 'start'], {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          DATA_DIR: dataDir,
          PORT: String(port),
          RATE_LIMIT_SCALE: '1000000',
          LOG_LEVEL: 'warn',
          ADMIN_PASSWORD: ADMIN.password,
          ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
          ...options.environment,
        },
        stdio: ['ignore', log, log],
      })
      closeSync(log)
      child = started
      ended = new Promise((resolve) => started.once('exit', (code) => resolve(code)))
    },
    async kill() {
      child?.kill('SIGKILL')
      await ended
    },
    async stop() {
      const began = performance.now()
      child?.kill('SIGTERM')
      const code = await ended
      return { code, tookMs: performance.now() - began }
    },
    async untilHealthy(maxMs = START_MS_MAX) {
      const began = performance.now()
      for (;;) {
        const answer = await send({ port, method: 'GET', path: '/api/health', timeoutMs: 2_000 }).catch(() => undefined)
        if (answer?.status === 200) return performance.now() - began
        if (!isAlive() || performance.now() - began > maxMs)
          throw new Error(`The store is not healthy: ${tail(dataDir, port)}`)
        await sleep(POLL_MS)
      }
    },
    postgresPids() {
      const postmaster = Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
      const command = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8')
      const name = /cluster_name=([\w-]+)/.exec(command)?.[1]
      if (name === undefined) throw new Error(`Process ${postmaster} is no database of ours`)
      return serverProcesses(name)
    },
    database: () =>
      openDatabase({
        connection: options.databaseUrl ?? { host: socketDir, port: 5432, user: 'chaabi_owner', database: 'postgres' },
        poolSize: 2,
      }),
    sealer: async () => createSealer(await ownSecretKeys(dataDir)),
  }
  running.add({
    async end() {
      if (!isAlive()) return
      const hard = setTimeout(() => child?.kill('SIGKILL'), 15_000)
      child?.kill('SIGCONT')
      await store.stop()
      clearTimeout(hard)
    },
  })
  store.start()
  await store.untilHealthy()
  return store
}

export const ADMIN = { username: 'admin', password: 'a drill admin password' }

function tail(dataDir: string, port: number): string {
  return readFileSync(path.join(dataDir, `store-${port}.log`), 'utf8')
    .slice(-2_000)
    .trim()
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
