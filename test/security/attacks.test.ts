/**
 * Known attacks on stores of this kind: the same code many times in parallel, a token in another's place, odd
 * paths.
 */
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { codeOf, enrolled } from '../worlds/admins.ts'
import { endpoints } from '../contract/endpoints.ts'
import { openShop, OWNER } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

const STEP_MS = 30_000
const TIMES = 8
const atOnce = <T>(act: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: TIMES }, act))
const succeeded = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 200).length

test('v5.0.0-6.5.1 a code, a recovery code and a reset link work once, also for eight at the same moment', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { admin, secret, recoveryCodes } = await enrolled(shop)
    store.clock.advance(2 * STEP_MS)
    const logIn = (totp: string | undefined) => () =>
      store.browser().post('/admin/login', { username: admin.username, password: OWNER.password, totp })
    expect(succeeded(await atOnce(logIn(codeOf(shop, secret))))).toBe(1)
    expect(succeeded(await atOnce(logIn(recoveryCodes[0])))).toBe(1)

    const { link } = await shop.owner.api.users.issueResetLink({ id: (await shop.buyer()).id })
    const reset = () =>
      store.browser().post('/auth/reset-password', { token: link.split('#')[1], newPassword: 'a forgotten password' })
    expect(succeeded(await atOnce(reset))).toBe(1)
  }))

test('v5.0.0-7.2.4 a token that was planted before the login, or in another’s place, is worth nothing', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const planted = 'A'.repeat(43)
    const victim = store.browser()
    for (const name of ['chaabi_session', 'chaabi_admin']) victim.cookies.set(name, planted)
    await victim.post('/admin/login', OWNER)
    expect(victim.cookies.get('chaabi_admin')).not.toBe(planted)
    const thief = store.browser()
    for (const name of ['chaabi_session', 'chaabi_admin']) thief.cookies.set(name, planted)
    expect((await thief.get('/auth/me')).status).toBe(401)
    expect((await thief.get('/admin/users')).status).toBe(401)

    const buyer = await shop.buyer()
    buyer.cookies.set('chaabi_admin', buyer.cookies.get('chaabi_session') ?? '')
    expect((await buyer.get('/admin/users')).status).toBe(403)
  }))

test('v5.0.0-8.3.1 no odd path, method or header opens what is an admin’s', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const cookie = [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { hostname, port } = new URL(store.url)
    const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const sent = request({ hostname, port, method, path, headers: { cookie, ...headers } }, (response) => {
          let text = ''
          response.on('data', (data: Buffer) => (text += data.toString()))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        })
        sent.on('error', reject)
        sent.end()
      })
    for (const path of [
      '/api/admin/users/',
      '//api/admin/users',
      '/api//admin/users',
      '/api/./admin/users',
      '/api/products/../admin/users',
      '/api/products/%2e%2e/admin/users',
      '/api/products/..%2fadmin%2fusers',
      '/api/%61dmin/users',
      '/API/ADMIN/USERS',
      '/api/admin/users;a=b',
      '/api/admin/users%00',
      '/api/admin/users%20',
      '/api/admin\\users',
      '/api/auth/me?_method=GET&path=/admin/users/',
    ])
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const { status, text } = await ask(method, path)
        expect(status < 400 && !path.includes('auth/me'), `${method} ${path}: ${status}`).toBe(false)
        expect(text, path).not.toContain('"users"')
      }
    const override = {
      'x-http-method-override': 'DELETE',
      'x-original-url': '/api/admin/users',
      'x-rewrite-url': '/api',
    }
    expect((await ask('GET', '/api/auth/me', override)).text).toContain(buyer.username)
    const { text } = await ask('GET', '/api/no/such', { host: 'evil.test', 'x-forwarded-host': 'evil.test' })
    expect(text).not.toContain('evil.test')
    expect((await buyer.get('/auth/me')).status).toBe(200)
  }))

test('v5.0.0-7.2.1 calls of two people over one connection are answered to each, and the next one to nobody', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const [one, other] = [await shop.buyer(), await shop.buyer()]
    const { hostname, port } = new URL(store.url)
    const call = (cookies: Map<string, string>, more = '') =>
      `GET /api/auth/me HTTP/1.1\r\nHost: x\r\nCookie: ` +
      `${[...cookies].map((pair) => pair.join('=')).join('; ')}\r\n${more}\r\n`
    const told = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          call(one.cookies) + call(other.cookies) + call(new Map()) + call(one.cookies, 'Connection: close\r\n'),
        ),
      )
      socket.on('data', (data: Buffer) => (text += data.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })
    const names = [...told.matchAll(/"username":"(\w+)"|"code":"(\w+)"/g)].map(([, name, code]) => name ?? code)
    expect(names).toEqual([one.username, other.username, 'NO_SESSION', one.username])
  }))

// All but its end is sent: were it read before it is asked who sends it, there would be no answer until the time is up.
test('v5.0.0-5.2.3 whose session opens nothing is told so before a large body is read', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const text = `[${'[],'.repeat(10_000_000)}[]]`
    const { hostname, port } = new URL(store.url)
    const begin = (method: string, path: string, body: Buffer, headers: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = ''
        const head =
          `${method} /api${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ` +
          `${body.length}\r\n`
        const socket = connect(Number(port), hostname, () => {
          socket.write(`${head}${headers}\r\n`)
          socket.write(body.subarray(0, -1))
        })
        socket.on('data', (data: Buffer) => {
          answer += data.toString()
          if (answer.endsWith('}')) socket.destroy()
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(answer))
      })
    // A phone shows a token and no session (server/bank/inbox/phones.test.ts)
    const large = endpoints.filter(
      ({ endpoint }) => endpoint.bodyLimitBytes !== undefined && endpoint.access !== 'device',
    )
    expect(large).not.toEqual([])
    const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ')
    const body = Buffer.from(text)
    const calls = large.flatMap(({ endpoint: { method }, path }) => [
      begin(method, path, body, ''),
      begin(method, path, body, `Cookie: chaabi_admin=${'A'.repeat(43)}\r\n`),
      begin(method, path, body, `Cookie: ${cookie}\r\nOrigin: https://evil.test\r\n`),
    ])
    const told = (await Promise.all(calls)).map((answer) => answer.match(/^HTTP\/1\.1 \d+|"code":"\w+"/g))
    expect(told).toEqual(
      calls.map((_, n) =>
        n % 3 < 2 ? ['HTTP/1.1 401', '"code":"NO_SESSION"'] : ['HTTP/1.1 403', '"code":"CROSS_SITE"'],
      ),
    )
  }))
