/**
 * The buyers of a drill, in a process of their own, so that nothing that happens to the store can touch what they
 * know: `node --import tsx drills/buyers.ts OPTIONS.json`. Each makes an Idempotency-Key, sends the order under it
 * until the store has said yes or no, and writes "key order licence-keys user" into a file when the answer was yes.
 *
 * SIGTERM ends it: every order under way is first brought to an answer. Its last line of output is a BuyersReport.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './drill.ts'
import type { DrillBuyer } from './seed.ts'
import { send, type Received } from './send.ts'

export interface BuyersOptions {
  port: number
  /** The ports of several nodes in place of one. Each buyer stays at one of them. */
  ports?: number[]
  productId: string
  duration: string
  buyers: DrillBuyer[]
  /** The file of the acknowledged orders. */
  acknowledgedFile: string
  /** Ends after so many orders of each buyer. */
  ordersEach?: number
  /** The buyers begin at random moments within this time. */
  spreadMs?: number
  /** Pause of a buyer after each order. */
  pauseMs?: number
  /** True to send a failed order again. Otherwise it is counted. */
  again: boolean
  /** Sends each order again up to so many times: late, twice at the same moment, and between later ones. */
  repeats?: number
}

export interface BuyersReport {
  acknowledged: number
  /** By code, such as OUT_OF_STOCK. */
  refused: Record<string, number>
  /** 503 answers, and those of them without a Retry-After or the store's code. */
  unavailable: number
  unavailableWithoutRetryAfter: number
  /** No answer at all: connection refused, cut off. */
  cutOff: number
  /** Any other answer. */
  unexpected: Record<string, number>
  /** Orders whose outcome never came, or that failed and were not to be sent again. */
  failed: number
  /** The repeat of an order answered with another order. */
  contradicted: number
  sent: number
  longestMs: number
  longestUnavailableMs: number
  p50Ms: number
  p99Ms: number
}

/** The order and keys of an answer, as one text without a line's end: "order key,key". */
export function receiptOf(answer: string): string {
  const { order, keys } = JSON.parse(answer) as { order: { _id: string }; keys: { key: string }[] }
  return `${order._id} ${keys.map(({ key }) => key).join(',')}`
}

const AFTER_503_MS = 200
/** The shortest wait of a page before it tries again. A crowd that tries without a pause would measure itself. */
const AFTER_CUT_MS = 200
const LAST_ANSWER_MS_MAX = 45_000

class Buyers {
  readonly #options: BuyersOptions
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  readonly #body: string
  readonly #times: number[] = []
  readonly #report = emptyReport()
  #stopBy = Infinity

  constructor(options: BuyersOptions) {
    this.#options = options
    this.#body = JSON.stringify({ productId: options.productId, duration: options.duration, quantity: 1 })
  }

  /** Lets each order under way come to an answer, and begins no other. */
  stop(): void {
    this.#stopBy = performance.now() + LAST_ANSWER_MS_MAX
  }

  async run(): Promise<BuyersReport> {
    await Promise.all(this.#options.buyers.map((buyer) => this.#buy(buyer)))
    return { ...this.#report, p50Ms: percentile(this.#times, 0.5), p99Ms: percentile(this.#times, 0.99) }
  }

  async #buy(buyer: DrillBuyer): Promise<void> {
    const { spreadMs, ordersEach = Infinity, repeats: repeatsMax = 0, pauseMs, acknowledgedFile } = this.#options
    if (spreadMs !== undefined) await sleep(Math.random() * spreadMs)
    const earlier: { key: string; receipt: string }[] = []
    for (let n = 0; n < ordersEach && this.#stopBy === Infinity; n++) {
      const key = randomUUID()
      const repeats = Math.floor(Math.random() * repeatsMax)
      // Sends the order and its repeats together. Whichever comes first makes the order
      const twins = repeats > 0 && Math.random() < 0.5 ? 1 + Math.floor(Math.random() * 3) : 1
      const outcomes = await Promise.all(Array.from({ length: twins }, () => this.#order(buyer, key)))
      const [receipt = 'failed'] = outcomes
      if (outcomes.some((outcome) => outcome !== receipt)) this.#report.contradicted++
      if (receipt !== 'refused' && receipt !== 'failed') {
        this.#report.acknowledged++
        appendFileSync(acknowledgedFile, `${key} ${receipt} ${buyer.id}\n`)
        earlier.push({ key, receipt })
      }
      for (let late = twins; late < repeats; late++) {
        const old = earlier[Math.floor(Math.random() * earlier.length)]
        if (old && (await this.#order(buyer, old.key)) !== old.receipt) this.#report.contradicted++
      }
      if (pauseMs !== undefined) await sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  async #order(buyer: DrillBuyer, key: string): Promise<string> {
    for (;;) {
      const outcome = await this.#tryOnce(buyer, key)
      if (outcome !== undefined) return outcome
      if (!this.#options.again || performance.now() > this.#stopBy) {
        this.#report.failed++
        return 'failed'
      }
    }
  }

  /** @returns the order's id and its keys, 'refused', or undefined if the outcome is unknown */
  async #tryOnce(buyer: DrillBuyer, key: string): Promise<string | undefined> {
    const report = this.#report
    const began = performance.now()
    report.sent++
    const answer = await this.#send(buyer, key).catch((error: Error) => error)
    const tookMs = performance.now() - began
    report.longestMs = Math.max(report.longestMs, tookMs)
    if (answer instanceof Error) {
      report.cutOff++
      await sleep(AFTER_CUT_MS * (0.5 + Math.random()))
      return undefined
    }
    if (answer.status === 200) {
      this.#times.push(tookMs)
      return receiptOf(answer.text)
    }
    if (answer.status === 409 || answer.status === 422) {
      this.#times.push(tookMs)
      const { code } = JSON.parse(answer.text) as { code: string }
      report.refused[code] = (report.refused[code] ?? 0) + 1
      return 'refused'
    }
    if (answer.status === 503) {
      report.unavailable++
      report.longestUnavailableMs = Math.max(report.longestUnavailableMs, tookMs)
      if (!saysLater(answer)) report.unavailableWithoutRetryAfter++
    } else {
      const what = `${answer.status} ${answer.text.slice(0, 100)}`
      report.unexpected[what] = (report.unexpected[what] ?? 0) + 1
    }
    await sleep(AFTER_503_MS)
    return undefined
  }

  #send(buyer: DrillBuyer, key: string) {
    const { buyers, ports = [], port } = this.#options
    return send({
      port: ports[buyers.indexOf(buyer) % ports.length] ?? port,
      method: 'POST',
      path: '/api/keys/buy',
      cookie: buyer.cookie,
      body: this.#body,
      headers: { 'idempotency-key': key },
      agent: this.#agent,
    })
  }
}

/** True if a page knows from it that it shall try again, and when. */
export const saysLater = ({ headers, text }: Received): boolean =>
  headers['retry-after'] !== undefined && text.includes('"code":"SERVICE_UNAVAILABLE"')

function emptyReport(): BuyersReport {
  return {
    acknowledged: 0,
    refused: {},
    unavailable: 0,
    unavailableWithoutRetryAfter: 0,
    cutOff: 0,
    unexpected: {},
    failed: 0,
    contradicted: 0,
    sent: 0,
    longestMs: 0,
    longestUnavailableMs: 0,
    p50Ms: 0,
    p99Ms: 0,
  }
}

async function main(): Promise<void> {
  const buyers = new Buyers(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BuyersOptions)
  process.on('SIGTERM', () => buyers.stop())
  process.stdout.write(`${JSON.stringify(await buyers.run())}\n`)
  process.exit(0)
}

if (process.argv[1]?.endsWith('buyers.ts')) await main()
