import { validate } from '@readme/openapi-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { api } from '../../contract/api.ts'
import { endpointTable } from '../../contract/client.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { openApiDocument } from './openapi.ts'

/** As a client reads it: through JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test walks over a document of every shape
const document: any = JSON.parse(JSON.stringify(openApiDocument('1.2.3')))

function operation(method: string, path: string) {
  return document.paths[path][method]
}

test('the document is valid OpenAPI 3.1', async () => {
  const result = await validate(structuredClone(document))

  expect(result).toMatchObject({ valid: true })
  expect(document.openapi).toMatch(/^3\.1\./)
})

test('the linter finds nothing: descriptions are there, and every example fits its schema', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // Paths are the specification's: /payments/user/{userId} stands beside /payments/{id}/approve
    rules: { 'no-ambiguous-paths': 'off', 'operation-description': 'error', 'parameter-description': 'error' },
  })

  const problems = await lintFromString({ source: JSON.stringify(document), config })

  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

test('every call shows an example of what it takes and answers', () => {
  const bare = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- a test walks over a document of every shape
    Object.entries<any>(operations).flatMap(([method, { requestBody, responses }]) =>
      [requestBody, responses[200] ?? responses[201]]
        .flatMap((each) => each?.content?.['application/json'] ?? [])
        .filter((media) => !('example' in media))
        .map(() => `${method} ${path}`),
    ),
  )

  expect(bare).toEqual(['get /openapi.json'])
})

test('an admin can read all of it on a page without scripts', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

    const response = await fetch(`${store.url}/api/docs`, { headers: { cookie } })
    const page = await response.text()

    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page).not.toMatch(/<script|https?:\/\//)
    for (const [method, path] of Object.values(endpointTable(api)).flatMap((feature) => Object.values(feature)))
      expect(page).toContain(`<code>${method} ${path}</code>`)
    expect(page).toContain('INSUFFICIENT_BALANCE')
    expect(page).toContain('Rupees, up to 2 decimal places')
  }))

test('every endpoint of the contract is in it, once, with who may call it', () => {
  const declared = Object.values(endpointTable(api)).flatMap((feature) => Object.values(feature))
  const described = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )

  expect(described.toSorted()).toEqual(declared.map((each) => each.join(' ')).toSorted())
  expect(operation('get', '/settings/site').security).toEqual([])
  const all = [{}, { userSession: [] }, { adminSession: [] }, { bearerToken: [] }]
  expect(operation('get', '/products').security).toEqual(all)
  expect(operation('post', '/keys/buy').security).toEqual([{ userSession: [] }, { bearerToken: [] }])
  expect(operation('post', '/products').security).toEqual([{ adminSession: [] }])
})

test('a path parameter is one, and what is left is the query or the body', () => {
  const removal = operation('delete', '/keys/bulk/{productId}/{duration}')
  const list = operation('get', '/admin/audit')
  const edit = operation('put', '/keys/{id}')

  expect(removal.parameters.map((each: { name: string; in: string }) => `${each.in} ${each.name}`)).toEqual([
    'path productId',
    'path duration',
    'query expected',
  ])
  expect(list.parameters).toContainEqual(expect.objectContaining({ name: 'search', in: 'query', required: false }))
  expect(edit.parameters).toHaveLength(1)
  expect(edit.requestBody.content['application/json'].schema).toMatchObject({
    properties: { key: { type: 'string' } },
    required: ['key'],
  })
})

test('an input is described as it is sent, an output as it arrives', () => {
  const schema = operation('post', '/products').requestBody.content['application/json'].schema

  expect(schema.required).toEqual(['name', 'prices'])
  expect(schema.properties.prices.items.properties.duration).toMatchObject({ type: 'string', maxLength: 40 })
  expect(operation('get', '/health').responses[200].content['application/json'].schema.required).toEqual([
    'status',
    'version',
  ])
})

test('a purchase names its header, its refusals by status, and when to try again', () => {
  const { parameters, responses } = operation('post', '/keys/buy')

  expect(parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }))
  expect(Object.keys(responses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503']),
  )
  expect(responses[409].description).toContain('OUT_OF_STOCK')
  expect(responses[429].headers).toHaveProperty('Retry-After')
  expect(responses[409].content['application/json'].schema.allOf[1].properties.code.enum).toContain('INVALID_PRICE')
})
