/** The texts that an owner reads at a start, at a terminal and in a service's log. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { bundleServer } from '../scripts/bundle-server.mjs'
import { freePort } from '../scripts/store-process.ts'
import { openDatabase, sql } from '../server/platform/database/database.ts'
import { newSecret } from '../server/platform/secrets/secret-keys.ts'
import { startPrimary, urlOf } from './worlds/engine-pair.ts'

/** Gives a program a terminal; that of macOS takes other arguments. */
const SCRIPT = '/usr/bin/script'
// Inside the project, so that its packages are found
const built = path.resolve(`.cache/start-${process.pid}`)
let program: string

beforeAll(async () => {
  program = await bundleServer(built, { sourcemap: false, logLevel: 'error' })
})

afterAll(() => rmSync(built, { recursive: true, force: true }))

/** Starts a store, ends it as soon as it runs, and gives what it said. */
async function startOnce(
  dataDir: string,
  port: number,
  atTerminal: boolean,
  settings: Record<string, string> = {},
): Promise<string[]> {
  const command = [process.execPath, program, 'start']
  const [file, ...args] = atTerminal ? [SCRIPT, '-qec', command.join(' '), '/dev/null'] : command
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: String(port), ...settings }
  const child = spawn(file!, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  try {
    await expect.poll(() => said, { timeout: 60_000, interval: 100 }).toMatch(/admin-login\r?\n/)
    // Ctrl+C comes through the terminal
    if (atTerminal) child.stdin.write('\x03')
    else child.kill('SIGTERM')
    await ended
  } finally {
    child.kill('SIGKILL')
  }
  return said.trim().split(/\r?\n/)
}

function givenFolder(): { dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chaabi-start-'))
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

test.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'at a terminal the first start says five plain lines, and a later one three',
  async () => {
    const { dataDir, remove } = givenFolder()
    const port = await freePort()
    const where = [
      'Chaabi is running. Press Ctrl+C to stop.',
      `Store:    http://127.0.0.1:${port}`,
      `Admin:    http://127.0.0.1:${port}/admin-login`,
    ]

    const first = await startOnce(dataDir, port, true)
    const second = await startOnce(dataDir, port, true)

    expect(first.slice(0, 4)).toEqual([...where, 'Username: admin'])
    expect(first[4]).toMatch(/^Password: [\w-]{20} \(shown only once\. Save it, log in and change it\.\)$/)
    expect(first.slice(5).filter((line) => !line.startsWith('^C'))).toEqual([])
    expect(second.filter((line) => !line.startsWith('^C'))).toEqual(where)
    remove()
  },
)

test('without a terminal the log has one JSON line an event, with both addresses and the password', async () => {
  const { dataDir, remove } = givenFolder()
  const port = await freePort()

  const said = await startOnce(dataDir, port, false)

  const plain = said.filter((line) => !line.startsWith('{'))
  expect(plain).toHaveLength(5)
  expect(plain[2]).toBe(`Admin:    http://127.0.0.1:${port}/admin-login`)
  const events = said.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { msg: string })
  expect(events.filter(({ msg }) => msg.startsWith('migrated: '))).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(/^migrated: 0001_store\.sql to \d{4}_\w+\.sql$/) }),
  ])
  const before = said.findIndex((line) => line.startsWith('Chaabi is running'))
  expect(before).toBeLessThan(5)
  remove()
})

test('with a public address elsewhere it is also said where the store listens', async () => {
  const { dataDir, remove } = givenFolder()
  const port = await freePort()

  const said = await startOnce(dataDir, port, false, { PUBLIC_URL: 'http://shop.example:8080' })

  expect(said.filter((line) => !line.startsWith('{')).slice(1, 4)).toEqual([
    'Store:    http://shop.example:8080',
    `Listens:  http://127.0.0.1:${port}`,
    'Admin:    http://shop.example:8080/admin-login',
  ])
  remove()
})

test('the first start makes the keys of messages, and a second node with another SECRET_KEY is refused', async () => {
  const { dataDir, remove } = givenFolder()
  const engine = await startPrimary(path.join(dataDir, 'postgres'))
  const db = openDatabase({ connection: urlOf(engine), poolSize: 1 })
  const [first, second] = ['first', 'second'].map((name) => path.join(dataDir, name)) as [string, string]
  const node = (secret: Buffer) => ({ DATABASE_URL: urlOf(engine), SECRET_KEY: secret.toString('base64') })
  const rows = () =>
    db.rows(sql(z.object({ sealed: z.instanceof(Buffer), migrations: z.number() }))`
      select sealed, (select count(*) from schema_migrations) as migrations from sealed_secrets order by name`)
  try {
    await startOnce(first, await freePort(), false, node(newSecret([])))
    const isThere = sql`select exists (select from sealed_secrets where name = 'vapid') as "isThere"`
    expect(await db.one(sql(z.object({ isThere: z.boolean() }))`${isThere}`)).toEqual({ isThere: true })
    // So that the second node is of a newer version, and would migrate
    await db.run(sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`)
    const before = await rows()
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: second, PORT: '0', ...node(newSecret([])) }
    const { status, stderr } = spawnSync(process.execPath, [program, 'start'], { env, encoding: 'utf8' })
    expect([status, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^Chaabi cannot start: The secret key \(SECRET_KEY .*doesn’t match this database/)],
    ])
    expect(await rows()).toEqual(before)
    expect(existsSync(second)).toBe(false)
  } finally {
    await db.close()
    await engine.stop()
    remove()
  }
})
