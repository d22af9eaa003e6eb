/** Headers that every answer has, and checks that every request meets (security.md: V1, V3, V4, 15.3, 16.5). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { vapidKeys } from '../../server/messages/channels/push.ts'
import { prepared, sql } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { openShop, OWNER, PASSWORD, type Shop } from '../worlds/shop.ts'
import { withStore, type Answer, type TestStore } from '../store.ts'
import { unique } from '../worlds/constants.ts'

const endpoints = Object.values(api).flatMap((all) => Object.values(all as Record<string, Endpoint>))
const pathOf = ({ path }: Endpoint) => path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, () => newId())

function expectSafeHeaders({ status, headers }: Answer, what: string): void {
  expect(headers.get('content-type'), what).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control'), what).toBe('no-store')
  expect(headers.get('x-content-type-options'), what).toBe('nosniff')
  expect(headers.get('x-frame-options'), what).toBe('DENY')
  expect(headers.get('referrer-policy'), what).toBe('same-origin')
  expect(headers.get('content-security-policy'), what).toBe("default-src 'none';frame-ancestors 'none'")
  expect(headers.get('cross-origin-opener-policy'), what).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy'), what).toBe('same-origin')
  expect(headers.get('permissions-policy'), what).toContain('camera=()')
  expect(headers.get('x-powered-by') ?? headers.get('server'), what).toBeNull()
  expect(
    [...headers.keys()].filter((name) => name.startsWith('access-control')),
    `${what} ${status}`,
  ).toEqual([])
}

describe('v5.0.0-3.4.4 v5.0.0-4.1.1 v5.0.0-14.3.2 headers', () => {
  test('are on every answer of the API, refusals and errors included', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const hostile = { origin: 'https://evil.test' }
      for (const endpoint of endpoints.filter((each) => !each.stream)) {
        const name = `${endpoint.method} ${endpoint.path}`
        expectSafeHeaders(await store.browser().call(endpoint.method, pathOf(endpoint), undefined, hostile), name)
        if (endpoint.method === 'GET') expectSafeHeaders(await owner.get(pathOf(endpoint)), name)
      }
      expectSafeHeaders(await store.browser().get('/no/such/path'), '404')
      for (const unreadable of ['/%', '/%zz', '/auth/%c0%ae', `/${'x'.repeat(2_000)}`])
        expectSafeHeaders(await store.browser().get(unreadable), unreadable)
      expectSafeHeaders(await store.browser().post('/auth/login', '{'), 'invalid JSON')
      expectSafeHeaders(await store.browser().post('/auth/login', { username: 'x'.repeat(200_000) }), '413')
      expectSafeHeaders(
        await store.browser().post('/auth/login', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
        '415',
      )
    }))

  test('v5.0.0-3.4.1 keep the browser on HTTPS for a year, behind HTTPS', () =>
    withStore(
      async (store) => {
        for (const path of ['/health', '/no/such/path', '/auth/me'])
          expect((await store.browser().get(path)).headers.get('strict-transport-security')).toBe(
            'max-age=31536000; includeSubDomains',
          )
      },
      { secure: true },
    ))

  test('v5.0.0-14.3.1 at logout tell the browser to forget what it has cached', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      for (const answer of [await (await shop.buyer()).post('/auth/logout'), await shop.owner.post('/admin/logout')])
        expect(answer.headers.get('clear-site-data')).toBe('"cache"')
    }))
})

describe('v5.0.0-3.3.1 cookies', () => {
  const setCookies = async (store: TestStore) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const answers = [
      await buyer.post('/auth/login', { username: buyer.username, password: PASSWORD }),
      await store.browser().post('/admin/login', OWNER),
    ]
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/[\w-]{43}/)
    return answers.flatMap(({ headers }) => headers.getSetCookie())
  }

  test('are HttpOnly, SameSite and for this host alone; behind HTTPS they are Secure and __Host-', async () => {
    const plain = await withStore(setCookies)
    expect(plain.length).toBeGreaterThanOrEqual(4)
    for (const cookie of plain) {
      expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=(Lax|Strict)$/)
      expect(cookie).not.toMatch(/domain=/i)
    }
  })

  test('have the __Host- prefix and are Secure behind HTTPS, from the login to the logout', async () => {
    const overHttps = await withStore(setCookies, { secure: true })
    expect(overHttps.length).toBeGreaterThanOrEqual(4)
    for (const cookie of overHttps) expect(cookie).toMatch(HOST_COOKIE)
    await withStore(
      async (store) => {
        const buyer = await (await openShop(store)).buyer()
        for (const [name, value] of buyer.cookies) buyer.cookies.set(name.replace('__Host-', ''), value)
        for (const name of ['__Host-chaabi_session', '__Host-chaabi_device']) buyer.cookies.delete(name)
        expect((await buyer.get('/auth/me')).status, 'what a neighbouring host may have set').toBe(401)
        const gone = (await buyer.post('/auth/logout')).headers.getSetCookie()
        expect(gone).toHaveLength(1)
        expect(gone[0]).toMatch(/^__Host-chaabi_session=;.*; Secure/)
      },
      { secure: true },
    )
  })
})

const HOST_COOKIE = /^__Host-chaabi_\w+=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/

describe('v5.0.0-3.3.1 v5.0.0-3.4.1 v5.0.0-4.1.3 behind a proxy that ends TLS', () => {
  const SAID = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' }
  const logIn = (store: TestStore, headers: Record<string, string>) =>
    store.browser().post('/admin/login', OWNER, headers)

  test('and is trusted: cookies are Secure and __Host-, the browser stays with HTTPS, and the origin is its own', () =>
    withStore(
      async (store) => {
        await openShop(store)
        const browser = store.browser()
        const answer = await browser.post('/admin/login', OWNER, { ...SAID, origin: 'https://shop.example' })
        expect(answer.status).toBe(200)
        expect(answer.headers.getSetCookie()).toHaveLength(2)
        for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(HOST_COOKIE)
        expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
        expect((await browser.call('GET', '/admin/check', undefined, SAID)).status).toBe(200)
        expect((await browser.get('/admin/check')).status, 'over HTTP these are no cookies').toBe(401)
        expect((await logIn(store, { ...SAID, origin: 'http://shop.example' })).status).toBe(403)
        const withPort = { ...SAID, 'x-forwarded-host': 'Shop.example:443' }
        expect((await logIn(store, { ...withPort, origin: 'https://shop.example' })).status).toBe(200)
        expect((await logIn(store, { ...withPort, origin: 'https://shop.example:444' })).status).toBe(403)
        // The client's own value comes before the proxy's
        const downgraded = await logIn(store, { 'x-forwarded-proto': 'http, https' })
        for (const cookie of downgraded.headers.getSetCookie()) expect(cookie).toMatch(HOST_COOKIE)
      },
      { trustProxy: ['127.0.0.1'] },
    ))

  for (const trustProxy of [false, ['10.0.0.1']] as const)
    test(`and is not (${String(trustProxy)}): what it says changes nothing`, () =>
      withStore(
        async (store) => {
          await openShop(store)
          const answer = await logIn(store, SAID)
          expect(answer.headers.getSetCookie()).toHaveLength(2)
          for (const cookie of answer.headers.getSetCookie()) expect(cookie).not.toMatch(/__Host-|Secure/)
          expect(answer.headers.get('strict-transport-security')).toBeNull()
          expect((await logIn(store, { ...SAID, origin: 'https://shop.example' })).status).toBe(403)
        },
        { trustProxy: trustProxy === false ? false : [...trustProxy] },
      ))
})

describe('v5.0.0-3.5.1 a request from another site', () => {
  test('changes nothing, whatever it is dressed as', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const before = (await owner.get('/settings/site')).body as unknown
      const body = JSON.stringify({ websiteName: 'Owned', websiteTitle: 'Owned' })
      for (const headers of [
        { origin: 'https://evil.test' },
        { origin: 'null' },
        { origin: `${store.url}.evil.test` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'multipart/form-data; boundary=x' },
      ])
        expect((await owner.call('PUT', '/settings/site', body, headers)).status).toBeGreaterThanOrEqual(400)
      expect((await owner.get('/settings/site')).body).toEqual(before)
    }))

  test('v5.0.0-3.4.2 is answered without CORS headers, on the connectivity test as well', () =>
    withStore(async (store) => {
      const answer = await store.browser().call('GET', '/cors-test', undefined, { origin: 'https://evil.test' })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      const preflight = await store.browser().call('OPTIONS', '/auth/login', undefined, {
        origin: 'https://evil.test',
        'access-control-request-method': 'POST',
      })
      expect(preflight.status).toBe(404)
    }))

  test('v5.0.0-3.5.3 reading changes no row', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 10 })
      const written = () => rowsOf(store)
      // The program makes them at its first start
      await vapidKeys(store.db, store.app.services.sealer)
      const before = await written()
      for (const endpoint of endpoints.filter((each) => each.method === 'GET' && !each.stream))
        for (const caller of [buyer, shop.owner]) await caller.get(pathOf(endpoint))
      expect(await written()).toEqual(before)
    }))
})

/** A fingerprint of each table, the counters of the rate limiter excepted. */
async function rowsOf({ db }: TestStore): Promise<Record<string, string>> {
  const tables = await db.texts(sql`select tablename from pg_tables
     where schemaname = 'public' and tablename not in ('rate_limits', 'schema_lock')`)
  const prints: Record<string, string> = {}
  for (const name of tables) {
    const select = prepared(
      `select md5(coalesce(string_agg(row::text, '|' order by row::text), '')) as print from ${name} row`,
    )
    const { print } = await db.one(sql(z.object({ print: z.string() }))`${select}`)
    prints[name] = print
  }
  return prints
}

describe('v5.0.0-15.3.3 fields that a form does not have', () => {
  const FORBIDDEN = {
    role: 'owner',
    isAdmin: true,
    balance: 1e6,
    usdBalance: 1e6,
    status: 'approved',
    userId: newId(),
    _id: newId(),
    createdAt: '2000-01-01T00:00:00.000Z',
    credit: 1e6,
    bonus: 1e6,
    price: 0,
    unitPrice: 0,
    amount_paise: 1,
    paid: true,
  }

  test('change nothing at sign-up, with a top-up or with an order', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const username = unique('buyer')
      await store.browser().post('/auth/register', {
        ...FORBIDDEN,
        username,
        email: `${username}@example.in`,
        password: PASSWORD,
        referralCode: shop.referralCode,
      })
      const browser = store.browser()
      await browser.api.sessions.login({ username, password: PASSWORD })
      const me = await browser.api.sessions.me()
      expect(me).toMatchObject({ isAdmin: false, balance: 0, usdBalance: 0 })
      expect(me._id).not.toBe(FORBIDDEN._id)
      expect((await browser.get('/admin/users')).status).toBe(403)

      const { status: _, ...rest } = FORBIDDEN
      await browser.post('/payments/add-money', {
        ...rest,
        status: 'approved',
        amount: 100,
        utr: '411111111111',
        payerName: '9876543210',
        meta: { offer: true, bonus: 999_999 },
      })
      expect(await browser.api.sessions.me()).toMatchObject({ balance: 0 })
      const product = await shop.product({ stock: 1 })
      const order = await browser.post('/keys/buy', {
        ...FORBIDDEN,
        productId: product._id,
        duration: '10 Days',
        quantity: 1,
      })
      expect(order).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_BALANCE' } })
    }))

  test('v5.0.0-1.5.2 reach no prototype', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      for (const body of [
        '{"__proto__":{"isAdmin":true},"username":"a","password":"b"}',
        '{"constructor":{"prototype":{"isAdmin":true}},"username":"a","password":"b"}',
        '{"username":{"__proto__":{"isAdmin":true}},"password":"b"}',
      ])
        expect((await buyer.post('/auth/login', body)).status).toBeGreaterThanOrEqual(400)
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
      expect((await buyer.get('/auth/me')).body).toMatchObject({ isAdmin: false })
    }))
})

describe('v5.0.0-1.2.4 hostile parameters', () => {
  const HOSTILE = [
    "' or 1=1 --",
    '"; drop table users; --',
    '%',
    '_',
    '\\',
    '(a+)+$'.repeat(30),
    '$1',
    '\u0000',
    '1e309',
    '-1',
    'NaN',
    '[]',
    '__proto__',
    '../../etc/passwd',
    '${7*7}{{7*7}}',
  ]
  const LISTS = ['/admin/users', '/payments', '/payments/purchases', '/admin/audit', '/keys', '/referral']
  const NAMES = [
    'search',
    'limit',
    'skip',
    'sort',
    'status',
    'type',
    'from',
    'to',
    'before',
    'action',
    'productId',
    'duration',
    'after',
  ]

  test('of lists are text or refused: no answer is a 5xx, and none matches what it should not', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.buyer({ balance: 10 })
      for (const list of LISTS)
        for (const name of NAMES)
          for (const value of HOSTILE) {
            const query = `${name}=${encodeURIComponent(value)}`
            const { status, body } = await shop.owner.get(`${list}?${query}`)
            expect(status, `${list}?${query}`).toBeLessThan(500)
            if (name === 'search' && list === '/admin/users' && status === 200)
              expect(body, query).toMatchObject({
                users: value === '_' || value === '' ? (expect.anything() as unknown) : [],
              })
          }
      for (const query of ['limit=10&limit=999999', 'search[a]=b', 'search=a&search=b', 'skip[]=1'])
        expect((await shop.owner.get(`/admin/users?${query}`)).status, query).toBeLessThan(500)
      expect((await shop.owner.get(`/admin/users?search=${'x'.repeat(5_000)}`)).status).toBe(400)
    }))

  test('v5.0.0-1.1.1 of paths are decoded once', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id } = await shop.product({ stock: 3 })
      for (const duration of ['10%2520Days', '%2e%2e', '%00', '%c0%ae', '10%20Days%00', '..%2f..'])
        expect([400, 404], duration).toContain((await shop.owner.delete(`/keys/bulk/${_id}/${duration}`)).status)
      expect(await shop.owner.api.keys.list({ productId: _id, duration: '10 Days' })).toHaveLength(3)
    }))
})

describe('v5.0.0-8.2.2 another buyer’s things', () => {
  test('are in none of a buyer’s answers, and none of the ids opens them', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [one, other] = [await shop.buyer({ balance: 500 }), await shop.buyer({ balance: 500 })]
      const product = await shop.product({ stock: 1 })
      const { keys } = await one.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
      const { sessions } = await one.api.sessions.list()
      const secrets = [keys[0]?.key ?? '', one.username, one.email, one.id]

      for (const endpoint of endpoints.filter(
        (each) =>
          each.method === 'GET' && !each.stream && ['user', 'user-or-admin', 'anyone', 'public'].includes(each.access),
      )) {
        const text = JSON.stringify((await other.get(endpoint.path.replaceAll(/\{\w+\}/g, one.id))).body)
        for (const secret of secrets) expect(text, endpoint.path).not.toContain(secret)
      }
      expect((await other.delete(`/auth/sessions/${sessions[0]?._id}`)).status).toBe(404)
      expect((await one.get('/auth/me')).status).toBe(200)
    }))
})

test('v5.0.0-16.5.1 an unexpected error tells nothing of its cause', () =>
  withStore(async (store) => {
    const shop: Shop = await openShop(store)
    store.app.services.db.one = () => Promise.reject(new Error('secret of the inside at /srv/store.ts:1'))
    const answer = await shop.owner.get('/admin/stats')
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|\.ts|at |Error/)
  }))
