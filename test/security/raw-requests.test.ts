/** Bytes that are no request, or two servers would read as different ones (security.md: V4, 13.4). */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { openShop } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

describe('v5.0.0-4.2.1 requests that two servers would read differently', () => {
  const HEAD = 'POST /api/auth/logout HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
  const SMUGGLED = 'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  const CASES = {
    'a length beside chunks': `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'two lengths': `${HEAD}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${SMUGGLED}`,
    'a bad chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n0\r\n\r\n${SMUGGLED}`,
    'chunks that are not the last coding': `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'a bare line feed': `POST /api/auth/logout HTTP/1.1\nHost: 127.0.0.1\nX: y\rContent-Length: 3\r\n\r\n${SMUGGLED}`,
    'a space before the colon': `${HEAD}Content-Length : 5\r\n\r\n${SMUGGLED}`,
    'one length twice': `${HEAD}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`,
    'a list of lengths': `${HEAD}Content-Length: 2, 2\r\n\r\n{}${SMUGGLED}`,
    'chunks before a length': `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'two codings': `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'a coding of its own': `${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'a folded length': `${HEAD}Content-Length:\r\n 2\r\n\r\n{}${SMUGGLED}`,
    'a folded header': `${HEAD}X: one\r\n two\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
    'chunks in HTTP/1.0': `${HEAD.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    'a second host': `${HEAD}host: evil.test\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
    'the same host twice': `${HEAD}Host: 127.0.0.1\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
    'no host': `GET /api/health HTTP/1.1\r\n\r\n${SMUGGLED}`,
    'a list of hosts': `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1, evil.test\r\n\r\n${SMUGGLED}`,
    'a host with a path': `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1/@evil.test\r\n\r\n${SMUGGLED}`,
    'a target with a host': `GET http://evil.test/api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${SMUGGLED}`,
    'a target with no path': `OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${SMUGGLED}`,
    'two hosts for a page': `GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.test\r\n\r\n${SMUGGLED}`,
  }

  for (const [name, request] of Object.entries(CASES))
    test(`${name}: 400, and the connection is closed`, () =>
      withStore(async (store) => {
        const answer = await raw(store.url, request)
        expect(answer).toMatch(/^HTTP\/1\.1 400 /)
        expect(answer).toContain('"code":"INVALID_INPUT"')
        // A request behind it is at most refused as well
        expect(answer.match(/HTTP\/1\.1 \d+/g)?.filter((status) => !status.endsWith(' 400'))).toEqual([])
        expect(answer).not.toContain('"ok"')
      }))

  test('one host is one host: a name, an address of either kind, with a port or without', () =>
    withStore(async (store) => {
      for (const host of ['shop.example.in', 'SHOP.example.in:8443', '127.0.0.1:4000', '[::1]', '[::1]:4000', 'a_b'])
        expect(
          await raw(store.url, `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
          host,
        ).toMatch(/^HTTP\/1\.1 200 /)
      expect(await raw(store.url, 'GET /api/health HTTP/1.0\r\n\r\n'), 'a probe of the last century').toMatch(/ 200 /)
    }))
})

describe('v5.0.0-4.1.1 what never becomes a request', () => {
  const expectRefusal = (answer: string, status: number, code: string) => {
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z][\\w ]+\r\n`))
    for (const header of ['application/json; charset=utf-8', 'nosniff', 'no-store', 'close'])
      expect(answer.toLowerCase()).toContain(`: ${header}\r\n`)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.any(String) as string, code })
  }

  test('is answered as JSON with a code: nonsense, an endless header, one that takes too long', () =>
    withStore(async (store) => {
      expectRefusal(await raw(store.url, 'NONSENSE\r\n\r\n'), 400, 'INVALID_INPUT')
      const long = `GET /api/admin/users?search=${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
      expectRefusal(await raw(store.url, long), 431, 'PAYLOAD_TOO_LARGE')
      const { server } = store.app.http
      server.once('connection', (socket) =>
        server.emit('clientError', Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
      )
      expectRefusal(await raw(store.url, 'GET'), 408, 'SERVICE_UNAVAILABLE')
    }))

  test('is not answered in the middle of another answer', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ')
      const { hostname, port } = new URL(store.url)
      const socket = connect(Number(port), hostname)
      socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`)
      let answer = ''
      socket.on('data', (data: Buffer) => {
        if (answer === '') socket.write('NONSENSE\r\n\r\n')
        answer += data.toString()
      })
      socket.on('error', () => {})
      await new Promise((resolve) => socket.on('close', resolve))
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer).not.toContain('INVALID_INPUT')
      expect(answer).not.toContain('HTTP/1.1 400')
    }))
})

/** What a caller may write in any header that the way to a page reads. */
const NO_HOSTS = ['a b', '%', '[::1', '[::1]x', 'a:b', 'a:1:2', 'http://a', '::1', 'a,b', '@', '\u00e9', '%2e', '[]']
const NONSENSE = ['%', '%ff', 'a b', '[::1', '"', ',,;=;', '\u00e9', '=', 'a=%', '{"', '*;q=x', '-1', 'bytes=9-1']
const READ_FROM_PAGES =
  'cookie accept-language accept-encoding if-none-match if-modified-since range origin referer user-agent ' +
  'sec-fetch-site x-forwarded-host x-forwarded-proto x-forwarded-for forwarded content-length content-type expect'
const PAGES = ['/', '/login', '/admin', '/no/such', '/?language=hi', '/%', '/sw.js', '/manifest.webmanifest', '/phone']

test('v5.0.0-16.5.1 no header on the way to a page is a fault of the store, or a line in its error log', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-pages-'))
  cpSync('web/index.html', path.join(directory, 'index.html'))
  cpSync('web/public', directory, { recursive: true })
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  return withStore(
    async (store) => {
      const wrong: string[] = []
      const expectRefused = async (page: string, header: string, cookie: string, refused: boolean) => {
        const host = header.startsWith('Host') ? '' : 'Host: 127.0.0.1\r\n'
        const text = `GET ${page} HTTP/1.1\r\n${host}${header}\r\n${cookie}Connection: close\r\n\r\n`
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(await raw(store.url, text))?.[1])
        if (refused ? status !== 400 : !(status < 500)) wrong.push(`${page}, ${header}: ${status}`)
      }
      const { owner } = await openShop(store)
      const session = `Cookie: ${[...owner.cookies].map((pair) => pair.join('=')).join('; ')}\r\n`
      for (const page of PAGES)
        for (const cookie of ['', session])
          for (const host of NO_HOSTS) await expectRefused(page, `Host: ${host}`, cookie, true)
      for (const page of ['/', '/admin', '/manifest.webmanifest'])
        for (const name of READ_FROM_PAGES.split(' '))
          for (const value of NONSENSE) await expectRefused(page, `${name}: ${value}`, '', false)
      expect(wrong).toEqual([])
      expect(lines).toEqual([])
    },
    { webDirectory: directory, log, trustProxy: true },
  ).finally(() => rmSync(directory, { recursive: true }))
})

test('v5.0.0-13.4.4 TRACE is not answered with what was sent', () =>
  withStore(async (store) => {
    const answer = await raw(
      store.url,
      'TRACE /api/auth/me HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: chaabi_session=canary\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toContain('canary')
  }))

/** Sends bytes as they are, and reads until the server closes. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.setTimeout(5_000, () => socket.destroy(new Error(`The connection stays open: ${answer}`)))
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    )
    socket.on('close', () => resolve(answer))
  })
}
