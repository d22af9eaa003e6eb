/**
 * The same store on another engine: Debian's PostgreSQL 15, the oldest that is promised, reached by a
 * DATABASE_URL and not by the embedded server. Runs where that server is installed (CI installs it).
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../scripts/store-process.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { administer, inDatabase, type Engine } from './engine.ts'
import { openShop } from './worlds/shop.ts'
import { startStore } from './store.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const installed = existsSync(path.join(BIN, 'postgres'))

let engine: Engine
let stop = async () => {}

beforeAll(async () => {
  if (!installed) return
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-pg15-'))
  const asRoot = process.getuid?.() === 0
  // PostgreSQL refuses root; Debian's package has made this account
  const identity = asRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (asRoot) {
    chmodSync(directory, 0o755)
    spawnSync('chown', ['postgres:postgres', directory])
  }
  const data = path.join(directory, 'data')
  const made = spawnSync(
    path.join(BIN, 'initdb'),
    ['-D', data, '-U', 'shop', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
    {
      ...identity,
      encoding: 'utf8',
    },
  )
  expect(made.status, made.stderr).toBe(0)
  const port = await freePort()
  const server = spawn(
    path.join(BIN, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${directory}`,
      '-c',
      'fsync=off',
      '-c',
      'max_connections=60',
    ],
    { ...identity, stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  stop = async () => {
    server.kill('SIGINT')
    await ended
    rmSync(directory, { recursive: true, force: true })
  }
  const connection = { connectionString: `postgres://shop@127.0.0.1:${port}/postgres` }
  await untilReady(connection.connectionString)
  await administer(connection, 'create database template_shop')
  const role = await migrate(inDatabase(connection, 'template_shop'), path.resolve('server/migrations'), () => {})
  engine = { connection, template: 'template_shop', role }
})

afterAll(() => stop())

test.runIf(installed)('a shop opens, sells and balances its books on PostgreSQL 15', async () => {
  const store = await startStore(engine)
  const shop = await openShop(store)
  const product = await shop.product({ prices: { '10 Days': 100, '1 Month': 250 }, stock: 5 })
  const buyer = await shop.buyer({ balance: 500 })

  const bought = await buyer.post(
    '/keys/buy',
    { productId: product._id, duration: '10 Days', quantity: 2 },
    { 'idempotency-key': 'once' },
  )
  const again = await buyer.post(
    '/keys/buy',
    { productId: product._id, duration: '10 Days', quantity: 2 },
    { 'idempotency-key': 'once' },
  )

  expect(bought.status).toBe(200)
  expect(again.body).toEqual(bought.body)
  expect((await buyer.get('/auth/me')).body).toMatchObject({ balance: 300 })
  expect((await shop.owner.get('/payments/purchases')).body).toMatchObject({ total: 1, totalRevenue: 200 })
  expect((await shop.owner.get('/admin/users?search=BUYER')).body).toMatchObject({ total: 1 })
  expect((await shop.owner.get('/admin/overview')).status).toBe(200)
  expect((await buyer.get('/keys/user')).body).toHaveLength(2)
  expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  await expect(store.db.run({ text: 'delete from wallet_entries', values: [] })).rejects.toThrow(/permission denied/)
  await store.stop()
})

function idOf(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
}

async function untilReady(connectionString: string): Promise<void> {
  for (let look = 0; look < 200; look++) {
    const client = new pg.Client({ connectionString })
    const ready = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (ready) return
    await sleep(50)
  }
  throw new Error('PostgreSQL 15 does not answer')
}
