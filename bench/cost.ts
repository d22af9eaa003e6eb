/**
 * What one purchase costs, alone and in batches: bytes of log, index entries, buffers, statements and processor time,
 * without HTTP. Beside each time stands that of a function on a lean schema, and of one on the store's own schema.
 *
 * Log and entries are exact, read from the log by pg_walinspect. Times are those of the engine's one connection and of
 * this process. `--beside DIR` compares them with another checkout, turn by turn.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import * as z from 'zod/mini'
import { placeOrders } from '../server/orders/place-orders.ts'
import { openDatabase, prepared, sql, type Database, type Sql } from '../server/platform/database/database.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { newId } from '../server/platform/ids.ts'
import { makeFunctions } from './pgbench.ts'
import type { Bench } from './report.ts'
import { analyzeSeeded, checkpoint } from './running-store.ts'
import { benchId, DURATIONS, seedBuyers, seedCatalogue } from './seed.ts'

const BUYERS = 1_000
const PRODUCTS = 100
const BATCHES = [1, 4, 16, 32]
/** Orders of each batch size in a run. Half of them come right after a checkpoint. */
const ORDERS = 640
const DESCRIPTION_LETTERS = 141

export const bench: Bench = {
  title: 'What a purchase costs',
  seconds: 0,
  async measure({ runs }, report) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-bench-'))
    // A vacuum in between would be counted as a purchase's
    const settings = { autovacuum: 'off' }
    const engine = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: () => {}, settings })
    const { host, port, user, database } = engine
    const connection = { host, port, user, database }
    const role = await migrate(connection, 'server/migrations', () => {})
    const aside = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 600_000 })
    const db = openDatabase({ connection, poolSize: 1, ...(role !== undefined && { role }) })
    try {
      await seed(aside, runs)
      const shop = openShop(db)
      const measure = await openMeter(db, aside)
      for (const size of BATCHES.toReversed()) await shop.sell(size)
      await analyzeSeeded(aside)
      const found = BATCHES.map((size) => ({ size, own: [] as Cost[], plain: [] as Cost[], lean: [] as Cost[] }))
      for (let run = 0; run < runs; run++)
        for (const { size, own, plain, lean } of found) {
          own.push(await measure(() => shop.sell(size), { onePlan: true }))
          plain.push(await measure(() => shop.call(size, sql`bench.buy(buyer, product, 0)`)))
          lean.push(await measure(() => shop.call(size, sql`bench.buy_lean(buyer, product)`)))
        }
      for (const { size, own, plain, lean } of found) {
        const of = (what: keyof Cost) => own.map((cost) => cost[what])
        const name = (what: string) => `${what}, ${size} in a transaction`
        const besideLean = (what: keyof Cost) => ({ what: 'lean', values: lean.map((cost) => cost[what]) })
        report.add({ what: name('statements'), unit: 'statements', values: of('statements'), goal: { atMost: 6 } })
        report.add({ what: name('round trips'), unit: 'trips', values: of('roundTrips') })
        report.add({ what: name('index entries'), unit: 'entries', values: of('entries'), goal: { atMost: 13 } })
        report.add({ what: name('log'), unit: 'B', values: of('log'), goal: { atMost: 2_700 } })
        report.add({ what: name('log after a checkpoint'), unit: 'B', values: of('logAfterCheckpoint') })
        report.add({ what: name('buffers'), unit: 'pages', values: of('buffers') })
        report.add({ what: name('engine'), unit: 'µs', values: of('engine'), yardstick: besideLean('engine') })
        report.add({ what: name('server'), unit: 'µs', values: of('server'), yardstick: besideLean('server') })
        report.add({
          what: name('engine, own schema in a function'),
          unit: 'µs',
          values: plain.map((cost) => cost.engine),
          yardstick: besideLean('engine'),
        })
      }
    } finally {
      await Promise.all([db.close(), aside.close()])
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** Keys come in batches. Names and descriptions are as long as a store's. */
async function seed(db: Database, runs: number): Promise<void> {
  await seedBuyers(db, BUYERS)
  // Own schema and its function sell them, and each run sells as many as the warming
  const sold = 2 * ORDERS * BATCHES.length * (runs + 1)
  await seedCatalogue(db, { from: 0, count: PRODUCTS, stock: Math.ceil((2 * sold) / PRODUCTS) })
  await db.run(sql`
    update products set name = 'Game ' || sequence, description = repeat('x', ${DESCRIPTION_LETTERS})`)
  await db.run(sql`
    insert into key_batches (id, price_id, added, created_at, first_seq, last_seq)
    select price_id, price_id, count(*), now(), min(seq), max(seq) from license_keys group by price_id`)
  await db.run(sql`update license_keys set batch_id = price_id`)
  await db.run(prepared('vacuum full license_keys'))
  await db.run(prepared('create extension pg_walinspect'))
  await makeFunctions(db)
  await db.run(prepared('grant usage on schema bench to public'))
  await db.run(prepared('grant all on all tables in schema bench to public'))
}

/** What one purchase costs. Times are in µs, logs in bytes. Statements and round trips are a transaction's. */
interface Cost {
  log: number
  logAfterCheckpoint: number
  entries: number
  buffers: number
  statements: number
  roundTrips: number
  engine: number
  server: number
}

/** Sells orders of one key, in transactions of one size. Each function returns how many transactions that took. */
function openShop(db: Database) {
  const floors = new Map<string, number>()
  let next = 0
  const inBatches = async (size: number, sell: (drawn: number[]) => Promise<unknown>) => {
    const transactions = Math.ceil(ORDERS / size)
    for (let n = 0; n < transactions; n++) await sell(Array.from({ length: size }, () => next++))
    return transactions
  }
  return {
    /** Sells as the server does. */
    sell: (size: number) =>
      inBatches(size, async (drawn) => {
        const wanted = drawn.map((each) => ({
          buyerId: benchId(1, each % BUYERS),
          productId: benchId(2, each % PRODUCTS),
          duration: DURATIONS[0],
          quantity: 1,
          idempotency: { key: newId(), requestHash: Buffer.alloc(32, 1) },
        }))
        const options = { now: new Date(), floors, wait: false, shard: 0 }
        const outcomes = await db.transaction((tx) => placeOrders(tx, wanted, options), {
          readsFirst: true,
          onePlan: true,
        })
        for (const outcome of outcomes) {
          if (typeof outcome !== 'object' || !('keys' in outcome))
            throw new Error(`Not sold: ${JSON.stringify(outcome)}`)
          floors.set(outcome.offer.priceId, outcome.keys[0]?.seq ?? 0)
        }
      }),
    call: (size: number, purchase: Sql) =>
      inBatches(size, (drawn) =>
        db.run(sql`
          select ${purchase} from unnest(${drawn.map((each) => benchId(1, each % BUYERS))}::uuid[],
                                         ${drawn.map((each) => benchId(2, each % PRODUCTS))}::uuid[])
                                  as wanted (buyer, product)`),
      ),
  }
}

/**
 * @returns a function that does the work twice, first right after a checkpoint, and measures the second time, on the
 *   one connection that does it
 */
async function openMeter(db: Database, aside: Database) {
  const wire = watchWire()
  const look = async (how: { onePlan?: boolean }) => {
    const { pid } = await db.transaction(
      (tx) => tx.one(sql(z.object({ pid: z.number() }))`select pg_backend_pid() as pid, pg_stat_force_next_flush()`),
      how,
    )
    const { lsn, buffers } = await aside.one(sql(z.object({ lsn: z.string(), buffers: z.number() }))`
      select pg_current_wal_insert_lsn()::text as lsn, blks_hit + blks_read as buffers
        from pg_stat_database where datname = current_database()`)
    const { user, system } = process.cpuUsage()
    const stat = await readFile(`/proc/${pid}/schedstat`, 'utf8')
    return { lsn, buffers, server: user + system, engine: Number(stat.split(' ')[0]) / 1_000 }
  }
  const logged = (from: string, to: string) =>
    aside.one(sql(z.object({ bytes: z.number(), images: z.number(), entries: z.number() }))`
      select coalesce(sum(record_length), 0)::bigint as bytes, coalesce(sum(fpi_length), 0)::bigint as images,
             count(*) filter (where resource_manager = 'Btree' and record_type ~ '^(INSERT_LEAF|INSERT_POST|SPLIT)')
               as entries
        from pg_get_wal_records_info(${from}::pg_lsn, ${to}::pg_lsn)`)
  return async (work: () => Promise<number>, how: { onePlan?: boolean } = {}): Promise<Cost> => {
    await checkpoint(aside)
    const fresh = await look(how)
    await work()
    const before = await look(how)
    wire.reset()
    const transactions = await work()
    const { statements, roundTrips } = wire.counted()
    const after = await look(how)
    const [first, second] = [await logged(fresh.lsn, before.lsn), await logged(before.lsn, after.lsn)]
    return {
      log: (second.bytes - second.images) / ORDERS,
      logAfterCheckpoint: first.bytes / ORDERS,
      entries: second.entries / ORDERS,
      buffers: (after.buffers - before.buffers) / ORDERS,
      statements: statements / transactions,
      roundTrips: roundTrips / transactions,
      engine: (after.engine - before.engine) / ORDERS,
      server: (after.server - before.server) / ORDERS,
    }
  }
}

/** Counts what clients send: statements, and how often one is sent while no other is on its way. */
function watchWire() {
  const count = { statements: 0, roundTrips: 0 }
  let onTheirWay = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    const [asked] = sent as [string | { text: string }]
    count.statements += (typeof asked === 'string' ? asked : asked.text).split(/;\s*(?=\S)/).length
    if (onTheirWay++ === 0) count.roundTrips++
    const answer = Reflect.apply(query, this, sent) as unknown as Promise<unknown>
    const answered = () => void onTheirWay--
    answer.then(answered, answered)
    return answer
  } as typeof query
  return { reset: () => void Object.assign(count, { statements: 0, roundTrips: 0 }), counted: () => ({ ...count }) }
}
