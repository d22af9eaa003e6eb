/** A fault of ours is never called one of the network. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '../../../contract/api.ts'
import { endpointTable } from '../../../contract/client.ts'

vi.resetModules()
vi.stubGlobal('__ENDPOINTS__', endpointTable(api))
const { ApiError } = await import('./api-error.ts')
const { addCalls, client } = await import('./client.ts')
const { files } = await import('../admin/download.ts')
const { isFetchFailure } = await import('../navigation/navigation.ts')

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ text: 'Open' })))
})
afterEach(() => vi.unstubAllGlobals())

const failure = (): Promise<unknown> => client.settings.notice({}).then(String, (error: unknown) => error)

test('a call needs nothing that phones of 2022 lack', async () => {
  vi.stubGlobal('AbortSignal', {})
  expect(await client.settings.notice({})).toEqual({ text: 'Open' })
})

// Seen to fail while the call's own preparations were inside what waits for the network
test.each(['AbortController'])('a browser without %s is not offline', async (name) => {
  vi.stubGlobal(name, undefined)
  const error = await failure()
  expect(error).toBeInstanceOf(TypeError)
  expect(error).not.toBeInstanceOf(ApiError)
})

test('a failed fetch is, and an answer that never comes', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await failure()).toMatchObject({ code: 'OFFLINE' })
})

const HTML = { 'content-type': 'text/html' }
const BUSY = 'The store is busy right now. Please try again in a moment.'
const REACH = 'The store can’t be reached. Check your connection and try again.'
const OTHER = 'This answer didn’t come from the store. Reload the page, or try another network.'
const LARGE = 'That’s too large to send in one go. Split it and try again. (3.0 MB)'

describe('an answer of something in front of the store', () => {
  test.each<[answer: string, status: number, headers: Record<string, string>, says: string]>([
    ['nginx: a body too large', 413, HTML, LARGE],
    ['a gateway: the same in JSON', 413, { 'content-type': 'application/json' }, LARGE],
    ['nginx, Caddy: no store behind', 502, HTML, BUSY],
    ['HAProxy: no node', 503, HTML, BUSY],
    ['nginx, HAProxy: no answer in time', 504, HTML, BUSY],
    ['Caddy: no body', 502, {}, BUSY],
    ['nginx: its own fault', 500, HTML, BUSY],
    ...[520, 521, 522, 523, 524, 525, 526, 530].map((n): [string, number, typeof HTML, string] => [
      'Cloudflare: the store is away',
      n,
      HTML,
      BUSY,
    ]),
    ['nginx: too often', 429, HTML, 'Too many attempts. Please wait and try again.'],
    [
      'Cloudflare: too often',
      429,
      { ...HTML, 'retry-after': '840' },
      'Too many attempts. Please wait and try again. Try again in 14 minutes.',
    ],
    ['HAProxy: the upload is too slow', 408, HTML, REACH],
    ['nginx: a bad request', 400, HTML, OTHER],
    ['a password in front', 401, HTML, OTHER],
    ['Cloudflare: a question or a ban', 403, HTML, OTHER],
    ['a web server without the proxy', 404, HTML, OTHER],
    ['a web server of files', 405, HTML, OTHER],
    ['a network’s login', 200, HTML, OTHER],
    ['a network’s login', 511, HTML, OTHER],
  ])('%s: %i', async (_, status, headers, says) => {
    const isPage = headers['content-type'] === 'text/html'
    const body = isPage ? `<h1>${status}</h1>` : '{}'
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status, headers })))
    const sent = { productId: 'p', duration: '1 Day', keys: ['x'.repeat(3_000_000)] }
    const { addKeys } = await import('../../keys/admin/key-manager-queries.ts')
    const { addFailure } = await import('../../keys/admin/key-failures.ts')
    addCalls(endpointTable(api))
    const delivery = { batchId: 'b', supplier: '', costPerKey: '', note: '' }
    const error = await addKeys(sent, sent.keys, delivery).catch((failed: unknown) => failed)
    expect(error).toMatchObject({ status, message: says, isPassing: says === BUSY && status !== 500 })
    expect(addFailure(error)).toBe(`Failed to add keys. ${says}`)

    const file = files.orders.exportPurchases({})
    await expect(file).rejects.toMatchObject({ message: says.replace('3.0', '0.1') })
  })

  test('an answer that breaks off is one of the network’s', async () => {
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response('{"te', { headers: { 'content-type': 'application/json' } })),
    )
    expect(await failure()).toMatchObject({ code: 'NOT_JSON', message: REACH, details: { isBroken: true } })
  })
})

test.each([
  ['Failed to fetch dynamically imported module: https://shop.example/assets/a.js', true],
  ['error loading dynamically imported module: https://shop.example/assets/a.js', true],
  ['Importing a module script failed.', true],
  ['NetworkError when attempting to fetch resource.', true],
  ['Load failed', true],
  ['URL.canParse is not a function', false],
  ['AbortSignal.any is not a function. (In ‘AbortSignal.any([a, b])’)', false],
  ['Cannot read properties of undefined (reading ‘import’)', false],
  ['modules.fetch is not a function', false],
])('of a part of the page: %s', (message, isOfNetwork) => {
  expect(isFetchFailure(new TypeError(message))).toBe(isOfNetwork)
})
