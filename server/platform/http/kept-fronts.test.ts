import zlib from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendPage, type Fronts } from './kept-fronts.ts'

/** The real functions, counted. */
const counted = vi.hoisted(() => ({ compressions: 0 }))
vi.mock('node:zlib', async (importOriginal) => {
  const real = await importOriginal<typeof zlib>()
  const count =
    (compress: (...given: unknown[]) => void) =>
    (...given: unknown[]) => {
      counted.compressions++
      compress(...given)
    }
  return { ...real, brotliCompress: count(real.brotliCompress as never), gzip: count(real.gzip as never) }
})

const DECODERS = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync }
const FRONT = `<p>${'₹ and more, '.repeat(5_000)}</p>`
let app: FastifyInstance

beforeEach(() => {
  counted.compressions = 0
  const fronts: Fronts = new Map()
  app = fastify()
  app.get<{ Querystring: { front?: string; end?: string } }>('/', (request, reply) =>
    sendPage({ request, reply, fronts }, 'page', {
      front: FRONT + (request.query.front ?? ''),
      end: request.query.end ?? '</html>',
    }),
  )
})
afterEach(() => app.close())

const get = (encoding: string, query: Record<string, string> = {}) =>
  app.inject({ url: '/', query, headers: { 'accept-encoding': encoding } })

for (const encoding of ['br', 'gzip'] as const)
  test(`A hundred pages with ends of their own are compressed once for ${encoding}, and each is whole`, async () => {
    for (let n = 0; n < 100; n++) {
      const end = `${'₹'.repeat(n * 70)}${n}`
      const { rawPayload, headers } = await get(encoding, { end })
      expect(headers['content-encoding']).toBe(encoding)
      expect(DECODERS[encoding](rawPayload).toString()).toBe(FRONT + end)
    }
    expect(counted.compressions).toBe(1)
  })

test('Another front is compressed again, and takes the place of the last one', async () => {
  for (const front of ['one', 'two', 'two', 'one'])
    expect(DECODERS.br((await get('br', { front })).rawPayload).toString()).toBe(`${FRONT}${front}</html>`)
  expect(counted.compressions).toBe(3)
})

test('Callers at the same time share one compression', async () => {
  await Promise.all(Array.from({ length: 20 }, () => get('gzip')))
  expect(counted.compressions).toBe(1)
})

test('A caller that takes no encoding gets the page as it is', async () => {
  const { body, headers } = await get('identity')
  expect(headers['content-encoding']).toBeUndefined()
  expect(body).toBe(`${FRONT}</html>`)
})
