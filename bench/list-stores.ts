/** A store with many rows, and a caller that times its answers. */
import { Agent } from 'node:http'
import path from 'node:path'
import { send } from '../drills/send.ts'
import { callStore, logInAt } from '../scripts/store-process.ts'
import { closeDays } from '../server/books/close-days.ts'
import { openDatabase, sql } from '../server/platform/database/database.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import type { EmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { SEED_PASSWORD, seededUsername, vacuumSeeded, type SeedSizes } from '../test/worlds/year.ts'
import { end, makeLargeStore, startNode, urlOf, type BenchNode } from './running-store.ts'

export const say = (line = '') => void process.stdout.write(`${line}\n`)

async function prepareStore(connection: Parameters<typeof urlOf>[0], sizes: SeedSizes): Promise<void> {
  const maintenance = openDatabase({ connection: { ...connection, database: 'postgres' }, poolSize: 1 })
  const name = connection.database
  const there = await maintenance.holds(sql`select exists (select from pg_database where datname = ${name})`)
  await maintenance.close()
  if (there) return void (await migrate(connection, 'server/migrations', () => {}))
  say(`${name}: ${JSON.stringify(sizes)}`)
  const db = await makeLargeStore(connection, sizes, (line) => say(`  ${line}`))
  await vacuumSeeded(connection)
  const began = performance.now()
  // As a store does each night, and once after an update
  const { closed } = await closeDays(db, new Date())
  say(`  books of ${closed} days closed in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  await db.close()
}

export interface Store extends Pick<BenchNode, 'port' | 'pid' | 'heldUp'> {
  sizes: SeedSizes
  /** @returns milliseconds. @throws Error unless it is answered with 200 */
  get(path: string, cookie: string): Promise<number>
  admin: string
  buyer: string
  productId: string
  batchId: string
  keyText: string
  utr: string
  stop(): Promise<void>
}

/** Fills the database, unless an earlier run has. */
export async function openStore(engine: EmbeddedPostgres, database: string, sizes: SeedSizes): Promise<Store> {
  const connection = { host: engine.host, port: engine.port, user: engine.user, database }
  await prepareStore(connection, sizes)
  const environment = { DATA_DIR: path.dirname(engine.logFile), DATABASE_URL: urlOf(connection) }
  const { child, port, pid, heldUp, logInAdmin } = await startNode(environment, { watchesLoop: true })
  const admin = await logInAdmin()
  const ask = (at: string, method = 'GET') => callStore({ port }, { method, path: at, cookie: admin })
  const username = seededUsername(Math.floor(sizes.users / 2))
  // The device lock of an earlier run on the same database
  const { users } = await ask(`/admin/users?search=${username}`)
  await ask(`/admin/users/${users[0]._id}/unlock-device`, 'POST')
  const buyer = await logInAt(`http://127.0.0.1:${port}`, '/auth/login', { username, password: SEED_PASSWORD })
  const productId = (await ask('/products'))[7]._id
  const [key] = await ask(`/keys?productId=${productId}&limit=1`)
  const { batches } = await ask('/keys/batches?limit=1')
  const { payments } = await ask('/payments?type=add_money&limit=1')
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  return {
    sizes,
    port,
    pid,
    heldUp,
    admin,
    buyer,
    productId,
    // A small store may have none
    batchId: batches[0]?._id ?? '',
    keyText: key?.key ?? '',
    utr: payments[0]?.utr ?? '',
    async get(at, cookie) {
      const started = performance.now()
      const { status, text } = await send({ port, method: 'GET', path: `/api${at}`, cookie, agent })
      if (status !== 200) throw new Error(`GET ${at}: ${status} ${text}`)
      return performance.now() - started
    },
    async stop() {
      agent.destroy()
      await end(child)
    },
  }
}
