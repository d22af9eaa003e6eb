/** Calls that are refused before an endpoint does anything: strangers, nonsense, other sites. */
import { describe, expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import type { Answer } from '../store.ts'
import { oneShop } from './one-shop.ts'
import { missing } from './things.ts'

const one = oneShop()

describe('turns away who may not call', () => {
  for (const { name, endpoint, path } of endpoints.filter((each) =>
    ['user', 'admin', 'user-or-admin'].includes(each.endpoint.access),
  )) {
    test(`a visitor: ${name}`, async () => {
      const answer = await one.shop.visitor().call(endpoint.method, path)
      expect(answer).toMatchObject({ status: 401, body: { code: 'NO_SESSION', message: expect.any(String) as string } })
    })
  }
  for (const { name, endpoint, path } of endpoints.filter((each) => each.endpoint.access === 'admin')) {
    test(`a signed-in user: ${name}`, async () => {
      const answer = await (await one.shop.buyer()).call(endpoint.method, path)
      expect(answer).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } })
    })
  }
  for (const { name, endpoint, path } of endpoints.filter((each) => each.endpoint.access === 'user')) {
    test(`an admin without a user's session: ${name}`, async () => {
      const answer = await one.shop.owner.call(endpoint.method, path)
      expect(answer).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
    })
  }
})

test('turns away everybody without a phone’s token from its doors, whatever session they have', async () => {
  const doors = endpoints.filter((each) => each.endpoint.access === 'device')
  expect(doors.map(({ name }) => name)).toEqual(['POST /bank/alerts', 'GET /bank/devices/own'])
  for (const caller of [one.shop.visitor(), await one.shop.buyer(), one.shop.owner])
    for (const answer of [await caller.post('/bank/alerts', { text: 'x' }), await caller.get('/bank/devices/own')])
      expect(answer).toMatchObject({ status: 401, body: { code: 'DEVICE_TOKEN_INVALID' } })
})

describe('turns away before the body is looked at', () => {
  for (const { name, endpoint, path } of endpoints.filter((each) => ['POST', 'PUT'].includes(each.endpoint.method))) {
    const refusal = (answer: Answer) => [answer.status, (answer.body as { code: string }).code]

    test(name, async () => {
      const visitor = one.shop.visitor()
      const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
      expect(refusal(await visitor.call(endpoint.method, path, 'a=b', form))).toEqual([403, 'CROSS_SITE'])
      if (endpoint.access !== 'user' && endpoint.access !== 'admin') return
      for (const body of ['{', JSON.stringify('x'.repeat(200_000))])
        expect(refusal(await visitor.call(endpoint.method, path, body))).toEqual([401, 'NO_SESSION'])
      if (endpoint.access === 'admin')
        expect(refusal(await (await one.shop.buyer()).call(endpoint.method, path, '{'))).toEqual([
          403,
          'ADMIN_REQUIRED',
        ])
    })
  }
})

describe('answers nonsense with 400 and never with 500', () => {
  const nonsense = [
    '{',
    '[]',
    '"text"',
    'null',
    '{"__proto__":{"admin":true}}',
    `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
  ]
  for (const { name, endpoint, path } of endpoints.filter((each) => ['POST', 'PUT'].includes(each.endpoint.method))) {
    test(name, async () => {
      const caller =
        endpoint.access === 'user'
          ? await one.shop.buyer()
          : endpoint.access === 'public'
            ? one.shop.visitor()
            : one.shop.owner
      const malformed = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'not-an-id')
      if (malformed !== path) expect((await caller.call(endpoint.method, malformed, {})).status).toBe(400)
      for (const body of nonsense) {
        const answer = await caller.call(endpoint.method, path, body)
        expect(answer.status, body).toBeLessThan(500)
        expect(answer.body).toMatchObject(
          answer.status >= 400 ? { code: expect.any(String) as string, message: expect.any(String) as string } : {},
        )
      }
    })
  }
})

test('a filter that is left empty is none', async () => {
  for (const path of [
    '/payments?limit=10&skip=0&search=&status=&type=',
    '/keys?productId=&duration=',
    '/admin/users?holding=&limit=&skip=',
  ])
    expect((await one.shop.owner.get(path)).status, path).toBe(200)
  expect((await one.shop.owner.get('/payments?status=none')).status).toBe(400)
})

test('a path without an endpoint is a JSON 404', async () => {
  const answer = await one.shop.visitor().get('/no/such/call')
  expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('the connectivity test answers with an object', async () => {
  expect(await one.shop.visitor().get('/cors-test')).toMatchObject({ status: 200, body: { success: true } })
})

describe('takes null for no body', () => {
  for (const { name, endpoint, path } of endpoints.filter((each) => ['POST', 'PUT'].includes(each.endpoint.method))) {
    const { shape } = endpoint.input as unknown as { shape: Record<string, unknown> }
    const takesBody = Object.keys(shape).some((field) => !endpoint.path.includes(`{${field}}`))

    test(`${name}: ${takesBody ? 'is refused' : 'is taken for none'}`, async () => {
      const caller = {
        user: () => one.shop.buyer(),
        admin: () => one.shop.owner,
        public: () => one.shop.visitor(),
        'user-or-admin': () => one.shop.owner,
        device: () => one.shop.visitor(),
      }[endpoint.access as 'user' | 'admin' | 'public' | 'user-or-admin' | 'device']()
      const { status, body } = await (await caller).call(endpoint.method, path, 'null')

      if (takesBody)
        expect({ status, body }).toMatchObject({ status: 400, body: { message: 'Please send a JSON object.' } })
      else expect(body).not.toMatchObject({ message: 'Please send a JSON object.' })
    })
  }
})

test('an empty body is no body, whatever type a client declares for it', async () => {
  for (const type of ['application/json', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']) {
    const declared = { 'content-type': type }
    for (const path of ['/auth/logout', '/admin/logout'])
      expect(await one.shop.visitor().call('POST', path, '', declared), type).toMatchObject({ status: 200 })
    const { owner } = one.shop
    expect(await owner.call('POST', '/settings/refresh-version', '', declared), type).toMatchObject({ status: 200 })
    expect(await owner.call('DELETE', `/keys/${missing()}`, '', declared), type).toMatchObject({ status: 404 })
    expect(await owner.call('PUT', `/payments/${missing()}/approve`, '', declared), type).toMatchObject({ status: 404 })
  }
})

test('a call from another site changes nothing', async () => {
  const buyer = await one.shop.buyer()
  const elsewhere = { origin: 'https://evil.example' }
  expect(await buyer.post('/auth/logout', undefined, elsewhere)).toMatchObject({
    status: 403,
    body: { code: 'CROSS_SITE', message: expect.stringContaining('from another site') as string },
  })
  expect(await buyer.post('/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
  expect((await buyer.get('/auth/me')).status).toBe(200)
  expect(
    (await buyer.post('/auth/logout', undefined, { origin: one.shop.store.url, 'sec-fetch-site': 'same-origin' }))
      .status,
  ).toBe(200)
})
