/**
 * A network between two stores: calm, or bad, when it loses, doubles, delays, holds back and cuts what passes, or dead.
 */
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Received } from '../send.ts'

type Fault = 'pass' | 'lose request' | 'lose answer' | 'cut answer' | 'double' | 'delay' | 'hold back' | 'odd status'

/** Of a hundred purchases, and of a hundred reads. */
const OF_PURCHASES: readonly [Fault, number][] = [
  ['pass', 28],
  ['lose request', 10],
  ['lose answer', 14],
  ['cut answer', 10],
  ['double', 10],
  ['delay', 8],
  ['hold back', 8],
  ['odd status', 12],
]
const OF_READS: readonly [Fault, number][] = [
  ['pass', 76],
  ['lose request', 8],
  ['cut answer', 8],
  ['odd status', 8],
]
const ODD_STATUSES = [401, 403, 404, 429, 500, 503]
const PASSED_ON = ['authorization', 'accept', 'idempotency-key', 'if-none-match']

export interface BadNetwork {
  readonly origin: string
  /** Numbers of purchases of which a copy came late, so that another try may have been decided before. */
  readonly late: ReadonlySet<string>
  readonly purchases: number
  readonly faults: number
  /** From now on it is bad. */
  worsen(): void
  /** From now on nobody gets an answer, though every second purchase arrives. */
  die(): void
  /** Delivers what is held back, and lets all else pass, as at the start. */
  calm(): Promise<void>
  close(): Promise<void>
}

/** How long the supplier takes for a purchase while all is well, in ms. */
const USUAL_MS = 200

/** @param port of the store behind it, and the longest that a purchase is on its way */
export async function startBadNetwork({
  port,
  delayMsMax,
}: {
  port(): number
  delayMsMax: number
}): Promise<BadNetwork> {
  const late = new Set<string>()
  const held = new Set<() => void>()
  const running: Promise<void>[] = []
  let state: 'calm' | 'bad' | 'dead' = 'calm'
  let [purchases, faults] = [0, 0]

  const released = () => new Promise<void>((resolve) => held.add(resolve))
  const wait = async () => {
    if (state !== 'calm') await Promise.race([released(), sleep(randomInt(delayMsMax), undefined, { ref: false })])
  }

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const number = request.headers['idempotency-key'] as string | undefined
    const isDead = state === 'dead'
    const fault = state === 'bad' ? draw(number === undefined ? OF_READS : OF_PURCHASES) : 'pass'
    if (number !== undefined) purchases += 1
    if (fault !== 'pass') faults += 1
    const deliver = () => send({ port: port(), ...copyOf(request, body) })
    const end = isDead ? released() : undefined
    if (isDead && number !== undefined && purchases % 2 === 0) await deliver()
    await end
    if (isDead || fault === 'lose request') return void response.destroy()
    if (state === 'calm' && number !== undefined) await sleep(USUAL_MS)
    if (fault === 'delay' || fault === 'hold back') late.add(number ?? '')
    if (fault === 'hold back') response.destroy()
    if (fault === 'delay' || fault === 'hold back') await wait()
    if (fault === 'odd status') {
      if (randomInt(2) === 0) await deliver()
      return void response.writeHead(ODD_STATUSES[randomInt(ODD_STATUSES.length)] ?? 500).end('<h1>Odd</h1>')
    }
    const [answer] = await Promise.all(fault === 'double' ? [deliver(), deliver()] : [deliver()])
    if (answer && fault !== 'lose answer') return pass(answer, response, fault === 'cut answer')
    response.destroy()
  }

  const server = createServer((request, response) => {
    running.push(relay(request, response).catch(() => void response.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    late,
    get purchases() {
      return purchases
    },
    get faults() {
      return faults
    },
    worsen: () => void (state = 'bad'),
    die: () => void (state = 'dead'),
    async calm() {
      state = 'calm'
      for (const release of held) release()
      await Promise.all(running)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function copyOf({ method = '', url: path = '', headers: all }: IncomingMessage, body: string) {
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (all[name] === undefined ? [] : [[name, String(all[name])]])),
  )
  return { method, path, headers, ...(body !== '' && { body }), timeoutMs: 30_000 }
}

function draw(odds: readonly [Fault, number][]): Fault {
  let dice = randomInt(100)
  return odds.find(([, percent]) => (dice -= percent) < 0)?.[0] ?? 'pass'
}

function pass({ status, headers, text: body }: Received, response: ServerResponse, isCut: boolean): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    ...(typeof headers.etag === 'string' && { etag: headers.etag }),
    ...(status !== 304 && { 'content-length': bytes.length }),
  })
  if (!isCut) return void response.end(status === 304 ? undefined : bytes)
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}
