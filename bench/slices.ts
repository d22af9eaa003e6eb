/**
 * `npm run bench -- slices DIR [--rounds 14]`: purchases and reads here and in another checkout of the store, in turns
 * of a second, while both stores run. What else the machine does then falls on both alike, and not on one minute.
 * Beside the speed stands the processor time of server and engine for one request. DIR needs its own node_modules.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { cpuMs } from '../drills/process-figures.ts'
import type { Load, LoadResult } from './http-load.ts'
import { median } from './report.ts'

const SPREAD_PRODUCTS = 20
const HOT_PRODUCT = 100
const SHOWN_PRODUCTS = 30
const BUYERS = 500

/** Each takes about a second. */
interface Slice {
  what: string
  connections: number
  count: number
}

const SLICES: Slice[] = [
  { what: 'purchases, spread', connections: 32, count: 1_500 },
  { what: 'purchases, spread', connections: 128, count: 1_500 },
  { what: 'purchases, one hot product', connections: 32, count: 1_500 },
  { what: 'GET /products, visitor', connections: 32, count: 6_000 },
  { what: 'GET /products, signed in', connections: 32, count: 4_000 },
  { what: 'GET /auth/me', connections: 32, count: 6_000 },
  { what: 'GET /auth/balance-history?limit=50', connections: 32, count: 5_000 },
  { what: 'poll of /auth/me', connections: 32, count: 6_000 },
]

/** Times are in µs of the processor for one request. */
interface Figures {
  perSecond: number
  server: number
  engine: number
}

if (process.send) await serve()

export async function bench(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '14' } },
    allowPositionals: true,
  })
  const [there] = positionals
  if (there === undefined) throw new Error('Name the other checkout: npm run bench -- slices DIR')
  const sides = await Promise.all([startSide('.'), startSide(there)])
  console.log('| what | speed, here ÷ there | middle of the turns | processor, there ÷ here | server, engine here |')
  console.log('| --- | --- | --- | --- | --- |')
  try {
    for (const slice of SLICES) await compare(slice, sides, Number(values.rounds))
  } finally {
    for (const side of sides) side.disconnect()
  }
}

/** Two slices of each side come first, unmeasured. Who goes first changes with every round. */
async function compare(slice: Slice, [here, there]: [ChildProcess, ChildProcess], rounds: number): Promise<void> {
  for (const side of [here, there, there, here]) await ask(side, slice)
  const found = new Map<ChildProcess, Figures[]>([
    [here, []],
    [there, []],
  ])
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? [here, there] : [there, here]) found.get(side)?.push(await ask(side, slice))
  const [ours = [], theirs = []] = found.values()
  const sum = (figures: Figures[], of: (one: Figures) => number) => figures.reduce((all, one) => all + of(one), 0)
  const used = ({ server, engine }: Figures) => server + engine
  // All take as many requests, so that the times add up, not the speeds
  const seconds = (figures: Figures[]) => sum(figures, ({ perSecond }) => 1 / perSecond)
  const turns = ours.map(({ perSecond }, n) => perSecond / (theirs[n]?.perSecond ?? Number.NaN))
  const [server, engine] = [median(ours.map((one) => one.server)), median(ours.map((one) => one.engine))]
  console.log(
    `| ${slice.what}, ${slice.connections} clients | ${(seconds(theirs) / seconds(ours)).toFixed(3)} ` +
      `| ${median(turns).toFixed(3)} | ${(sum(theirs, used) / sum(ours, used)).toFixed(3)} ` +
      `| ${server.toFixed(0)} and ${engine.toFixed(0)} µs |`,
  )
}

function startSide(directory: string): Promise<ChildProcess> {
  const options = { cwd: directory, execArgv: ['--import', 'tsx'] }
  const side = fork(path.join(import.meta.dirname, 'slices.ts'), [], options)
  side.once('exit', (code) => {
    if (code !== 0) throw new Error(`The store in ${directory} ended with ${code}`)
  })
  return new Promise((resolve) => side.once('message', () => resolve(side)))
}

function ask(side: ChildProcess, slice: Slice): Promise<Figures> {
  side.send(slice)
  return new Promise((resolve) => side.once('message', (figures) => resolve(figures as Figures)))
}

/** One side: the store of the folder that this process runs in, with that folder's own programs. */
async function serve(): Promise<void> {
  const own = (file: string): Promise<unknown> => import(path.resolve('bench', file))
  const { startBenchStore, expectOnly } = (await own('running-store.ts')) as typeof import('./running-store.ts')
  const seed = (await own('seed.ts')) as typeof import('./seed.ts')
  const store = await startBenchStore(async (db) => {
    await seed.seedBuyers(db, BUYERS)
    await seed.seedCatalogue(db, { from: 0, count: SPREAD_PRODUCTS, stock: 15_000 })
    await seed.seedCatalogue(db, { from: HOT_PRODUCT, count: 1, stock: 60_000 })
    await seed.seedCatalogue(db, { from: HOT_PRODUCT + 1, count: SHOWN_PRODUCTS, stock: 50, durations: 4 })
  })
  const each = (request: (n: number) => Load['requests'][number]) =>
    Array.from({ length: BUYERS }, (_, n) => request(n))
  const requestsOf = (what: string): Load['requests'] => {
    if (what.startsWith('purchases'))
      return each((n) => seed.purchase(n, what.endsWith('spread') ? n % SPREAD_PRODUCTS : HOT_PRODUCT))
    const request = { method: 'GET', path: `/api${/\/[^, ]+/.exec(what)?.[0]}`, etag: what.startsWith('poll') }
    return what.endsWith('visitor') ? [request] : each((n) => ({ ...request, cookie: seed.buyerCookie(n) }))
  }
  const postmaster = Number(readFileSync(path.join(store.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  process.on('message', (slice: Slice) => void measure(slice).then((figures) => process.send?.(figures)))
  process.once('disconnect', () => void store.stop().then(() => process.exit(0)))
  const measure = async ({ what, connections, count }: Slice): Promise<Figures> => {
    const before = [cpuMs(store.pid) * 1_000, usedByEngine(postmaster)] as const
    const faithful = what.startsWith('poll')
    const requests = requestsOf(what)
    const result: LoadResult = await store.load({ connections, count, faithful, requests, forMs: 60_000, everyMs: 0 })
    if (!faithful) expectOnly('200', result)
    const answered = Object.values(result.answers).reduce((all, some) => all + some, 0)
    return {
      perSecond: result.perSecond,
      server: (cpuMs(store.pid) * 1_000 - before[0]) / answered,
      engine: (usedByEngine(postmaster) - before[1]) / answered,
    }
  }
  process.send?.('ready')
}

/** @returns the processor time of the engine's processes that live, in µs */
function usedByEngine(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  return [postmaster, ...children.map(Number)].reduce((all, pid) => all + cpuMs(pid) * 1_000, 0)
}
