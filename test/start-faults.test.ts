/** The texts that an owner reads when something of the machine fails: the real program, real faults. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleServer } from '../scripts/bundle-server.mjs'
import { freePort, launchStore } from '../scripts/store-process.ts'

const SCRIPT = '/usr/bin/script'
const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0
const DISK_MB = 120
// Inside the project, so that its packages are found
const built = path.resolve(`.cache/start-faults-${process.pid}`)
const folders = [built]
const disks: string[] = []
let program: string

beforeAll(async () => {
  program = await bundleServer(built, { sourcemap: false, logLevel: 'error' })
})

afterAll(() => {
  for (const disk of disks) spawnSync('umount', ['-l', disk])
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function givenFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chaabi-faults-'))
  folders.push(folder)
  return folder
}

const environment = (dataDir: string, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  PORT: '0',
  ...more,
})

function run(mode: string, dataDir: string, more: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, mode], {
    env: environment(dataDir, more),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, said: stderr.trim().split('\n'), output: stdout }
}

test('every address of this machine is said where the store listens on all', async () => {
  const port = await freePort()
  const env = environment(givenFolder(), { HOST: '0.0.0.0', PORT: String(port) })
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  try {
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/admin-login\n/)
    expect(said).toContain(`Store:    http://127.0.0.1:${port}\nListens:  http://0.0.0.0:${port}\n`)
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
  }
})

test('a reader that has read enough does not break a command', async () => {
  const dataDir = givenFolder()
  const child = spawn(process.execPath, [program, 'doctor'], { env: environment(dataDir) })
  let errors = ''
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  child.stdout.destroy()
  const status = await new Promise((resolve) => child.once('close', resolve))

  expect([status, errors]).toEqual([0, ''])
})

test.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'a demo whose terminal is closed leaves nothing behind',
  async () => {
    const folder = givenFolder()
    const env = { ...environment(folder), TMPDIR: folder }
    const terminal = spawn(SCRIPT, ['-qec', `${process.execPath} ${program} demo`, '/dev/null'], { env })
    let said = ''
    terminal.stdout.on('data', (part: Buffer) => (said += part.toString()))
    await expect.poll(() => said, { timeout: 90_000 }).toContain('admin-login')
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^chaabi-demo-/)])

    terminal.kill('SIGKILL')

    await expect.poll(() => readdirSync(folder), { timeout: 20_000 }).toEqual([])
  },
)

test.runIf(process.platform === 'linux')('a demo that was killed is taken away by the next one', async () => {
  const folder = givenFolder()
  const env = { ...environment(folder), TMPDIR: folder }
  const begin = async () => {
    const demo = spawn(process.execPath, [program, 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    demo.stdout.on('data', (part: Buffer) => (said += part.toString()))
    await expect.poll(() => said, { timeout: 90_000 }).toContain('admin-login')
    return demo
  }
  const ended = (demo: Awaited<ReturnType<typeof begin>>, signal: NodeJS.Signals) => {
    demo.kill(signal)
    return new Promise((resolve) => demo.once('close', resolve))
  }
  const first = await begin()
  const [killed] = readdirSync(folder)
  const living = path.join(folder, `chaabi-demo-${process.pid}-abcdef`)
  mkdirSync(living)
  await ended(first, 'SIGKILL')
  expect(readdirSync(folder)).toContain(killed)

  const second = await begin()
  expect(readdirSync(folder)).not.toContain(killed)
  expect(existsSync(living), 'of a demo that runs').toBe(true)
  await ended(second, 'SIGTERM')
  expect(readdirSync(folder)).toEqual([path.basename(living)])
})

test('a file where the data should be is said in a sentence by the start and by a command', () => {
  const file = path.join(givenFolder(), 'file')
  writeFileSync(file, '')
  for (const place of [file, path.join(file, 'below')])
    for (const mode of ['start', 'doctor'])
      expect(run(mode, place).said.at(-1), `${mode} ${place}`).toMatch(
        /No data can be in \S+: a file is in its way\. Set DATA_DIR to a folder that the store may write to\. \(/,
      )
})

/** A small disk with so much on it that nothing more fits. @returns a function that makes room again */
function fill(disk: string): () => void {
  const ballast = path.join(disk, 'ballast')
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k'])
  return () => rmSync(ballast)
}

test.runIf(isLinuxRoot)('a full disk is said in words by the start, the doctor and the backup', async () => {
  const disk = givenFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', disk])
  disks.push(disk)
  const dataDir = path.join(disk, 'data')
  const [words, ofStart] = ['', 'Chaabi cannot start: '].map(
    (lead) => new RegExp(`^${lead}The disk is full at .*\\. Free some room, then run this again\\. \\(`),
  ) as [RegExp, RegExp]
  mkdirSync(dataDir)
  const empty = fill(disk)
  expect(run('start', dataDir).said.at(-1), 'before there is a database').toMatch(ofStart)
  empty()
  const store = launchStore({ port: await freePort(), dataDir, program, isolated: true })
  await store.untilHealthy()

  const freeWhileItRuns = fill(disk)
  expect(run('backup', dataDir).said.at(-1)).toMatch(words)
  expect(run('doctor', dataDir).said.at(-1)).toMatch(words)
  freeWhileItRuns()
  await store.stop()

  fill(disk)
  expect(run('start', dataDir).said.at(-1), 'with a database').toMatch(ofStart)
  expect(run('doctor', dataDir).said.at(-1)).toMatch(words)
})

test('settings that everybody may read are broken', () => {
  const dataDir = givenFolder()
  const settings = path.join(givenFolder(), 'chaabi.env')
  writeFileSync(settings, 'SECRET_KEY=x\n')
  const ask = () => run('doctor', dataDir, { CHAABI_SETTINGS: settings })
  const words =
    'BROKEN Others who use the server can read its secrets. ' +
    `Everybody on this machine can read ${settings}. Run: sudo chown root:chaabi ${settings} &&`
  chmodSync(settings, 0o644)
  expect(ask()).toMatchObject({ status: 1, output: expect.stringContaining(words) as string })

  chmodSync(settings, 0o640)
  expect(ask().output).not.toContain('BROKEN')
})

test('the first password of an installed store is in a file and not in the log', async () => {
  const dataDir = givenFolder()
  const env = environment(dataDir, { CHAABI_INSTALLED: '1' })
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  const file = path.join(dataDir, 'first-password')
  try {
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/Password: in .*\n/)
    const [, password = 'none'] = /^Password: ([\w-]{20}) /m.exec(readFileSync(file, 'utf8')) ?? []
    expect(password).toHaveLength(20)
    expect(said).not.toContain(password)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
  }
})
