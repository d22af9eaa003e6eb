/**
 * The supervisor and its cluster: what it makes, what it finds, and what it refuses. Who owns a server, and who may
 * not, is in embedded-postgres-owners.test.ts.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  ask,
  forgetCluster,
  givenCluster,
  givenFolder,
  givenProgram,
  isRunning,
  programs,
  start,
  tidyUp,
} from '../../../test/clusters.ts'
import { completeLibraries, createCluster, findPrograms, SUPERUSER } from './postgres-cluster.ts'
import { readPidFile } from './postgres-processes.ts'
import { memorySettings } from './postgres-server.ts'

afterEach(tidyUp, 30_000)
afterAll(forgetCluster)

test('the first start makes a UTF-8 cluster that only its own account reaches, and no network', async () => {
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

test('the engine takes its memory by what the machine has', () => {
  const of = (mb: number) => memorySettings(mb * 1024 * 1024)
  expect(of(256)).toEqual({ shared_buffers: '64MB', effective_cache_size: '128MB' })
  expect(of(1_024)).toEqual({ shared_buffers: '128MB', effective_cache_size: '512MB' })
  expect(of(24_000)).toEqual({ shared_buffers: '1024MB', effective_cache_size: '12000MB' })
  // As Docker gives it, where two reports at once would say that the disk is full
  expect(memorySettings(1e9, 64e6)).toHaveProperty('dynamic_shared_memory_type', 'sysv')
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

describe('what an earlier run left', () => {
  test('a pid file whose number a stranger has now does not hinder the start, nor harm the stranger', async () => {
    const dataDir = await givenCluster()
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
    const dataDir = await givenCluster()
    writeFileSync(path.join(dataDir, 'PG_VERSION'), '17\n')

    await expect(start(dataDir)).rejects.toThrow(/created by PostgreSQL 17.+includes PostgreSQL 18.+DATABASE_URL/)

    expect(readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test('files of another kind in the place of the cluster are refused, and not touched', async () => {
    const dataDir = givenFolder()
    mkdirSync(dataDir)
    writeFileSync(path.join(dataDir, 'letter.txt'), 'mine')

    await expect(start(dataDir)).rejects.toThrow(/has files but no database/)

    expect(readdirSync(dataDir)).toEqual(['letter.txt'])
  })

  test('a long log is set aside', async () => {
    const dataDir = await givenCluster()
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
  await expect(start(await givenCluster(), { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /shared_buffers/,
  )
})

test.runIf(process.getuid?.() === 0)('as root, an account that does not fit is refused by its name', async () => {
  const dataDir = givenFolder()
  await expect(start(dataDir, { osUser: 'nobody-of-that-name' })).rejects.toThrow(/no such account/)
  await expect(start(dataDir, { osUser: 'root' })).rejects.toThrow(/refuses to run as root/)
})

test.runIf(process.getuid?.() === 0)(
  'an account without a name, as in some containers, is told what is missing',
  async () => {
    const dataDir = givenFolder()
    for (const folder of [path.dirname(dataDir), path.dirname(path.dirname(dataDir))]) chmodSync(folder, 0o777)
    const nameless = {
      command: (file: string, args: string[]) => [file, args],
      ids: { uid: 4_242, gid: 4_242 },
    } as never
    await expect(createCluster(dataDir, await findPrograms(), nameless, false)).rejects.toThrow(
      `Couldn’t create the database in ${dataDir}. PostgreSQL needs an account with a name, and 4242 has none here.`,
    )
    expect(existsSync(dataDir)).toBe(false)
  },
)

test.runIf(process.getuid?.() === 0)('as root, the server runs without root, and says so', async () => {
  const lines: string[] = []
  const dataDir = givenFolder()
  chmodSync(path.dirname(dataDir), 0o755)

  const database = await start(dataDir, { log: (line) => lines.push(line) })

  expect(lines).toContainEqual(
    expect.stringMatching(
      /^PostgreSQL can’t run as root, so the database runs as (the account|root inside a user namespace)/,
    ),
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
