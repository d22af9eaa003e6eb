/** Every read without an account, in its most costly forms. */
import { readdirSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import path from 'node:path'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newToken } from '../../server/platform/ids.ts'
import { percentile } from '../drill.ts'
import { cpuMs } from '../process-figures.ts'
import { send } from '../send.ts'
import type { StoreProcess } from '../store-process.ts'
import { PICTURE } from './open-store.ts'
import type { Scenario } from './scenario.ts'

/** Times the cost of `GET /products`. The quick form measures too little for a tighter goal. */
const TIMES_MAX = { whole: 5, quick: 15 }
const ASSETS = path.resolve(import.meta.dirname, '../../dist/web')
const AT_ONCE = 8
const YARDSTICK_EVERY = 12
const WARM_REQUESTS = 40
const REQUESTS_AT_ONCE_MAX = 200
const REQUESTS_MAX = 4_000

interface Asked {
  path: string
  method?: string
  headers?: Record<string, string>
}

export const askCostly: Scenario = async ({ store, quick, say }) => {
  const leastMs = quick ? 60 : 400
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const measure = (asked: Asked) => costOf(store, asked, { agent, leastMs })
  const asks = quick ? [...everyAsked()].filter((_, n) => n % 8 === 0) : [...everyAsked()]
  const costs: { name: string; ms: number; asked: Asked }[] = []
  const yardsticks: number[] = []
  // The first ones are dearer, until the engine has compiled what they need
  await measure(YARDSTICK)
  for (const [n, asked] of asks.entries()) {
    // In between, so that other work on the machine makes both dearer
    if (n % YARDSTICK_EVERY === 0) yardsticks.push(await measure(YARDSTICK))
    costs.push({ name: nameOf(asked), ms: await measure(asked), asked })
  }
  const yardstickMs = percentile(yardsticks, 0.5)
  const timesMax = quick ? TIMES_MAX.quick : TIMES_MAX.whole
  // Other programs only add to a figure. So one that is too high is measured again, and the lower one counts
  for (const cost of costs) if (cost.ms > timesMax * yardstickMs) cost.ms = Math.min(cost.ms, await measure(cost.asked))
  agent.destroy()
  costs.sort((a, b) => b.ms - a.ms)
  for (const { name, ms } of costs) say(`${ms.toFixed(2)} ms CPU, ${(ms / yardstickMs).toFixed(1)} times: ${name}`)
  const [dearest] = costs
  return [
    {
      what:
        `the dearest of ${costs.length} reads, ${dearest?.name}, of GET /products' ${yardstickMs.toFixed(2)} ms ` +
        'CPU,',
      value: (dearest?.ms ?? 0) / yardstickMs,
      goal: timesMax,
      unit: 'times',
    },
  ]
}

const YARDSTICK: Asked = { path: '/api/products' }
const ENCODINGS = ['br', 'gzip', '*', 'BR;q=0.5, GZIP', 'deflate', 'zstd, deflate', 'identity;q=0, *;q=0.1']
const PAGES = ['/', '/login', '/signup', '/terms-policy', '/buy', '/my-key', '/admin', '/admin-login', '/no-such-page']

function* everyAsked(): Iterable<Asked> {
  const answers = Object.values(api)
    .flatMap((endpoints) => Object.values(endpoints as Record<string, Endpoint>))
    .filter((each) => each.method === 'GET' && each.access !== 'operator' && each.stream !== 'text/event-stream')
    .map((endpoint) => `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, 'DRILL')}`)
  for (const each of answers) yield { path: each }
  const largest = filesOf(ASSETS).slice(0, 6)
  for (const each of [...PAGES, ...largest]) yield { path: each }
  const document = '/api/openapi.json'
  for (const each of ['/', '/terms-policy', '/no-such-page', document, '/api/products', ...largest])
    for (const encoding of ENCODINGS) yield { path: each, headers: { 'accept-encoding': encoding } }
  for (const each of ['/', document, '/api/products', ...largest.slice(0, 2)]) {
    yield { path: each, method: 'HEAD', headers: { 'accept-encoding': 'br' } }
    yield { path: each, headers: { range: 'bytes=0-0,2-2,4-4', 'accept-encoding': 'br' } }
    yield { path: each, headers: { 'if-none-match': '"x", '.repeat(2_000) } }
    yield { path: `${each}?${'a=b&'.repeat(2_500)}` }
    yield { path: each, headers: { cookie: 'a=b; '.repeat(2_500) } }
    yield { path: each, headers: { 'accept-encoding': 'br;q=0.1, '.repeat(1_000) } }
    yield { path: each, headers: { cookie: `chaabi_session=${newToken()}; chaabi_device=${newToken()}` } }
    yield { path: each, headers: { cookie: `chaabi_admin=${newToken()}` } }
  }
  for (const each of ['/', '/login', '/signup', '/terms-policy'])
    for (const encoding of ['identity', 'br'])
      yield { path: `${each}?ref=FRIEND`, headers: { 'accept-encoding': encoding } }
  yield { path: `/${'/'.repeat(10_000)}` }
  for (const name of [PICTURE, PICTURE.replace('0', '1'), 'no-such-picture']) yield { path: `/pictures/${name}` }
  yield { path: '/assets/no-such-file.js' }
  yield { path: '/%zz' }
  yield { path: `/api/${'x/'.repeat(5_000)}` }
}

/** Returns the paths of the served files, the largest first. */
function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz|map)$|^index\.html$|^unavailable\.html$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/.vite/'))
    .map((file) => ({ address: file.slice(directory.length), bytes: statSync(file).size }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ address }) => address)
}

function nameOf({ path: asked, method = 'GET', headers = {} }: Asked): string {
  const sent = Object.entries(headers).map(([name, value]) => `, ${name}: ${shorten(value)}`)
  return `${method} ${shorten(asked)}${sent.join('')}`
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text)

/** @returns CPU time of the server's process for one request, in ms; an average over as many as take `leastMs` */
async function costOf(
  { port, pid }: StoreProcess,
  { path: asked, method = 'GET', headers = {} }: Asked,
  { agent, leastMs }: { agent: Agent; leastMs: number },
): Promise<number> {
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => send({ port, method, path: asked, headers, agent })))
  }
  await ask(WARM_REQUESTS)
  const before = cpuMs(pid)
  let done = 0
  while (cpuMs(pid) - before < leastMs && done < REQUESTS_MAX) {
    await ask(REQUESTS_AT_ONCE_MAX)
    done += REQUESTS_AT_ONCE_MAX
  }
  return (cpuMs(pid) - before) / done
}
