/** The shop of the ninety days: two nodes that can be killed, an owner, and buyers whom an e-mail reaches. */
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, launchStore, type LaunchedStore } from '../../scripts/store-process.ts'
import { paise } from '../../contract/money.ts'
import { ensureFirstAdmin } from '../../server/admins/first-admin.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { hashToken, newId, newToken } from '../../server/platform/ids.ts'
import { hashPassword } from '../../server/platform/passwords/passwords.ts'
import { administer, clone, connect, type Engine } from '../../test/engine.ts'
import { patiently } from '../../test/patiently.ts'
import { TEST_SEALER, unique } from '../../test/worlds/constants.ts'
import { keysOf, seedKeys, seedProducts, seedUsers } from '../../test/worlds/seed.ts'
import { bundleServer } from '../bundle-server.ts'
import { newDirectory } from '../drill.ts'
import { send } from '../send.ts'
import { endLater } from '../store-process.ts'
import { moveClock } from './moved-clock.ts'
import type { NodeGiven } from './node.ts'

export const DURATIONS = ['3 Days', '7 Days', '1 Month']
/** In rupees, by duration. Owners change them. */
export const FIRST_PRICES = [100, 150, 300]
/** Less than any key that renews, so that nobody who has spent all can renew. */
export const OTHER_PRICE = 90
export const PASSWORD = 'a drill buyer password'
const OWNER = { username: 'owner', password: 'a drill owner password' }
const ANSWER_MS_MAX = 20_000
/** Sealing more in one transaction takes longer than it may be idle, on a busy machine. */
const KEYS_AT_ONCE = 1_000

export interface Person {
  id: string
  username: string
  token: string
  device: string
  /** Of the product that renews. */
  duration: string
}

export interface Shop {
  db: Database
  people: Person[]
  productId: string
  otherId: string
  now(): Date
  /** Moves the clock of both nodes. */
  pass(ms: number): void
  /** Any node answers. One that is dead or dying does not, and the next try goes to another. */
  ask(method: string, at: string, by: Person | 'owner' | 'nobody', body?: object): Promise<Answer>
  /** Kills one node or both, and starts them again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  /** Was asked more than once, because an answer got lost. */
  again: boolean
}

export async function openShop(engine: Engine, directories: string[], buyers: number): Promise<Shop> {
  const [database, clockFile] = [unique('chaabi_renewals_'), path.join(newDirectory(directories), 'ahead')]
  await clone(engine, database)
  const db = patient(connect(engine, database))
  let ahead = 0
  writeFileSync(clockFile, '')
  moveClock(clockFile, ahead)
  const now = () => new Date(Date.now() + ahead)
  const ownerToken = newToken()
  const seeded = await seedAll(db, { buyers, ownerToken, now: now() })
  const given: NodeGiven = { engine, database, clockFile }
  const nodes = await Promise.all([startNode(given), startNode(given)])
  await Promise.all(nodes.map(({ running }) => running().untilHealthy()))
  return {
    db,
    ...seeded,
    now,
    pass(ms) {
      ahead += ms
      moveClock(clockFile, ahead)
    },
    async ask(method, at, by, body) {
      const cookie = cookieOf(by, ownerToken)
      const headers = body && 'quantity' in body ? { 'idempotency-key': newId() } : {}
      for (let tries = 1; ; tries++) {
        const port = nodes[randomInt(nodes.length)]?.port ?? 0
        const sent = { port, method, path: `/api${at}`, cookie, headers, timeoutMs: ANSWER_MS_MAX }
        const answer = await send({ ...sent, ...(body && { body: JSON.stringify(body) }) }).catch(() => undefined)
        if (answer && answer.status !== 503)
          return { status: answer.status, body: JSON.parse(answer.text) as Answer['body'], again: tries > 1 }
        await sleep(50)
      }
    },
    async kill() {
      const killed = randomInt(3) === 0 ? nodes : nodes.slice(...(randomInt(2) === 0 ? [0, 1] : [1]))
      await Promise.all(killed.map(({ running }) => running().kill()))
      for (const node of killed) node.start()
      await Promise.all(killed.map(({ running }) => running().untilHealthy({ everyMs: 20 })))
    },
    async stop() {
      await Promise.all(nodes.map(({ running }) => running().kill()))
      await db.close()
      await administer(engine.connection, `drop database if exists ${database} with (force)`)
    },
  }
}

/** What the drill itself asks may wait on a busy machine. */
const patient = (db: Database): Database => ({
  ...db,
  rows: (query) => patiently(() => db.rows(query)),
  texts: (statement) => patiently(() => db.texts(statement)),
  text: (statement) => patiently(() => db.text(statement)),
  count: (statement) => patiently(() => db.count(statement)),
  holds: (statement) => patiently(() => db.holds(statement)),
  run: (statement) => patiently(() => db.run(statement)),
})

function cookieOf(by: Person | 'owner' | 'nobody', ownerToken: string): string {
  if (by === 'nobody') return ''
  return by === 'owner' ? `chaabi_admin=${ownerToken}` : `chaabi_session=${by.token}; chaabi_device=${by.device}`
}

async function startNode(given: NodeGiven) {
  const program = await bundleServer('drills/renewals/node.ts')
  const port = await freePort()
  let running: LaunchedStore
  const start = () => {
    running = launchStore({
      port,
      dataDir: '',
      program,
      environment: { DRILL_NODE: JSON.stringify(given) },
    })
  }
  start()
  endLater(() => running.kill())
  return { port, start, running: () => running }
}

async function seedAll(db: Database, { buyers, ownerToken, now }: { buyers: number; ownerToken: string; now: Date }) {
  await ensureFirstAdmin(db, OWNER, now)
  await db.run(sql`
    insert into admin_sessions (token_hash, admin_id, created_at, last_active_at, proven_at)
    select ${hashToken(ownerToken)}, id, ${now}, ${now}, ${now} from admins`)
  await db.run(sql`
    insert into channels (name, is_on) values ('email', true) on conflict (name) do update set is_on = true`)
  const people = Array.from({ length: buyers }, (_, n): Person => {
    const duration = DURATIONS[n % DURATIONS.length] ?? ''
    return { id: newId(), username: `renews${n}`, token: newToken(), device: newToken(), duration }
  })
  const users = people.map(({ token, device, ...each }) => ({
    ...each,
    balance: paise(2_000_00),
    session: { token, device },
  }))
  await seedUsers(db, users, { now, passwordHash: await hashPassword(PASSWORD) })
  await db.run(sql`update users set email_proven_at = ${now}`)
  const [productId, otherId, otherPriceId] = [newId(), newId(), newId()]
  const prices = DURATIONS.map((duration, n) => ({
    id: newId(),
    duration,
    listPrice: paise((FIRST_PRICES[n] ?? 0) * 100),
  }))
  const other = { id: otherPriceId, duration: '1 Day', listPrice: paise(OTHER_PRICE * 100) }
  const products = [
    { id: productId, name: 'Game that renews', prices },
    { id: otherId, name: 'Other game', prices: [other] },
  ]
  await seedProducts(db, products, now)
  const keys = [
    ...prices.flatMap(({ id, duration }) => keysOf(id, 2 * buyers, `FIRST-${duration}`)),
    ...keysOf(otherPriceId, 60 * buyers, 'OTHER'),
  ]
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE)
    await seedKeys(db, keys.slice(at, at + KEYS_AT_ONCE), { sealer: TEST_SEALER, now })
  return { people, productId, otherId }
}

/** Lets people come to the store, in the browser in which they were before. */
export async function comeBack(db: Database, people: readonly Person[], now: Date): Promise<void> {
  const rows = people.map(({ id, token, device }) => ({ id, token: hashToken(token), device: hashToken(device) }))
  for (const { id, token, device } of rows)
    await db.run(sql`
      with open as (update users set device_hash = ${device}, locked_at = ${now}
                     where id = ${id} and deleted_at is null and closes_at is null returning id)
      insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at)
      select ${token}, id, ${device}, ${now}, ${now} from open
      on conflict (token_hash) do update
        set created_at = ${now}, last_active_at = ${now}, ended_at = null, end_reason = null`)
}
