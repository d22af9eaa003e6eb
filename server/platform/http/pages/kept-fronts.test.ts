import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendPage, type Fronts } from './kept-fronts.ts'

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }
const FRONT = `<p>${'₹ and more, '.repeat(5_000)}</p>`
let app: FastifyInstance
let fronts: Fronts

beforeEach(() => {
  fronts = new Map()
  app = fastify()
  app.get<{ Querystring: { front?: string; end?: string } }>('/', (request, reply) =>
    sendPage({ request, reply, fronts }, 'page', {
      source: [request.query.front ?? ''],
      front: FRONT + (request.query.front ?? ''),
      end: request.query.end ?? '</html>',
    }),
  )
})
afterEach(() => app.close())

/** The page that the next caller would share. */
const kept = (encoding: 'br' | 'gzip') => fronts.get('page')?.compressed.get(encoding)

const get = (encoding: string, query: Record<string, string> = {}) =>
  app.inject({ url: '/', query, headers: { 'accept-encoding': encoding } })

for (const encoding of ['br', 'gzip'] as const)
  test(`A hundred pages with ends of their own are compressed once for ${encoding}, and each is whole`, async () => {
    await get(encoding)
    const compressed = kept(encoding)
    for (let n = 0; n < 100; n++) {
      const end = `${'₹'.repeat(n * 70)}${n}`
      const { rawPayload, headers } = await get(encoding, { end })
      expect(headers['content-encoding']).toBe(encoding)
      expect(DECODERS[encoding](rawPayload).toString()).toBe(FRONT + end)
      expect(kept(encoding)).toBe(compressed)
    }
  })

test('Another front is compressed again, and takes the place of the last one', async () => {
  const all = new Set()
  for (const front of ['one', 'two', 'two', 'one']) {
    expect(DECODERS.br((await get('br', { front })).rawPayload).toString()).toBe(`${FRONT}${front}</html>`)
    all.add(kept('br'))
  }
  expect(all.size).toBe(3)
  expect(fronts.size).toBe(1)
})

test('A caller that takes no encoding gets the page as it is', async () => {
  const { body, headers } = await get('identity')
  expect(headers['content-encoding']).toBeUndefined()
  expect(body).toBe(`${FRONT}</html>`)
})
