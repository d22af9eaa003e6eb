/**
 * A load client in a process of its own: so many connections, each with one request under way, for so long.
 * Plain sockets, so that the client costs little beside the server that it measures.
 *
 * Run by fork with a `Load` message; answers with a `LoadResult` message.
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'

export interface Load {
  port: number
  connections: number
  forMs: number
  /**
   * Milliseconds between the requests of one connection; 0 for as fast as it goes. Each is due at its moment, also
   * after a late answer: clients that had to wait in that time must not all ask together from then on.
   */
  everyMs: number
  /** The number of answers in all after which it ends. */
  count?: number
  /** Each connection stays with one request, as a browser that polls does, and takes its own ETag along. */
  faithful?: boolean
  requests: {
    method: string
    path: string
    cookie?: string
    token?: string
    body?: string
    idempotent?: boolean
    etag?: boolean
  }[]
}

export interface LoadResult {
  /** By status. */
  answers: Record<string, number>
  perSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
}

const WARM_UP_MS = 1_000

process.once('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result, () => process.exit(0)))
})

async function run(load: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const answers: Record<string, number> = {}
  // A client that has just begun compiles itself, on the cores of what it measures: the first second does not count
  const started = performance.now() + (load.count === undefined ? WARM_UP_MS : 0)
  const until = started + load.forMs
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      converse(load, index, { started, until }, latencies, answers),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { answers, perSecond: latencies.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** One connection: asks, waits for the whole answer, asks again. */
function converse(
  load: Load,
  index: number,
  { started, until }: { started: number; until: number },
  latencies: number[],
  answers: Record<string, number>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true })
    let pending = Buffer.alloc(0)
    /** Since when the answer is waited for. */
    let asked = 0
    let due = performance.now() + (load.everyMs * index) / load.connections
    let etag = ''
    let turn = index
    const ask = (since = performance.now()) => {
      if (performance.now() >= until || latencies.length >= (load.count ?? Infinity)) {
        socket.end()
        resolve()
        return
      }
      const request = load.requests[turn % load.requests.length]
      // A step that shares no factor with the usual counts, so that connections spread over the requests
      if (!load.faithful) turn += 7_919
      if (!request) return
      asked = since
      const body = request.body ?? ''
      socket.write(
        `${request.method} ${request.path} HTTP/1.1\r\nhost: 127.0.0.1:${load.port}\r\n` +
          (request.cookie ? `cookie: ${request.cookie}\r\n` : '') +
          (request.token ? `authorization: Bearer ${request.token}\r\n` : '') +
          (request.idempotent ? `idempotency-key: ${randomUUID()}\r\n` : '') +
          (request.etag && etag ? `if-none-match: ${etag}\r\n` : '') +
          (body ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` : '') +
          `\r\n${body}`,
      )
    }
    // One after the other over the interval: people do not all click in the same millisecond
    socket.on('connect', () => setTimeout(ask, due - performance.now()))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = pending.toString('latin1', 0, headEnd)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      const chunked = /\r\ntransfer-encoding: chunked/i.test(head)
      const whole =
        length !== undefined
          ? pending.length >= headEnd + 4 + Number(length)
          : chunked
            ? pending.subarray(-5).toString('latin1') === '0\r\n\r\n'
            : true
      if (!whole) return
      const status = head.slice(9, 12)
      answers[status] = (answers[status] ?? 0) + 1
      etag = /\r\netag: (\S+)/i.exec(head)?.[1] ?? etag
      const now = performance.now()
      if (now >= started) latencies.push(now - asked)
      pending = Buffer.alloc(0)
      due += load.everyMs
      if (load.everyMs === 0) ask()
      else if (due < now) ask(due)
      else setTimeout(ask, due - now)
    })
  })
}
