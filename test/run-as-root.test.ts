/** Programs that root starts on somebody else's store: the real program, with a second account of this machine. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundleServer } from '../scripts/bundle-server.mjs'
import { freePort, launchStore, type LaunchedStore } from '../scripts/store-process.ts'

const asRoot = process.getuid?.() === 0
/** `daemon` on Debian and on macOS; the embedded database finds others. */
const SHOP = { uid: 1, gid: 1 }
// Inside the project, so that its packages are found
const built = path.resolve(`.cache/run-as-root-${process.pid}`)
const folders = [built]
const stores: LaunchedStore[] = []
let program: string

beforeAll(async () => {
  program = await bundleServer(built, { sourcemap: false, logLevel: 'error' })
})

afterAll(async () => {
  for (const store of stores) if (store.alive) await store.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** DATA_DIR in a folder that all may enter, made by `owner`. */
function givenDataDir(owner = { uid: 0, gid: 0 }): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'chaabi-root-')))
  folders.push(folder)
  chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  for (const each of [folder, dataDir]) chownSync(each, owner.uid, owner.gid)
  return dataDir
}

async function givenRunningStore(dataDir: string, account?: typeof SHOP, environment = {}): Promise<LaunchedStore> {
  const port = await freePort()
  const store = launchStore({ port, dataDir, program, isolated: true, account, environment })
  stores.push(store)
  await store.untilHealthy()
  return store
}

function begin(mode: string, args: string[], dataDir: string, account?: typeof SHOP, environment = {}) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir, ...environment }
  return spawn(process.execPath, [program, mode, ...args], { env, ...account })
}

async function run(...command: Parameters<typeof begin>) {
  const child = begin(...command)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

/** Its place of settings is in the home of who runs it. */
function copyByFakeRclone(dataDir: string) {
  const folder = path.join(dataDir, '..', 'bin')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'rclone'), '#!/bin/sh\necho "looks in $HOME" >&2\nexit 1\n', { mode: 0o755 })
  const environment = { PATH: `${folder}:${process.env.PATH}`, HOME: '/root', BACKUP_COPY_TO: 'rclone:place:' }
  return run('backup', ['--copy'], dataDir, undefined, environment)
}

const homeOf = (uid: number) =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((each) => each[2] === String(uid))?.[5]

const ownersIn = (dataDir: string): Record<string, number> =>
  Object.fromEntries(
    ['.', ...readdirSync(dataDir, { recursive: true })].map((name) => {
      const file = path.join(dataDir, String(name))
      return [file, statSync(file, { throwIfNoEntry: false })?.uid ?? SHOP.uid]
    }),
  )

const strangersIn = (dataDir: string): string[] =>
  Object.entries(ownersIn(dataDir)).flatMap(([file, uid]) => (uid === SHOP.uid ? [] : [file]))

test.runIf(asRoot)(
  'what root runs on the store of another account leaves that account’s files and nothing of root’s',
  async () => {
    const dataDir = givenDataDir(SHOP)
    const service = await givenRunningStore(dataDir, SHOP)
    for (const [mode, ...args] of [['backup'], ['doctor'], ['recover-admin', 'admin']])
      expect(await run(mode!, args, dataDir), mode).toMatchObject({ code: 0 })
    // Waits for a minute after it has written its files, so it is ended there
    const rotation = begin('rotate-keys', [], dataDir)
    const secrets = path.join(dataDir, 'secret.key')
    await vi.waitFor(() => expect(readFileSync(secrets, 'utf8')).toContain(','), { timeout: 20_000 })
    rotation.kill('SIGKILL')
    expect(strangersIn(dataDir)).toEqual([])
    expect(await run('backup', [], dataDir, SHOP)).toMatchObject({ code: 0 })

    await service.stop()
    expect(await run('backup', [], dataDir)).toMatchObject({ code: 0 })
    const [backup] = readdirSync(path.join(dataDir, 'backups')).toSorted().toReversed()
    const restored = await run('restore', [path.join(dataDir, 'backups', backup!), '--replace'], dataDir)
    expect(restored).toMatchObject({ code: 0 })
    expect(await run('restore', ['--forget'], dataDir)).toMatchObject({ code: 0 })
    await (await givenRunningStore(dataDir)).stop()
    expect(strangersIn(dataDir)).toEqual([])

    await givenRunningStore(dataDir, SHOP)
    expect(await run('backup', [], dataDir, SHOP)).toMatchObject({ code: 0 })
    expect((await copyByFakeRclone(dataDir)).output).toContain(`looks in ${homeOf(SHOP.uid)}`)

    // As an older version left it
    chownSync(path.join(dataDir, 'backups'), 0, 0)
    const refused = await run('backup', [], dataDir)
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(/permission denied, .+backups.+ Chaabi runs as daemon, who needs access to it/)
  },
)

test.runIf(asRoot)('a first start by root makes the store of the account that DATA_DIR was given to', async () => {
  const dataDir = givenDataDir(SHOP)
  await (await givenRunningStore(dataDir)).stop()
  expect(strangersIn(dataDir)).toEqual([])
  await givenRunningStore(dataDir, SHOP)
})

test.runIf(asRoot)('root keeps a store that it made itself, with a database that runs as PG_OS_USER', async () => {
  const dataDir = givenDataDir()
  const environment = { PG_OS_USER: 'daemon' }
  await (await givenRunningStore(dataDir, undefined, environment)).stop()
  const owners = ownersIn(dataDir)
  expect(owners[path.join(dataDir, 'postgres', 'PG_VERSION')]).toBe(SHOP.uid)
  expect(owners[path.join(dataDir, 'secret.key')]).toBe(0)

  await givenRunningStore(dataDir, undefined, environment)
  expect(await run('backup', [], dataDir)).toMatchObject({ code: 0 })
})

test.runIf(asRoot)('root keeps a store whose folder alone was given to another account', async () => {
  const dataDir = givenDataDir()
  await (await givenRunningStore(dataDir)).stop()
  chownSync(dataDir, SHOP.uid, SHOP.gid)

  const { alive } = await givenRunningStore(dataDir)

  expect(alive).toBe(true)
  expect(ownersIn(dataDir)[path.join(dataDir, 'secret.key')]).toBe(0)
})

test.runIf(asRoot)('an account without a name is told what it has no access to', async () => {
  const dataDir = givenDataDir()
  chmodSync(dataDir, 0o700)

  const { code, output } = await run('start', [], dataDir, { uid: 54_321, gid: 54_321 })

  expect(code).toBe(1)
  expect(output).toMatch(/permission denied, .+ Chaabi runs as the account with uid 54321, who needs access to it/)
})

test.runIf(asRoot)('a program that the owner of the store can’t read is told so', async () => {
  const dataDir = givenDataDir(SHOP)
  const hidden = realpathSync(mkdtempSync(path.join(tmpdir(), 'chaabi-hidden-')))
  folders.push(hidden)
  const script =
    "const { becomeOwner } = await import('./server/platform/engine/become-owner.ts'); " +
    'becomeOwner([process.argv[1]], process.argv[2])'
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, dataDir, hidden])
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))

  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))

  expect(code).not.toBe(0)
  expect(said).toContain(`belongs to daemon, who can’t read the program in ${hidden}`)
})
