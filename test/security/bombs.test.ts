/** Bodies that unfold into gigabytes. The store takes no compressed body, so it has no decoder to keep busy. */
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createBrotliCompress, createDeflate, createGzip, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { endpoints } from '../contract/endpoints.ts'
import { openShop } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const CODERS = { br: () => createBrotliCompress(QUICKLY), gzip: createGzip, deflate: createDeflate }
const PIECE = Buffer.alloc(1024 * 1024)
/** Takes a decoder some seconds. */
const UNFOLDED_MB = 1_024
/** A decoder stops at the limit for what is sent, so the bombs are cut to fit into it. */
const SENT_MAX = 100_000
const CPU_MS_MAX = 400
const GROWN_MB_MAX = 50
/** A decoder that runs on after the answer is seen within this time. */
const AFTERWARDS_MS = 2_000

async function bombOf(coding: keyof typeof CODERS): Promise<Buffer> {
  const coder = CODERS[coding]()
  const parts: Buffer[] = []
  const size = () => parts.reduce((sum, { length }) => sum + length, 0)
  coder.on('data', (part: Buffer) => parts.push(part))
  for (let n = 0; n < UNFOLDED_MB && size() < SENT_MAX; n++)
    if (!coder.write(PIECE)) await new Promise<void>((resolve) => coder.once('drain', resolve))
  await new Promise<void>((resolve) => coder.once('end', resolve).end())
  return Buffer.concat(parts).subarray(0, SENT_MAX)
}

const WITHOUT = { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Please send this without compression.' }

test.each(['br', 'gzip', 'deflate'] as const)(
  'v5.0.0-5.2.3 a %s body of a gigabyte is refused, and costs nothing after the refusal either',
  async (coding) => {
    const bomb = await bombOf(coding)
    await withStore(async (store) => {
      const send = async (body: Buffer) => {
        const answer = await fetch(`${store.url}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-encoding': coding },
          body: new Uint8Array(body),
        })
        return { status: answer.status, body: await answer.json() }
      }
      await send(bomb.subarray(0, 10))
      const memory = process.memoryUsage().rss
      const cpu = process.cpuUsage()
      let most = memory
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)

      const answers = await Promise.all([send(bomb), send(bomb)])

      await sleep(AFTERWARDS_MS)
      clearInterval(watch)
      const { user, system } = process.cpuUsage(cpu)
      const spent = { cpuMs: (user + system) / 1_000, grownMb: (most - memory) / 1024 / 1024 }
      expect(spent.cpuMs, JSON.stringify(spent)).toBeLessThan(CPU_MS_MAX)
      expect(spent.grownMb, JSON.stringify(spent)).toBeLessThan(GROWN_MB_MAX)
      for (const answer of answers) expect(answer).toMatchObject({ status: 415, body: WITHOUT })
    })
  },
)

test('no endpoint takes a compressed body, whoever sends it, and each takes one that is named as plain', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const send = (path: string, method: string, coding: string) =>
      fetch(`${store.url}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'content-encoding': coding,
          cookie: [...owner.cookies].map((pair) => pair.join('=')).join('; '),
        },
        body: new Uint8Array(coding === 'identity' ? Buffer.from('[]') : gzipSync('{}')),
      })
    for (const { endpoint, name, path } of endpoints) {
      if (endpoint.method === 'GET') continue
      for (const coding of ['gzip', 'GZIP', 'x-gzip', 'br', 'zstd', 'gzip, gzip', 'identity, br']) {
        const answer = await send(path, endpoint.method, coding)
        expect([answer.status, await answer.json()], name).toEqual([415, expect.objectContaining(WITHOUT)])
      }
      const plain = await send(path, endpoint.method, 'identity')
      expect(plain.status, name).not.toBe(415)
      await plain.arrayBuffer()
    }
  }))
