/**
 * The supervisor against a real server and real kills. Every process that a test kills, it has started.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { completeLibraries, SUPERUSER } from './postgres-cluster.ts'
import { birthOf, readPidFile } from './postgres-processes.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../test/programs/hold-database.ts')
/** A kill of a process never needs the disk, so tests spare it. */
const SETTINGS = { fsync: 'off', shared_buffers: '16MB' }

const folders: string[] = []
const databases: EmbeddedPostgres[] = []
const programs: ChildProcess[] = []

/** What has ended by itself meanwhile, since its parent is gone, is as dead as it was meant to be. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

afterEach(async () => {
  for (const program of programs.splice(0)) if (isRunning(program)) program.kill('SIGKILL')
  await Promise.all(databases.splice(0).map((database) => database.stop()))
  for (const folder of folders.splice(0)) {
    for (const name of readdirSync(folder)) {
      const left = readPidFile(path.join(folder, name))
      if (left !== undefined) await until('the killed program leaves no server', () => birthOf(left.pid) === undefined)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}, 30_000)

test('the first start makes a UTF-8 cluster that only its own account can reach, and not over the network', async () => {
  const database = await start(givenFolder())

  const [settings] = await ask(
    database.host,
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
            current_setting('listen_addresses') as addresses, current_setting('TimeZone') as zone,
            current_setting('max_connections') as connections, upper('é') as upper, current_user as user
       from pg_database where datname = current_database()`,
  )
  expect(settings).toEqual({
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    addresses: '',
    zone: 'UTC',
    connections: '60',
    upper: 'É',
    user: SUPERUSER,
  })
  expect(database.adopted).toBe(false)
  expect(statSync(database.host).mode & 0o777).toBe(0o700)
})

test('a later start finds what was stored', async () => {
  const dataDir = givenFolder()
  const first = await start(dataDir)
  await ask(first.host, 'create table kept as select 1 as one')
  await first.stop()
  expect(readPidFile(dataDir)).toBeUndefined()

  const second = await start(dataDir)

  expect(await ask(second.host, 'select one from kept')).toEqual([{ one: 1 }])
  expect(second.adopted).toBe(false)
})

test('the locale of the shell does not reach the cluster', async () => {
  const { LANG: _lang, LC_ALL: _all, LC_CTYPE: _ctype, ...rest } = process.env
  const dataDir = givenFolder()
  const program = await givenProgram(dataDir, { env: rest })

  expect(await ask(program.host, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
})

describe('kill -9', () => {
  test('of Node ends the server too, and the next start finds every commit', async () => {
    const dataDir = givenFolder()
    const program = await givenProgram(dataDir)
    await ask(program.host, 'create table kept as select 1 as one')

    program.child.kill('SIGKILL')
    await until('the server ends', () => birthOf(program.serverPid) === undefined)

    const next = await start(dataDir)
    expect(await ask(next.host, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('of Node does not disturb a start that follows at once', async () => {
    const dataDir = givenFolder()
    const program = await givenProgram(dataDir)

    program.child.kill('SIGKILL')
    const next = await start(dataDir)

    expect(next.adopted).toBe(false)
    expect(next.pid).not.toBe(program.serverPid)
    expect(await ask(next.host, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('of Node and the guard leaves a server that the next start ends', async () => {
    const dataDir = givenFolder()
    const program = await givenProgram(dataDir)
    const guards = guardsOf(program.serverPid)
    expect(guards).toHaveLength(1)

    process.kill(guards[0]!, 'SIGKILL')
    program.child.kill('SIGKILL')
    await until('Node is gone', () => !isRunning(program.child))
    expect(birthOf(program.serverPid)).toBeDefined()
    const next = await start(dataDir)

    expect(birthOf(program.serverPid)).toBeUndefined()
    expect(await ask(next.host, 'select 1 as one')).toEqual([{ one: 1 }])
  }, 30_000)

  test('of the server, or of all its processes, is answered by a new server', async () => {
    const dataDir = givenFolder()
    const lines: string[] = []
    const database = await start(dataDir, { log: (line) => lines.push(line) })
    await ask(database.host, 'create table kept as select 1 as one')

    for (const victims of [[database.pid], [database.pid, ...childrenOf(database.pid)]]) {
      const before = database.pid
      const all = victims[0] === before ? victims : [before, ...childrenOf(before)]
      for (const pid of all) kill(pid)
      await until('a new server answers', async () => database.pid !== before && (await answers(database.host)))
    }

    expect(await ask(database.host, 'select one from kept')).toEqual([{ one: 1 }])
    expect(lines.filter((line) => line === 'The database is back')).toHaveLength(2)
  }, 30_000)

  test('in the middle of the first start leaves nothing half-made to later ones', async () => {
    const dataDir = givenFolder()
    const child = spawnProgram(dataDir)
    const parent = path.dirname(dataDir)
    const halfMade = (): string | undefined => readdirSync(parent).find((name) => name.includes('.initdb-'))
    await until('initdb is at work', () => {
      const name = halfMade()
      return name !== undefined && existsSync(path.join(parent, name, 'global'))
    })

    child.kill('SIGKILL')
    await until('Node is gone', () => !isRunning(child))
    expect(existsSync(dataDir)).toBe(false)
    const database = await start(dataDir)

    expect(await ask(database.host, 'select count(*)::int as n from information_schema.schemata')).not.toEqual([
      { n: 0 },
    ])
    expect(halfMade()).toBeUndefined()
  })
})

describe('a signal', () => {
  test('from Ctrl-C, which reaches the whole process group, lets Node finish its work on the database', async () => {
    const program = await givenProgram(givenFolder())

    process.kill(-program.child.pid!, 'SIGINT')
    await until('the program ends', () => !isRunning(program.child))

    expect(program.child.exitCode).toBe(0)
    expect(program.output().slice(-2)).toEqual(['drained', 'stopped'])
    expect(birthOf(program.serverPid)).toBeUndefined()
  })

  test('to terminate lets Node finish its work on the database', async () => {
    const program = await givenProgram(givenFolder())

    program.child.kill('SIGTERM')
    await until('the program ends', () => !isRunning(program.child))

    expect(program.child.exitCode).toBe(0)
    expect(program.output().slice(-2)).toEqual(['drained', 'stopped'])
    expect(birthOf(program.serverPid)).toBeUndefined()
  })

  // SIGSTOP holds a backend, so the server cannot end in the polite way.
  test('to a server that cannot end politely is followed by a stronger one, and nothing is lost', async () => {
    const dataDir = givenFolder()
    const database = await start(dataDir)
    await ask(database.host, 'create table kept as select 1 as one')
    const client = await connect(database.host)
    const [backend] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
    process.kill(backend!.pid, 'SIGSTOP')
    const { pid } = database

    await database.stop()

    expect(birthOf(pid)).toBeUndefined()
    const next = await start(dataDir)
    expect(await ask(next.host, 'select one from kept')).toEqual([{ one: 1 }])
  }, 40_000)
})

describe('a second process on the same directory', () => {
  test('uses the server of the first, and runs its own when the first stops', async () => {
    const dataDir = givenFolder()
    const first = await givenProgram(dataDir)
    const second = await start(dataDir)
    expect(second.adopted).toBe(true)
    expect(second.pid).toBe(first.serverPid)
    await ask(second.host, 'create table kept as select 1 as one')

    first.child.kill('SIGTERM')
    await until('the second takes over', async () => !second.adopted && (await answers(second.host)))

    expect(second.pid).not.toBe(first.serverPid)
    expect(await ask(second.host, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('takes over from one that was killed', async () => {
    const dataDir = givenFolder()
    const first = await givenProgram(dataDir)
    const second = await start(dataDir)

    first.child.kill('SIGKILL')
    await until('the second takes over', async () => !second.adopted && (await answers(second.host)))

    expect(second.pid).not.toBe(first.serverPid)
  })

  test('only lets go of the server when it stops', async () => {
    const dataDir = givenFolder()
    const first = await start(dataDir)
    const second = await givenProgram(dataDir)
    expect(second.adopted).toBe(true)

    second.child.kill('SIGTERM')
    await until('the second ends', () => !isRunning(second.child))

    expect(await ask(first.host, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('that starts at the same moment on an empty directory becomes a guest, not a rival', async () => {
    const dataDir = givenFolder()

    const both = await Promise.all([givenProgram(dataDir), givenProgram(dataDir), start(dataDir)])

    expect(new Set(both.map((each) => ('serverPid' in each ? each.serverPid : each.pid))).size).toBe(1)
    expect(both.filter((each) => !each.adopted)).toHaveLength(1)
  })

  test('from another container is refused while the first lives', async () => {
    const { dataDir, claim } = await givenClaimFromElsewhere()
    const heart = setInterval(() => utimesSync(claim, new Date(), new Date()), 100)

    await expect(start(dataDir)).rejects.toThrow(/in use by another container or machine \(shop-1\)/)

    clearInterval(heart)
    expect(readPidFile(dataDir)).toBeUndefined()
  })

  test('from another container may start when the first has been silent', async () => {
    const { dataDir, claim } = await givenClaimFromElsewhere()
    const lately = new Date(Date.now() - 5_000)
    utimesSync(claim, lately, lately)
    const began = Date.now()

    const database = await start(dataDir)

    expect(Date.now() - began).toBeGreaterThan(9_000)
    expect(database.adopted).toBe(false)
  }, 30_000)
})

describe('what an earlier run left', () => {
  test('a pid file whose number a stranger has now does not hinder the start, nor harm the stranger', async () => {
    const dataDir = givenFolder()
    const first = await start(dataDir)
    const pidFile = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8')
    await first.stop()
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' })
    programs.push(stranger)
    writeFileSync(path.join(dataDir, 'postmaster.pid'), pidFile.replace(/^\d+/, String(stranger.pid)))

    const database = await start(dataDir)

    expect(await ask(database.host, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isRunning(stranger)).toBe(true)
  })

  test('a cluster of another major version is refused with the way out, and not touched', async () => {
    const dataDir = givenFolder()
    await (await start(dataDir)).stop()
    writeFileSync(path.join(dataDir, 'PG_VERSION'), '17\n')

    await expect(start(dataDir)).rejects.toThrow(/made by PostgreSQL 17.+brings PostgreSQL 18.+DATABASE_URL/)

    expect(readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test('files of another kind in the place of the cluster are refused, and not touched', async () => {
    const dataDir = givenFolder()
    mkdirSync(dataDir)
    writeFileSync(path.join(dataDir, 'letter.txt'), 'mine')

    await expect(start(dataDir)).rejects.toThrow(/holds files but no database/)

    expect(readdirSync(dataDir)).toEqual(['letter.txt'])
  })

  test('a long log is set aside', async () => {
    const dataDir = givenFolder()
    const first = await start(dataDir)
    await first.stop()
    truncateSync(first.logFile, 11 * 1024 * 1024)

    const second = await start(dataDir)

    expect(statSync(second.logFile).size).toBeLessThan(100_000)
    expect(statSync(`${second.logFile}.old`).size).toBe(11 * 1024 * 1024)
  })
})

test('a directory with a long or an odd name works', async () => {
  const folder = path.join(givenFolder(), '..')
  for (const name of ['long-'.repeat(30), 'a "quoted", spaced\tname']) {
    const database = await start(path.join(folder, name, 'postgres'))
    expect(await ask(database.host, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    expect(existsSync(database.host)).toBe(false)
  }
})

test('settings that the server refuses are told in its own words', async () => {
  await expect(start(givenFolder(), { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/shared_buffers/)
})

test.runIf(process.getuid?.() === 0)('as root, an account that does not fit is refused by its name', async () => {
  const dataDir = givenFolder()
  await expect(start(dataDir, { osUser: 'nobody-of-that-name' })).rejects.toThrow(/no such account/)
  await expect(start(dataDir, { osUser: 'root' })).rejects.toThrow(/refuses to run as root/)
})

test.runIf(process.getuid?.() === 0)('as root, the server runs without root, and says so', async () => {
  const lines: string[] = []
  const dataDir = givenFolder()
  chmodSync(path.dirname(dataDir), 0o755)

  const database = await start(dataDir, { log: (line) => lines.push(line) })

  expect(lines).toContainEqual(
    expect.stringMatching(/^Running as root.+runs as (the account|root inside a user namespace)/),
  )
  expect(await ask(database.host, 'select 1 as one')).toEqual([{ one: 1 }])
  await database.stop()
  expect(await ask((await start(dataDir)).host, 'select 1 as one')).toEqual([{ one: 1 }])
})

test("the links between the server's libraries are made when the installation left them out", () => {
  const native = path.join(givenFolder(), '..', 'native')
  mkdirSync(path.join(native, 'lib'), { recursive: true })
  writeFileSync(path.join(native, 'lib/liba.so.1.2'), '')
  const links = [{ source: 'native/lib/liba.so.1.2', target: 'native/lib/liba.so.1' }]
  writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links))

  completeLibraries(native)
  completeLibraries(native)

  expect(lstatSync(path.join(native, 'lib/liba.so.1')).isSymbolicLink()).toBe(true)
  expect(readlinkSync(path.join(native, 'lib/liba.so.1'))).toBe('liba.so.1.2')
})

/** A cluster's place in a folder of its own, not yet made. */
function givenFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'chaabi-')))
  folders.push(folder)
  return path.join(folder, 'postgres')
}

async function start(dataDir: string, options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  const database = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS, ...options })
  databases.push(database)
  return database
}

interface Program {
  child: ChildProcess
  host: string
  serverPid: number
  adopted: boolean
  output(): string[]
}

/** Another Node process with a database on `dataDir`, which answers already. */
async function givenProgram(dataDir: string, options: { env?: NodeJS.ProcessEnv } = {}): Promise<Program> {
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

function spawnProgram(dataDir: string, env: NodeJS.ProcessEnv = process.env): ChildProcess {
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
async function givenClaimFromElsewhere(): Promise<{ dataDir: string; claim: string }> {
  const dataDir = givenFolder()
  await (await start(dataDir)).stop()
  const claim = `${dataDir}.claim-2`
  writeFileSync(
    claim,
    JSON.stringify({ pid: process.pid, birth: 'x', place: 'elsewhere', host: 'shop-1', serverPid: 7 }),
  )
  return { dataDir, claim }
}

async function connect(host: string): Promise<Client> {
  const client = new Client({ host, port: 5432, user: SUPERUSER, database: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function ask(host: string, question: string): Promise<unknown[]> {
  const client = await connect(host)
  try {
    return (await client.query(question)).rows
  } finally {
    await client.end()
  }
}

const answers = (host: string): Promise<boolean> =>
  ask(host, 'select 1').then(
    () => true,
    () => false,
  )

/** The guard shells of a server: processes of its session that are not its children. */
function guardsOf(serverPid: number): number[] {
  return processTable()
    .filter(({ pid, parent, session }) => session === serverPid && pid !== serverPid && parent !== serverPid)
    .map(({ pid }) => pid)
}

const childrenOf = (serverPid: number): number[] =>
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

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/** Waits for a condition. @throws Error that names it when it does not come true within 20 seconds. */
async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`)
    await sleep(10)
  }
}
