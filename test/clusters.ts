/** Embedded databases for tests that start and kill them, and the processes that hold them. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { SUPERUSER } from '../server/platform/engine/postgres-cluster.ts'
import { birthOf, readPidFile } from '../server/platform/engine/postgres-processes.ts'

const run = promisify(execFile)
const PROGRAM = path.resolve(import.meta.dirname, 'programs/hold-database.ts')
/** A kill of a process never needs the disk, so tests spare it. */
const SETTINGS = { fsync: 'off', shared_buffers: '16MB' }

const folders: string[] = []
const databases: EmbeddedPostgres[] = []
export const programs: ChildProcess[] = []

/** Ends all that the tests before have started, and sees that nothing of it is left. */
export async function tidyUp(): Promise<void> {
  for (const program of programs.splice(0)) if (isRunning(program)) program.kill('SIGKILL')
  await Promise.all(databases.splice(0).map((database) => database.stop()))
  for (const folder of folders.splice(0)) {
    for (const name of readdirSync(folder)) {
      const left = readPidFile(path.join(folder, name))
      if (left !== undefined) await until('the killed program leaves no server', () => birthOf(left.pid) === undefined)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes the cluster away that the others were copied from. */
export async function forgetCluster(): Promise<void> {
  if (made !== undefined) rmSync(path.dirname(await made), { recursive: true, force: true })
  made = undefined
}

/** Ignores a process that has ended already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A cluster's place in a folder of its own, not yet made. */
export function givenFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'chaabi-')))
  folders.push(folder)
  return path.join(folder, 'postgres')
}

let made: Promise<string> | undefined

/**
 * A cluster that an earlier run has made and ended: a copy of one, for making it takes longer than anything else here.
 */
export async function givenCluster(): Promise<string> {
  made ??= makeCluster()
  const dataDir = givenFolder()
  await run('cp', ['-a', await made, dataDir])
  return dataDir
}

async function makeCluster(): Promise<string> {
  const dataDir = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'chaabi-'))), 'postgres')
  const database = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS })
  await database.stop()
  return dataDir
}

export async function start(dataDir: string, options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  const database = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS, ...options })
  databases.push(database)
  return database
}

export interface Program {
  child: ChildProcess
  host: string
  serverPid: number
  adopted: boolean
  output(): string[]
}

/** Another Node process with a database on `dataDir`, which answers already. */
export async function givenProgram(dataDir: string, options: { env?: NodeJS.ProcessEnv } = {}): Promise<Program> {
  const child = spawnProgram(dataDir, options.env)
  let text = ''
  child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const output = (): string[] => text.trim().split('\n')
  await until('the program has its database', () => {
    if (!isRunning(child)) throw new Error(`The program ended early: ${text}`)
    return /^ready /m.test(text)
  })
  const [, host, serverPid, adopted] = /^ready (.+) (\d+) (true|false)$/m.exec(text)!
  return { child, host: host!, serverPid: Number(serverPid), adopted: adopted === 'true', output }
}

export function spawnProgram(dataDir: string, env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, dataDir, JSON.stringify(SETTINGS)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, as a terminal gives it.
    detached: true,
  })
  programs.push(child)
  return child
}

/** A cluster that a process of another container seems to own. */
export async function givenClaimFromElsewhere(): Promise<{ dataDir: string; claim: string }> {
  const dataDir = await givenCluster()
  await (await start(dataDir)).stop()
  const claim = `${dataDir}.claim-2`
  writeFileSync(
    claim,
    JSON.stringify({ pid: process.pid, birth: 'x', place: 'elsewhere', host: 'shop-1', serverPid: 7 }),
  )
  return { dataDir, claim }
}

export async function connect(host: string): Promise<Client> {
  const client = new Client({ host, port: 5432, user: SUPERUSER, database: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function ask(host: string, question: string): Promise<unknown[]> {
  const client = await connect(host)
  try {
    return (await client.query(question)).rows
  } finally {
    await client.end()
  }
}

export const answers = (host: string): Promise<boolean> =>
  ask(host, 'select 1').then(
    () => true,
    () => false,
  )

/** The guard shells of a server: processes of its session that are not its children. */
export function guardsOf(serverPid: number): number[] {
  return processTable()
    .filter(({ pid, parent, session }) => session === serverPid && pid !== serverPid && parent !== serverPid)
    .map(({ pid }) => pid)
}

export const childrenOf = (serverPid: number): number[] =>
  processTable().flatMap(({ pid, parent }) => (parent === serverPid ? pid : []))

function processTable(): { pid: number; parent: number; session: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { pid: Number(name), parent: Number(parent), session: Number(session) }
    } catch {
      return []
    }
  })
}

export const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/** Waits for a condition. @throws Error that names it when it does not come true within 20 seconds. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`)
    await sleep(10)
  }
}
