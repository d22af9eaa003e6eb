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
import type { DrillBuyer } from './seed.ts'
import { send } from './send.ts'

export interface BuyersOptions {
  port: number
  /** The ports of several nodes in place of one. Each buyer stays at one of them. */
  ports?: number[]
  productId: string
  duration: string
  buyers: DrillBuyer[]
  /** Where what was acknowledged is written down. */
  acknowledgedFile: string
  /** Ends by itself after so many orders of each buyer. */
  ordersEach?: number
  /** The buyers begin at random moments within this time. */
  spreadMs?: number
  /** Pause of a buyer after each order. */
  pauseMs?: number
  /** Whether an order that failed is sent again; otherwise it is counted. */
  again: boolean
  /** Sends each order again up to so many times: late, twice at the same moment, and between later ones. */
  repeats?: number
}

export interface BuyersReport {
  acknowledged: number
  /** By code, such as OUT_OF_STOCK. */
  refused: Record<string, number>
  /** 503 answers, with a Retry-After and without. */
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

/** What the answer to a purchase says, as one text without a line's end: "order key,key". */
export function receiptOf(answer: string): string {
  const { order, keys } = JSON.parse(answer) as { order: { _id: string }; keys: { key: string }[] }
  return `${order._id} ${keys.map(({ key }) => key).join(',')}`
}

const AFTER_503_MS = 200
/** The shortest wait of a page before it tries again. A crowd that tries without a pause would measure itself. */
const AFTER_CUT_MS = 200
const LAST_ANSWER_MS_MAX = 45_000

async function main(): Promise<void> {
  const options = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BuyersOptions
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const body = JSON.stringify({ productId: options.productId, duration: options.duration, quantity: 1 })
  const times: number[] = []
  const report: BuyersReport = {
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
  let stopBy = Infinity
  process.on('SIGTERM', () => (stopBy = performance.now() + LAST_ANSWER_MS_MAX))
  const stopping = () => stopBy !== Infinity
  const { ports = [], port } = options
  const portOf = (buyer: DrillBuyer): number => ports[options.buyers.indexOf(buyer) % ports.length] ?? port

  /** @returns the order's id and its keys, 'refused', or undefined if the outcome is unknown */
  async function tryOnce(buyer: DrillBuyer, key: string): Promise<string | undefined> {
    const began = performance.now()
    report.sent++
    const answer = await send({
      port: portOf(buyer),
      method: 'POST',
      path: '/api/keys/buy',
      cookie: buyer.cookie,
      body,
      headers: { 'idempotency-key': key },
      agent,
    }).catch((error: Error) => error)
    const tookMs = performance.now() - began
    report.longestMs = Math.max(report.longestMs, tookMs)
    if (answer instanceof Error) {
      report.cutOff++
      await sleep(AFTER_CUT_MS * (0.5 + Math.random()))
      return undefined
    }
    if (answer.status === 200) {
      times.push(tookMs)
      return receiptOf(answer.text)
    }
    if (answer.status === 409 || answer.status === 422) {
      times.push(tookMs)
      const { code } = JSON.parse(answer.text) as { code: string }
      report.refused[code] = (report.refused[code] ?? 0) + 1
      return 'refused'
    }
    if (answer.status === 503) {
      report.unavailable++
      report.longestUnavailableMs = Math.max(report.longestUnavailableMs, tookMs)
      if (answer.headers['retry-after'] === undefined) report.unavailableWithoutRetryAfter++
      await sleep(AFTER_503_MS)
      return undefined
    }
    const what = `${answer.status} ${answer.text.slice(0, 100)}`
    report.unexpected[what] = (report.unexpected[what] ?? 0) + 1
    await sleep(AFTER_503_MS)
    return undefined
  }

  async function order(buyer: DrillBuyer, key: string): Promise<string> {
    for (;;) {
      const outcome = await tryOnce(buyer, key)
      if (outcome !== undefined) return outcome
      if (!options.again || performance.now() > stopBy) {
        report.failed++
        return 'failed'
      }
    }
  }

  async function buy(buyer: DrillBuyer): Promise<void> {
    if (options.spreadMs !== undefined) await sleep(Math.random() * options.spreadMs)
    const earlier: { key: string; receipt: string }[] = []
    for (let n = 0; n < (options.ordersEach ?? Infinity) && !stopping(); n++) {
      const key = randomUUID()
      const repeats = options.repeats === undefined ? 0 : Math.floor(Math.random() * options.repeats)
      // Sends the order and its repeats together. Whichever comes first makes the order
      const twins = repeats > 0 && Math.random() < 0.5 ? 1 + Math.floor(Math.random() * 3) : 1
      const outcomes = await Promise.all(Array.from({ length: twins }, () => order(buyer, key)))
      const [receipt = 'failed'] = outcomes
      if (outcomes.some((outcome) => outcome !== receipt)) report.contradicted++
      if (receipt !== 'refused' && receipt !== 'failed') {
        report.acknowledged++
        appendFileSync(options.acknowledgedFile, `${key} ${receipt} ${buyer.id}\n`)
        earlier.push({ key, receipt })
      }
      for (let late = twins; late < repeats; late++) {
        const old = earlier[Math.floor(Math.random() * earlier.length)]
        if (old && (await order(buyer, old.key)) !== old.receipt) report.contradicted++
      }
      if (options.pauseMs !== undefined) await sleep(options.pauseMs * (0.5 + Math.random()))
    }
  }

  await Promise.all(options.buyers.map(buy))
  times.sort((a, b) => a - b)
  report.p50Ms = times[Math.floor(times.length / 2)] ?? 0
  report.p99Ms = times[Math.floor(times.length * 0.99)] ?? 0
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit(0)
}

if (process.argv[1]?.endsWith('buyers.ts')) await main()
