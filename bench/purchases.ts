/**
 * Purchases a second over HTTP, beside pgbench running the store's own purchase statements, one purchase a
 * transaction, on the same database in the same run. Session check, validation, idempotency, rate limit,
 * encrypted keys, ledger and durable commits are all on.
 *
 * `--sold 200000` first sells so many keys of the hot product, through the store: what is sold leaves dead index
 * entries behind until a vacuum comes, and buyers of the next key must not walk over them.
 */
import { open } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './http-load.ts'
import { makeFunctions, pgbench } from './pgbench.ts'
import { median, type Bench, type Report } from './report.ts'
import { expectOnly, expectOrder, startBenchStore, useLog, type BenchStore } from './running-store.ts'
import { purchase, seedBuyers, seedCatalogue } from './seed.ts'

const BUYERS = 500
const SPREAD_PRODUCTS = 20
const HOT_PRODUCT = 100
/** More than any machine here sells, because the stock must outlast the measuring. */
const FASTEST_PER_SECOND = 6_000
const KEYS_PER_ORDER_MAX = 100

export const bench: Bench = {
  title: 'Purchases of one key',
  seconds: 3,
  own: ['sold'],
  async measure({ runs, seconds, own }, report) {
    const sold = Number(own.sold ?? 0)
    const bulk = Math.ceil(FASTEST_PER_SECOND * seconds * (runs + 1))
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, BUYERS)
      await seedCatalogue(db, { from: 0, count: SPREAD_PRODUCTS, stock: Math.ceil((bulk * 3) / SPREAD_PRODUCTS) })
      await seedCatalogue(db, { from: HOT_PRODUCT, count: 1, stock: bulk + sold })
      await makeFunctions(db)
      await useLog(db)
    })
    const ask = async (requests: Load['requests'], connections: number) => {
      const result = await store.load({ connections, forMs: seconds * 1_000, everyMs: 0, requests })
      expectOnly('200', result)
      return result.perSecond
    }
    try {
      if (sold > 0) report.note(await sellBefore(store, sold))
      await ask(spread(), 32)
      const found = noFigures()
      for (let run = 0; run < runs; run++) {
        const engine = { sells: 'statements', buyers: BUYERS, products: SPREAD_PRODUCTS, clients: 32, seconds } as const
        const peak = await pgbench(store, engine)
        if (peak) found.yardstick.push(peak.perSecond)
        for (const [sells, figures] of [
          ['function', found.ofFunction],
          ['lean', found.lean],
        ] as const) {
          const one = await pgbench(store, { ...engine, sells })
          if (one) figures.push(one.perSecond)
        }
        found.apart.push(await ask(spread(), 32))
        found.hot32.push(await ask(only(HOT_PRODUCT), 32))
        found.apart128.push(await ask(spread(), 128))
        found.hot128.push(await ask(only(HOT_PRODUCT), 128))
        found.one.push(await ask(oneBuyer(), 32))
        const half = store.load({
          connections: 32,
          forMs: seconds * 1_000,
          everyMs: (32 / (median(found.apart) / 2)) * 1_000,
          requests: spread(),
        })
        found.wakings.push(await slowestWakings(half))
        found.slowest.push((await half).p99)
        const halfOfEngine = peak && (await pgbench(store, { ...engine, perSecond: peak.perSecond / 2 }))
        if (halfOfEngine) found.slowestOfEngine.push(halfOfEngine.p99)
        found.disk.push(await slowestWrites(store.dataDir, 1_000))
      }
      reportAll(report, found, runs)
      await expectOrder(store, report)
    } finally {
      await store.stop()
    }
  },
}

const noFigures = () => ({
  yardstick: [] as number[],
  ofFunction: [] as number[],
  lean: [] as number[],
  apart128: [] as number[],
  apart: [] as number[],
  hot32: [] as number[],
  hot128: [] as number[],
  one: [] as number[],
  slowest: [] as number[],
  slowestOfEngine: [] as number[],
  disk: [] as number[],
  wakings: [] as number[],
})

function reportAll(report: Report, found: ReturnType<typeof noFigures>, runs: number): void {
  const { yardstick, lean, apart, slowestOfEngine } = found
  const spreadOut = { what: 'spread', values: apart }
  report.add({
    what: `spread over ${SPREAD_PRODUCTS} products, 32 clients`,
    unit: '/s',
    values: apart,
    ...(yardstick.length === runs
      ? { yardstick: { what: 'pgbench, own SQL, 32 clients', values: yardstick }, goal: { atLeast: 0.8 } }
      : {}),
  })
  for (const [clients, values, atLeast] of [
    [32, apart, 0.4],
    [128, found.apart128, 0.6],
  ] as const) {
    if (lean.length !== runs) break
    const what = `spread, ${clients} clients`
    report.add({
      what: `${what}, beside a function`,
      unit: '/s',
      values,
      yardstick: { what: 'own schema', values: found.ofFunction },
    })
    report.add({
      what: `${what}, beside a lean function`,
      unit: '/s',
      values,
      yardstick: { what: 'lean schema, 32 clients', values: lean },
      goal: { atLeast },
    })
  }
  if (yardstick.length !== runs) report.note('pgbench is not installed: no yardstick.')
  for (const [what, values, atLeast] of [
    ['one hot product, 32 clients', found.hot32, 0.8],
    ['one hot product, 128 clients', found.hot128, 0.8],
    ['one buyer, 32 at once', found.one, 0.3],
  ] as const)
    report.add({ what, unit: '/s', values, yardstick: spreadOut, goal: { atLeast } })
  report.add({ what: 'p99 at half of the peak', unit: 'ms', values: found.slowest, goal: { atMost: 30 } })
  if (slowestOfEngine.length === runs)
    report.add({ what: 'p99 of pgbench at half of its own peak', unit: 'ms', values: slowestOfEngine })
  report.add({
    what: 'p99 of how late the machine wakes a process that sleeps for 1 ms, meanwhile',
    unit: 'ms',
    values: found.wakings,
  })
  report.add({ what: 'p99 of the disk alone, 8 kB and fdatasync, right after it', unit: 'ms', values: found.disk })
}

/** @returns a note for the report */
async function sellBefore(store: BenchStore, sold: number): Promise<string> {
  const started = performance.now()
  const count = Math.ceil(sold / KEYS_PER_ORDER_MAX)
  await store.load({ connections: 8, forMs: 600_000, everyMs: 0, requests: soldInBulk(), count })
  const tookS = ((performance.now() - started) / 1_000).toFixed(0)
  return `${sold.toLocaleString('en-IN')} keys of the hot product sold before, in ${tookS} s.`
}

/** Measures the disk, because a commit waits for it. @returns p99 in ms */
async function slowestWrites(directory: string, forMs: number): Promise<number> {
  const file = await open(path.join(directory, 'disk'), 'w')
  const block = Buffer.alloc(8_192, 1)
  const times: number[] = []
  for (const until = performance.now() + forMs; performance.now() < until;) {
    const began = performance.now()
    await file.write(block, 0, block.length, 0)
    await file.datasync()
    times.push(performance.now() - began)
  }
  await file.close()
  return p99(times)
}

/**
 * A purchase is some ten sleeps of four processes, each of which is woken by another.
 * @returns p99 in ms, while `work` lasts
 */
async function slowestWakings(work: Promise<unknown>): Promise<number> {
  const late: number[] = []
  const end = work.then(() => 'over')
  for (;;) {
    const began = performance.now()
    if (await Promise.race([end, sleep(1)])) break
    late.push(performance.now() - began - 1)
  }
  return p99(late)
}

const p99 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

const spread = () => Array.from({ length: BUYERS }, (_, n) => purchase(n, n % SPREAD_PRODUCTS))
const only = (product: number) => Array.from({ length: BUYERS }, (_, n) => purchase(n, product))
const oneBuyer = () => Array.from({ length: SPREAD_PRODUCTS }, (_, n) => purchase(0, n))
const soldInBulk = () => Array.from({ length: BUYERS }, (_, n) => purchase(n, HOT_PRODUCT, KEYS_PER_ORDER_MAX))
