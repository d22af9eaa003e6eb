/** The cost that one caller without an account may cause (security.md: 2.4.1, 15.2.2). */
import { connect } from 'node:net'
import zlib from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { readKept } from '../../server/platform/http/unread.ts'
import { withStore } from '../store.ts'

afterEach(() => void vi.restoreAllMocks())

/** Sends requests in one go on one connection. @returns all that is answered until it is closed, or until `enough` */
function sendAtOnce(url: string, requests: string, enough: (answered: string) => boolean): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let answered = ''
    const socket = connect(Number(port), hostname, () => socket.write(requests))
    socket.on('data', (part: Buffer) => {
      answered += part.toString('latin1')
      if (enough(answered)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(answered))
  })
}

const countAnswers = (text: string) => text.split('HTTP/1.1 200 OK\r\n').length - 1

test('v5.0.0-15.2.2 Thousands of requests at once on one connection get it closed, after few answers', () =>
  withStore(async (store) => {
    const requests = 'GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_500)
    const answered = await sendAtOnce(store.url, requests, (text) => countAnswers(text) === 2_500)
    expect(countAnswers(answered)).toBeLessThanOrEqual(17)
    expect((await store.browser().get('/health')).status).toBe(200)
  }))

test('A client that sends some requests ahead gets all answers, in their order', () =>
  withStore(async (store) => {
    const paths = ['health', 'no-such-path', 'products', 'auth/me', 'settings/site', 'health', 'notice', 'products']
    const requests = paths.map((path) => `GET /api/${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
    const answered = await sendAtOnce(store.url, requests.join(''), (text) => statusesOf(text).length === paths.length)
    expect(statusesOf(answered)).toEqual([200, 404, 200, 401, 200, 200, 200, 200])
  }))

test('v5.0.0-15.2.2 The description of the API is compressed once, whatever encodings a caller names', () =>
  withStore(async (store) => {
    const ask = async (encoding: string) => {
      const answer = await fetch(`${store.url}/api/openapi.json`, { headers: { 'accept-encoding': encoding } })
      await answer.arrayBuffer()
      return answer.headers.get('content-encoding')
    }
    const encodings = ['br', 'gzip', '*', 'BR;q=0.5, GZIP', 'x-gzip', 'identity;q=0, *;q=0.1', 'deflate', 'identity']
    // A thousand choices are not searched for the best one
    encodings.push('br;q=0.1, '.repeat(1_000))
    const expected = ['br', 'gzip', 'gzip', 'br', 'gzip', 'gzip', null, null, null]
    for (const encoding of encodings) await ask(encoding)

    const compressions = [
      vi.spyOn(zlib, 'brotliCompressSync'),
      vi.spyOn(zlib, 'gzipSync'),
      vi.spyOn(zlib, 'createBrotliCompress'),
      vi.spyOn(zlib, 'createGzip'),
    ]
    const given = []
    for (const encoding of encodings) given.push(await ask(encoding))

    expect(given).toEqual(expected)
    for (const each of compressions) expect(each).not.toHaveBeenCalled()
  }))

test.runIf(process.platform === 'linux')(
  'v5.0.0-15.2.2 Answers that nobody takes are thrown away, however their askers leave',
  () =>
    withStore(async (store) => {
      const { hostname, port } = new URL(store.url)
      const kept = async () => [...(await readKept(Number(port))).values()].reduce((sum, bytes) => sum + bytes, 0)
      const sockets = Array.from({ length: 20 }, (_, n) => {
        const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
        socket.pause()
        socket.on('error', () => {})
        socket.write(`GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n${n % 2 ? 'Connection: close\r\n' : ''}\r\n`)
        if (n % 4 === 0) socket.end()
        return socket
      })
      try {
        await vi.waitFor(async () => expect(await kept()).toBeGreaterThan(20 * 300_000), { timeout: 30_000 })

        const now = performance.now.bind(performance)
        let passedMs = 0
        vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
        const untilGone = async () => {
          passedMs += 70_000
          expect(await kept()).toBe(0)
        }
        await vi.waitFor(untilGone, { timeout: 40_000, interval: 3_000 })
      } finally {
        // The store would wait for them
        for (const socket of sockets) socket.destroy()
      }
      expect((await store.browser().get('/health')).status).toBe(200)
    }),
)

// With Node's own figures it is up to ninety seconds.
test('v5.0.0-15.2.2 who sends a header a second is let go within a minute', () =>
  withStore(async (store) => {
    const { hostname, port } = new URL(store.url)
    const began = performance.now()
    let answer = ''
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'))
      const dripping = setInterval(() => socket.write('X: a\r\n'), 1_000)
      socket.on('data', (data: Buffer) => (answer += data.toString()))
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(dripping)
        resolve()
      })
    })
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(performance.now() - began).toBeLessThan(60_000)
  }))
