/**
 * One owner for a server, whatever is killed: the supervisor against a real server, other processes and real kills.
 * Tests kill only processes that they started.
 */
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, test, vi } from 'vitest'
import {
  answers,
  ask,
  childrenOf,
  connect,
  forgetCluster,
  givenClaimFromElsewhere,
  givenCluster,
  givenFolder,
  givenProgram,
  guardsOf,
  isRunning,
  kill,
  spawnProgram,
  start,
  tidyUp,
  until,
} from '../../../test/clusters.ts'
import { birthOf, readPidFile } from './postgres-processes.ts'

// Several at once: some wait for ten seconds and more, and those stand first
vi.setConfig({ testTimeout: 60_000 })

afterAll(async () => {
  await tidyUp()
  await forgetCluster()
})

describe.concurrent('a second process on the same directory', () => {
  test('from another container may start when the first has been silent', async ({ expect }) => {
    const { dataDir, claim } = await givenClaimFromElsewhere()
    const lately = new Date(Date.now() - 5_000)
    utimesSync(claim, lately, lately)
    const began = Date.now()

    const database = await start(dataDir)

    expect(Date.now() - began).toBeGreaterThan(9_000)
    expect(database.adopted).toBe(false)
  })

  test('uses the server of the first, and runs its own when the first stops', async ({ expect }) => {
    const dataDir = await givenCluster()
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

  test('takes over from one that was killed', async ({ expect }) => {
    const dataDir = await givenCluster()
    const first = await givenProgram(dataDir)
    const second = await start(dataDir)

    first.child.kill('SIGKILL')
    await until('the second takes over', async () => !second.adopted && (await answers(second.host)))

    expect(second.pid).not.toBe(first.serverPid)
  })

  test('only lets go of the server when it stops', async ({ expect }) => {
    const dataDir = await givenCluster()
    const first = await start(dataDir)
    const second = await givenProgram(dataDir)
    expect(second.adopted).toBe(true)

    second.child.kill('SIGTERM')
    await until('the second ends', () => !isRunning(second.child))

    expect(await ask(first.host, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('that starts at the same moment on an empty directory becomes a guest, not a rival', async ({ expect }) => {
    const dataDir = givenFolder()

    const both = await Promise.all([givenProgram(dataDir), givenProgram(dataDir), start(dataDir)])

    expect(new Set(both.map((each) => ('serverPid' in each ? each.serverPid : each.pid))).size).toBe(1)
    expect(both.filter((each) => !each.adopted)).toHaveLength(1)
  })

  test('from another container is refused while the first lives', async ({ expect }) => {
    const { dataDir, claim } = await givenClaimFromElsewhere()
    const heart = setInterval(() => utimesSync(claim, new Date(), new Date()), 100)

    await expect(start(dataDir)).rejects.toThrow(/in use by another container or machine \(shop-1\)/)

    clearInterval(heart)
    expect(readPidFile(dataDir)).toBeUndefined()
  })
})

describe.concurrent('a signal', () => {
  // SIGSTOP holds a backend, so the server cannot end in the polite way.
  test('to a server that cannot end politely is followed by a stronger one, and nothing is lost', async ({
    expect,
  }) => {
    const dataDir = await givenCluster()
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
  })

  test('from Ctrl-C, which reaches the whole process group, lets Node finish its work on the database', async ({
    expect,
  }) => {
    const program = await givenProgram(await givenCluster())

    process.kill(-program.child.pid!, 'SIGINT')
    await until('the program ends', () => !isRunning(program.child))

    expect(program.child.exitCode).toBe(0)
    expect(program.output().slice(-2)).toEqual(['drained', 'stopped'])
    expect(birthOf(program.serverPid)).toBeUndefined()
  })

  test('to terminate lets Node finish its work on the database', async ({ expect }) => {
    const program = await givenProgram(await givenCluster())

    program.child.kill('SIGTERM')
    await until('the program ends', () => !isRunning(program.child))

    expect(program.child.exitCode).toBe(0)
    expect(program.output().slice(-2)).toEqual(['drained', 'stopped'])
    expect(birthOf(program.serverPid)).toBeUndefined()
  })
})

describe.concurrent('kill -9', () => {
  test('of Node and the guard leaves a server that the next start ends', async ({ expect }) => {
    const dataDir = await givenCluster()
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
  })

  test('of Node ends the server too, and the next start finds every commit', async ({ expect }) => {
    const dataDir = await givenCluster()
    const program = await givenProgram(dataDir)
    await ask(program.host, 'create table kept as select 1 as one')

    program.child.kill('SIGKILL')
    await until('the server ends', () => birthOf(program.serverPid) === undefined)

    const next = await start(dataDir)
    expect(await ask(next.host, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('of Node does not disturb a start that follows at once', async ({ expect }) => {
    const dataDir = await givenCluster()
    const program = await givenProgram(dataDir)

    program.child.kill('SIGKILL')
    const next = await start(dataDir)

    expect(next.adopted).toBe(false)
    expect(next.pid).not.toBe(program.serverPid)
    expect(await ask(next.host, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('of the server, or of all its processes, is answered by a new server', async ({ expect }) => {
    const dataDir = await givenCluster()
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
    expect(lines.filter((line) => line === 'The database is running again')).toHaveLength(2)
  })

  test('in the middle of the first start leaves nothing half-made to later ones', async ({ expect }) => {
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
