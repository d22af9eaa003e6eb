/**
 * Thousands of open pages in a process of their own, some of which buy: `node --import tsx drills/listeners.ts
 * OPTIONS.json`. Its last line of output is a ListenersReport.
 */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './drill.ts'
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
  /** Streams that got none of the news for everyone. */
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
/** For events that are on their way when the last purchase is answered. */
const LAST_EVENTS_MS = 2_000

/** The events that the pages got, with their delay. */
class Hearing {
  /** From a purchase's answer to the buyer's own event. */
  readonly own: number[] = []
  /** From the first page that hears an event for everyone to each other one. */
  readonly spread: number[] = []
  /** By event, when the first page got it. */
  readonly first = new Map<string, number>()
  readonly #buyers = new Set<string>()
  /** By buyer: when the purchase was answered, until its event comes; -1 if the event came first. */
  readonly #answered = new Map<string, number>()
  /** Parses a text for everyone once, because parsing it 10,000 times would be measured too. */
  #latest = { text: '', frames: framesOf('') }

  /** How many buyers got news for everyone. */
  get buyers(): number {
    return this.#buyers.size
  }

  /** Purchases whose event has not come. */
  get missing(): number {
    return [...this.#answered.values()].filter((at) => at !== -1).length
  }

  take(buyer: DrillBuyer, text: string): void {
    const now = performance.now()
    if (text !== this.#latest.text) this.#latest = { text, frames: framesOf(text) }
    for (const { name, id } of this.#latest.frames) {
      if (name === 'stock') {
        this.#buyers.add(buyer.id)
        const first = this.first.get(id)
        if (first === undefined) this.first.set(id, now)
        else this.spread.push(now - first)
      } else if (name === 'balance') {
        const at = this.#answered.get(buyer.id)
        if (at === undefined) {
          this.#answered.set(buyer.id, -1)
        } else {
          this.own.push(Math.max(0, now - at))
          this.#answered.delete(buyer.id)
        }
      }
    }
  }

  noteAnswer(buyer: DrillBuyer): void {
    if (this.#answered.get(buyer.id) === -1) {
      this.#answered.delete(buyer.id)
      this.own.push(0)
    } else {
      this.#answered.set(buyer.id, performance.now())
    }
  }
}

/** The streams of all buyers. */
class Streams {
  broken = 0
  readonly #options: ListenersOptions
  readonly #hearing: Hearing
  readonly #sockets = new Set<Socket>()
  #over = false

  constructor(options: ListenersOptions, hearing: Hearing) {
    this.#options = options
    this.#hearing = hearing
  }

  /** @returns how many are open */
  async openAll(): Promise<number> {
    const { buyers } = this.#options
    const began = performance.now()
    for (let n = 0; n < buyers.length && performance.now() - began < OPEN_MS_MAX; n += OPEN_AT_ONCE)
      await Promise.all(buyers.slice(n, n + OPEN_AT_ONCE).map((buyer) => this.#open(buyer)))
    return this.#sockets.size
  }

  close(): void {
    this.#over = true
    for (const socket of this.#sockets) socket.destroy()
  }

  #open(buyer: DrillBuyer): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.#options.port, host: '127.0.0.1' })
      let opened = false
      let rest = ''
      this.#sockets.add(socket)
      socket.setEncoding('latin1')
      socket.write(`GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${buyer.cookie}\r\n\r\n`)
      socket.on('data', (data: Buffer | string) => {
        const text = rest + String(data)
        if (!opened) {
          opened = true
          if (!text.startsWith('HTTP/1.1 200')) this.broken++
          resolve()
        }
        const end = text.lastIndexOf('\n\n')
        rest = end < 0 ? text : text.slice(end + 2)
        if (end >= 0) this.#hearing.take(buyer, text.slice(0, end))
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        if (!this.#over) this.broken++
        if (!opened) resolve()
      })
    })
  }
}

class Purchases {
  failed = 0
  /** How long each took. */
  readonly tookMs: number[] = []
  readonly #options: ListenersOptions
  readonly #hearing: Hearing
  readonly #agent = new Agent({ keepAlive: true })

  constructor(options: ListenersOptions, hearing: Hearing) {
    this.#options = options
    this.#hearing = hearing
  }

  /** Begins them at an even pace, however long each takes. */
  async run(): Promise<void> {
    const { buyers, purchasesPerS, forMs } = this.#options
    const until = performance.now() + forMs
    const underWay = new Set<Promise<void>>()
    const everyMs = 1_000 / purchasesPerS
    let due = performance.now()
    for (let n = 0; performance.now() < until; n++) {
      const buyer = buyers[(n * 7) % buyers.length]
      if (underWay.size >= UNDER_WAY_MAX) {
        this.failed++
      } else if (buyer) {
        const buying = this.#buy(buyer)
        underWay.add(buying)
        void buying.finally(() => underWay.delete(buying))
      }
      due += everyMs
      await sleep(Math.max(0, due - performance.now()))
    }
    await Promise.all(underWay)
  }

  async #buy(buyer: DrillBuyer): Promise<void> {
    const { port, productId, duration } = this.#options
    const started = performance.now()
    const answer = await send({
      port,
      method: 'POST',
      path: '/api/keys/buy',
      cookie: buyer.cookie,
      body: JSON.stringify({ productId, duration, quantity: 1 }),
      headers: { 'idempotency-key': randomUUID() },
      agent: this.#agent,
    }).catch(() => undefined)
    if (answer?.status !== 200) {
      this.failed++
      return
    }
    this.tookMs.push(performance.now() - started)
    this.#hearing.noteAnswer(buyer)
  }
}

async function main(): Promise<void> {
  const options = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ListenersOptions
  const hearing = new Hearing()
  const streams = new Streams(options, hearing)
  const purchases = new Purchases(options, hearing)

  const began = performance.now()
  const opened = await streams.openAll()
  const openMs = performance.now() - began
  await purchases.run()
  await sleep(LAST_EVENTS_MS)
  streams.close()

  const report: ListenersReport = {
    opened,
    openMs,
    broken: streams.broken,
    deaf: opened - hearing.buyers,
    bought: purchases.tookMs.length,
    failedPurchases: purchases.failed,
    own: { ...summary(hearing.own), missing: hearing.missing },
    spread: { ...summary(hearing.spread), deliveries: hearing.spread.length + hearing.first.size },
    buyP99Ms: summary(purchases.tookMs).p99,
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit(0)
}

function summary(values: number[]) {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), max: percentile(values, 1) }
}

function framesOf(text: string): { name: string | undefined; id: string }[] {
  return text
    .split('\n\n')
    .map((frame) => ({ name: /^event: (\w+)$/m.exec(frame)?.[1], id: /^id: (\S+)$/m.exec(frame)?.[1] ?? '' }))
}

if (process.argv[1]?.endsWith('listeners.ts')) await main()
