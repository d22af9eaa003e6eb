/** The real program in a process of its own, with its database in a directory of its own, to be killed at will. */
import { spawn } from 'node:child_process'
import { openSync, closeSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { freePort, launchStore, logInAt, type LaunchedStore } from '../scripts/store-process.ts'
import { openDatabase, type Database } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { serverProcesses } from '../server/platform/engine/postgres-processes.ts'
import { createSealer, type Sealer } from '../server/platform/secrets/sealing.ts'
import { ownSecretKeys } from '../server/platform/secrets/secret-keys.ts'
import { bundleServer } from './bundle-server.ts'
import { newDirectory } from './drill.ts'

const START_MS_MAX = 60_000
const POLL_MS = 20
const COMMAND_MS_MAX = 60 * 60_000

export interface StoreProcess {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly pid: number
  /** True while the process that was started last lives. */
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
  /** A connection as the owner of the tables. Open it again after the database was killed. */
  database(): Database
  sealer(): Promise<Sealer>
}

export interface StoreOptions {
  /** Without it a new one, which goes with these directories. */
  dataDir?: string
  directories?: string[]
  /** The address of a database. Without it the store has one of its own in `dataDir`. */
  databaseUrl?: string
  /** The program to run; a bundle of the server without pages when absent. */
  program?: string
  environment?: Record<string, string>
}

const running = new Set<{ end(): Promise<void> }>()

/** Ends everything that was started and still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((one) => one.end()))
}

/** Calls `end` when the drills are over, or interrupted. */
export function endLater(end: () => Promise<void>): void {
  running.add({ end })
}

export async function startStore(options: StoreOptions = {}): Promise<StoreProcess> {
  const main = options.program ?? (await bundleServer())
  const dataDir = options.dataDir ?? newDirectory(options.directories ?? [])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const socketDir = path.join(dataDir, 'postgres.run')
  let latest: LaunchedStore | undefined

  const store: StoreProcess = {
    url,
    port,
    dataDir,
    get pid() {
      return latest?.pid ?? 0
    },
    get alive() {
      return latest?.alive ?? false
    },
    start() {
      const log = openSync(path.join(dataDir, `store-${port}.log`), 'a')
      latest = launchStore({
        port,
        dataDir,
        program: main,
        nodeArguments: PROFILING,
        admin: ADMIN,
        isolated: true,
        environment: {
          NODE_ENV: 'production',
          RATE_LIMIT_SCALE: '1000000',
          LOG_LEVEL: 'warn',
          ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
          ...options.environment,
        },
        stdio: ['ignore', log, log],
      })
      closeSync(log)
    },
    async kill() {
      await latest?.kill()
    },
    async stop() {
      return (await latest?.stop()) ?? { code: null, tookMs: 0 }
    },
    async untilHealthy(withinMs = START_MS_MAX) {
      if (!latest) throw new Error('It was not started')
      return latest.untilHealthy({ withinMs, everyMs: POLL_MS }).catch((error: Error) => {
        throw new Error(`${error.message}: ${tail(dataDir, port)}`)
      })
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
      if (!store.alive) return
      latest?.child.kill('SIGCONT')
      await store.stop()
    },
  })
  store.start()
  await store.untilHealthy()
  return store
}

interface NodesWanted extends Pick<StoreOptions, 'environment'> {
  directories: string[]
  count?: number
  /** Settings of the database. */
  settings?: Record<string, string>
}

/** Nodes on one database, which the drill runs so that no node stops it. */
export async function startNodes({ directories, count = 2, environment = {}, settings = {} }: NodesWanted) {
  const dataDir = newDirectory(directories)
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: () => {}, settings })
  endLater(() => postgres.stop())
  const first = await startStore({ dataDir, environment })
  const nodes: [StoreProcess, ...StoreProcess[]] = [first]
  while (nodes.length < count) nodes.push(await startStore({ dataDir, environment }))
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await postgres.stop()
  }
  return { first, nodes, stop }
}

/** Arguments for Node, as DRILL_NODE_ARGS="--cpu-prof --cpu-prof-dir=profiles", to see where time and memory go. */
const PROFILING = process.env.DRILL_NODE_ARGS?.split(' ') ?? []

export const ADMIN = { username: 'admin', password: 'a drill admin password' }

/** @returns the cookies of an admin's session */
export const logInAdmin = ({ url }: StoreProcess): Promise<string> => logInAt(url, '/admin/login', ADMIN)

function tail(dataDir: string, port: number): string {
  return readFileSync(path.join(dataDir, `store-${port}.log`), 'utf8')
    .slice(-2_000)
    .trim()
}

export interface Command {
  pid: number
  /** Resolves when it has ended, killed or not. */
  ended: Promise<{ code: number | null; tookMs: number; output: string }>
}

/** Runs one of the store's commands as its owner would. */
export async function command(
  mode: 'backup' | 'restore' | 'doctor' | 'rotate-keys',
  args: readonly string[],
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Command> {
  const program = await bundleServer()
  const began = performance.now()
  const child = spawn(process.execPath, [program, mode, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS_MAX,
  })
  endLater(async () => void (child.exitCode === null && child.kill('SIGKILL')))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    pid: child.pid ?? 0,
    ended: ended.then((code) => ({ code, tookMs: performance.now() - began, output })),
  }
}
