import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveFiles } from './kept-files.ts'

const SCRIPT = Buffer.from(`console.log('₹')\n`.repeat(100))
let directory: string
let app: FastifyInstance

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'chaabi-files-'))
  await mkdir(path.join(directory, 'assets'))
  await mkdir(path.join(directory, '.vite'))
  const files = {
    'assets/app.js': SCRIPT,
    'assets/app.js.br': brotliCompressSync(SCRIPT),
    'assets/app.js.gz': gzipSync(SCRIPT),
    'assets/app.js.map': '{}',
    'icon.png': 'an icon',
    '.vite/manifest.json': '{}',
    '.env': 'SECRET=1',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(directory, name), content)
  app = fastify()
  await serveFiles(app, directory, {
    hidden: (name) => name.endsWith('.map'),
    headersOf: (name) => ({ 'cache-control': name.startsWith('assets/') ? 'immutable' : 'no-cache' }),
  })
})
afterEach(async () => {
  await app.close()
  await rm(directory, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ url, headers, method })

test.each([
  { accepts: 'gzip, deflate, br, zstd', sends: 'br', decode: brotliDecompressSync },
  { accepts: 'gzip', sends: 'gzip', decode: gunzipSync },
  { accepts: 'deflate', sends: undefined, decode: (body: Buffer) => body },
])('A caller that accepts $accepts gets the file as the build made it for that', async ({ accepts, sends, decode }) => {
  const answer = await get('/assets/app.js', { 'accept-encoding': accepts })
  expect(answer.headers['content-encoding']).toBe(sends)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(answer.rawPayload.length),
    'cache-control': 'immutable',
    vary: 'accept-encoding',
  })
  expect(decode(answer.rawPayload).equals(SCRIPT)).toBe(true)
  const head = await get('/assets/app.js', { 'accept-encoding': accepts }, 'HEAD')
  expect(head.headers['content-length']).toBe(answer.headers['content-length'])
  expect(head.body).toBe('')
})

test('A file that the caller has is not sent again, and each of its forms has a tag of its own', async () => {
  const tags = new Set<string>()
  for (const encoding of ['br', 'gzip', 'identity']) {
    const tag = String((await get('/assets/app.js', { 'accept-encoding': encoding })).headers['etag'])
    tags.add(tag)
    for (const sent of [tag, `W/${tag}`, `"another", ${tag}`]) {
      const again = await get('/assets/app.js', { 'accept-encoding': encoding, 'if-none-match': sent })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers).toMatchObject({ etag: tag, 'cache-control': 'immutable' })
    }
    const other = await get('/assets/app.js', { 'accept-encoding': encoding, 'if-none-match': '"another"' })
    expect(other.statusCode).toBe(200)
  }
  expect(tags.size).toBe(3)
})

test('A range is answered with the whole file', async () => {
  const answer = await get('/assets/app.js', { range: 'bytes=0-0,2-2' })
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.equals(SCRIPT)).toBe(true)
})

test('A file is answered from memory: on the disk it may be gone', async () => {
  await rm(path.join(directory, 'assets'), { recursive: true })
  expect((await get('/assets/app.js')).rawPayload.equals(SCRIPT)).toBe(true)
})

test('A file that the build has not compressed is sent as it is', async () => {
  const answer = await get('/icon.png', { 'accept-encoding': 'br' })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers['content-type']).toBe('image/png')
  expect(answer.body).toBe('an icon')
})

test.each(['/assets/app.js.map', '/assets/app.js.br', '/.env', '/.vite/manifest.json', '/assets', '/assets/../.env'])(
  'There is nothing at %s',
  async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  },
)
