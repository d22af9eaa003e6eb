/** The bytes on the wire: few, cached where they may be, on a connection that stays. */
import http from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test, type RunningStore } from './store.ts'

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** The port that it came to: the same for the same connection. */
  localPort: number | undefined
}

function ask(url: string, headers: Record<string, string>, agent?: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers, ...(agent && { agent }) }, (got) => {
        const { localPort } = got.socket
        const chunks: Buffer[] = []
        got.on('data', (chunk: Buffer) => chunks.push(chunk))
        got.on('error', reject)
        got.on('end', () =>
          resolve({ status: got.statusCode ?? 0, headers: got.headers, body: Buffer.concat(chunks), localPort }),
        )
      })
      .on('error', reject)
  })
}

async function firstScript(store: RunningStore): Promise<string> {
  const page = await ask(`${store.url}/`, {})
  const path = /src="(\/assets\/first[^"]+\.js)"/.exec(page.body.toString())?.[1]
  if (!path) throw new Error('The page names no script')
  return path
}

const ENCODINGS = [
  { accepts: 'gzip, deflate, br, zstd', sends: 'br', open: brotliDecompressSync },
  { accepts: 'gzip', sends: 'gzip', open: gunzipSync },
  { accepts: 'identity', sends: undefined, open: (body: Buffer) => body },
]

test('scripts are sent as they were compressed by the build, for good', async ({ demo }) => {
  const path = await firstScript(demo)
  const plain = await ask(demo.url + path, { 'accept-encoding': 'identity' })
  for (const { accepts, sends, open } of ENCODINGS) {
    const answer = await ask(demo.url + path, { 'accept-encoding': accepts })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(sends)
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers['vary']).toMatch(/accept-encoding/i)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    // Precompressed: its length is known before it is sent.
    expect(Number(answer.headers['content-length'])).toBe(answer.body.length)
    expect(open(answer.body).equals(plain.body)).toBe(true)
    const { etag } = answer.headers
    expect(etag).toBeTruthy()
    const again = await ask(demo.url + path, { 'accept-encoding': accepts, 'if-none-match': String(etag) })
    expect(again.status).toBe(304)
    expect(again.body.length).toBe(0)
  }
})

test('pages and answers are compressed, and a poll with nothing new has no body', async ({ demo }) => {
  for (const { accepts, sends, open } of ENCODINGS) {
    const page = await ask(`${demo.url}/`, { 'accept-encoding': accepts })
    expect(page.headers['content-encoding']).toBe(sends)
    expect(page.headers['vary']).toMatch(/cookie/i)
    expect(page.headers['vary']).toMatch(/accept-encoding/i)
    expect(page.headers['cache-control']).toBe('no-store')
    expect(open(page.body).toString()).toContain('</html>')

    const products = await ask(`${demo.url}/api/products`, { 'accept-encoding': accepts })
    expect(products.headers['content-encoding']).toBe(sends)
    expect(JSON.parse(open(products.body).toString())).toHaveLength(8)
    const poll = await ask(`${demo.url}/api/products`, {
      'accept-encoding': accepts,
      'if-none-match': String(products.headers['etag']),
    })
    expect(poll.status).toBe(304)
    expect(poll.body.length).toBe(0)
  }
})

test('a connection is kept for the next request', async ({ demo }) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const ports = []
  for (const path of ['/', '/api/products', await firstScript(demo)]) {
    const answer = await ask(demo.url + path, {}, agent)
    expect(answer.headers['connection']).toBe('keep-alive')
    ports.push(answer.localPort)
  }
  agent.destroy()
  expect(new Set(ports).size).toBe(1)
})

test('a new release is seen at once: neither the pages nor the worker are kept', async ({ demo }) => {
  expect((await ask(`${demo.url}/sw.js`, {})).headers['cache-control']).toBe('no-cache')
  expect((await ask(`${demo.url}/login`, {})).headers['cache-control']).toBe('no-store')
})
