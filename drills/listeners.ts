/**
 * Thousands of open pages in a process of their own, some of which buy: `node --import tsx drills/listeners.ts
 * OPTIONS.json`. Its last line of output is a ListenersReport.
 */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DrillBuyer } from './seed.ts'
import { send } from './send.ts'

export interface ListenersOptions {
  port: number
  productId: string
  duration: string
  buyers: DrillBuyer[]
  purchasesPerS: number
  forMs: number
}

export interface ListenersReport {
  opened: number
  openMs: number
  /** Streams that were refused, cut, or ended before the end. */
  broken: number
  /** Streams that heard none of the news for everyone. */
  deaf: number
  bought: number
  failedPurchases: number
  /** From a purchase's answer to the buyer's own event. */
  own: { p50: number; p99: number; max: number; missing: number }
  /** From the first page that hears an event for everyone to each other one. */
  spread: { p50: number; p99: number; max: number; deliveries: number }
  buyP99Ms: number
}

const OPEN_AT_ONCE = 200
/** Beyond these the figures speak of another machine: what is not open by then is counted as such. */
const OPEN_MS_MAX = 120_000
const UNDER_WAY_MAX = 500

async function main(): Promise<void> {
  const options = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ListenersOptions
  const firstHeard = new Map<string, number>()
  const spread: number[] = []
  const own: number[] = []
  /** By buyer: when the purchase was answered, until its event comes; -1 if the event came first. */
  const answered = new Map<string, number>()
  const sockets = new Set<Socket>()
  let broken = 0
  let over = false

  const heard = new Set<string>()
  /** Parses a text for everyone once, because parsing it 10,000 times would be measured too. */
  let latest = { text: '', frames: framesOf('') }
  const hear = (buyer: DrillBuyer, text: string): void => {
    const now = performance.now()
    if (text !== latest.text) latest = { text, frames: framesOf(text) }
    for (const { name, id } of latest.frames) {
      if (name === 'stock') {
        heard.add(buyer.id)
        const first = firstHeard.get(id)
        if (first === undefined) firstHeard.set(id, now)
        else spread.push(now - first)
      } else if (name === 'balance') {
        const at = answered.get(buyer.id)
        if (at !== undefined) {
          own.push(Math.max(0, now - at))
          answered.delete(buyer.id)
        } else {
          answered.set(buyer.id, -1)
        }
      }
    }
  }

  const open = (buyer: DrillBuyer): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: options.port, host: '127.0.0.1' })
      let opened = false
      let rest = ''
      sockets.add(socket)
      socket.setEncoding('latin1')
      socket.write(`GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${buyer.cookie}\r\n\r\n`)
      socket.on('data', (data: Buffer | string) => {
        const text = rest + String(data)
        if (!opened) {
          opened = true
          if (!text.startsWith('HTTP/1.1 200')) broken++
          resolve()
        }
        const end = text.lastIndexOf('\n\n')
        rest = end < 0 ? text : text.slice(end + 2)
        if (end >= 0) hear(buyer, text.slice(0, end))
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (!over) broken++
        if (!opened) resolve()
      })
    })

  const began = performance.now()
  for (let n = 0; n < options.buyers.length && performance.now() - began < OPEN_MS_MAX; n += OPEN_AT_ONCE)
    await Promise.all(options.buyers.slice(n, n + OPEN_AT_ONCE).map(open))
  const openMs = performance.now() - began
  const opened = sockets.size

  const agent = new Agent({ keepAlive: true })
  const body = JSON.stringify({ productId: options.productId, duration: options.duration, quantity: 1 })
  const buyMs: number[] = []
  let bought = 0
  let failedPurchases = 0
  const buy = async (buyer: DrillBuyer) => {
    const started = performance.now()
    const answer = await send({
      port: options.port,
      method: 'POST',
      path: '/api/keys/buy',
      cookie: buyer.cookie,
      body,
      headers: { 'idempotency-key': randomUUID() },
      agent,
    }).catch(() => undefined)
    if (answer?.status !== 200) {
      failedPurchases++
      return
    }
    bought++
    buyMs.push(performance.now() - started)
    if (answered.get(buyer.id) === -1) {
      answered.delete(buyer.id)
      own.push(0)
    } else {
      answered.set(buyer.id, performance.now())
    }
  }
  const until = performance.now() + options.forMs
  const underWay = new Set<Promise<void>>()
  const everyMs = 1_000 / options.purchasesPerS
  let due = performance.now()
  for (let n = 0; performance.now() < until; n++) {
    const buyer = options.buyers[(n * 7) % options.buyers.length]
    if (underWay.size >= UNDER_WAY_MAX) {
      failedPurchases++
    } else if (buyer) {
      const buying = buy(buyer)
      underWay.add(buying)
      void buying.finally(() => underWay.delete(buying))
    }
    due += everyMs
    await sleep(Math.max(0, due - performance.now()))
  }
  await Promise.all(underWay)
  await sleep(2_000)
  over = true
  const missing = [...answered.values()].filter((at) => at !== -1).length
  for (const socket of sockets) socket.destroy()
  const summary = (values: number[]) => {
    values.sort((a, b) => a - b)
    const at = (share: number) => values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
    return { p50: at(0.5), p99: at(0.99), max: at(1) }
  }
  const report: ListenersReport = {
    opened,
    openMs,
    broken,
    deaf: opened - heard.size,
    bought,
    failedPurchases,
    own: { ...summary(own), missing },
    spread: { ...summary(spread), deliveries: spread.length + firstHeard.size },
    buyP99Ms: summary(buyMs).p99,
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit(0)
}

function framesOf(text: string): { name: string | undefined; id: string }[] {
  return text
    .split('\n\n')
    .map((frame) => ({ name: /^event: (\w+)$/m.exec(frame)?.[1], id: /^id: (\S+)$/m.exec(frame)?.[1] ?? '' }))
}

if (process.argv[1]?.endsWith('listeners.ts')) await main()
