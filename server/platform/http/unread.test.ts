import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { cutUnread, readKept } from './unread.ts'

const PATIENCE_MS = 400
const LARGE = Buffer.alloc(600_000, 'a')

interface World {
  /** A client that takes nothing unless the test reads. */
  ask(headers?: string): Promise<Socket>
  open(): Promise<number>
}

async function withServer(answer: RequestListener, work: (world: World) => Promise<void>): Promise<void> {
  const server = createServer(answer)
  cutUnread(server, { patienceMs: PATIENCE_MS, shortPatienceMs: PATIENCE_MS, lookEveryMs: 50 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  try {
    await work({
      async ask(headers = '') {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
        sockets.push(socket)
        socket.pause()
        socket.on('error', () => {})
        await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
        socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
        await vi.waitFor(async () => expect(await keptBytes(port)).toBeGreaterThan(0), { timeout: 5_000 })
        return socket
      },
      open: async () =>
        (await keptBytes(port)) + (await new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)))),
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** The bytes that the kernel keeps for all peers of a port, also after their connections are closed. */
const keptBytes = async (port: number) => [...(await readKept(port)).values()].reduce((sum, bytes) => sum + bytes, 0)

const untilCut = (open: World['open']) => vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 5_000 })

describe.runIf(process.platform === 'linux')('A peer that takes nothing of a large answer', () => {
  test('is cut off, and the kernel keeps nothing for it', () =>
    withServer(
      (_, response) => response.end(LARGE),
      async ({ ask, open }) => {
        await Promise.all([ask(), ask(), ask()])
        await untilCut(open)
      },
    ))

  test.each<[string, string, (socket: Socket) => void]>([
    ['asks for the connection’s end', 'Connection: close\r\n', () => {}],
    ['ends its side', '', (socket) => void socket.end()],
  ])('is cut off when it %s, too', (_, headers, after) =>
    withServer(
      (_request, response) => response.end(LARGE),
      async ({ ask, open }) => {
        const socket = await ask(headers)
        after(socket)
        await sleep(PATIENCE_MS / 4)
        expect(await open(), 'it has some time').toBeGreaterThan(LARGE.length / 2)
        await untilCut(open)
      },
    ),
  )

  test('is cut off right away when it goes on with what is no request', () =>
    withServer(
      (_, response) => response.end(LARGE),
      async ({ ask, open }) => {
        const socket = await ask()
        socket.write('\0\r\n\r\n')
        await untilCut(open)
      },
    ))
})

test('A slow reader gets all, for longer than the patience lasts', () =>
  withServer(
    (_, response) => response.end(Buffer.alloc(8_000_000, 'a')),
    async ({ ask }) => {
      const socket = await ask('Connection: close\r\n')
      let taken = 0
      const began = performance.now()
      while (taken < 8_000_000) {
        // Reads some kilobytes at a time, as they come
        const part = socket.read() as Buffer | null
        taken += part?.length ?? 0
        expect(socket.destroyed && taken < 8_000_000, `cut off after ${taken} bytes`).toBe(false)
        await sleep(part ? 20 : 5)
      }
      expect(performance.now() - began).toBeGreaterThan(2 * PATIENCE_MS)
    },
  ))

test('A stream lives on while its few events lie unread', () => {
  let events: NodeJS.Timeout | undefined
  return withServer(
    (_, response) => {
      response.writeHead(200)
      events = setInterval(() => response.write('an event'.repeat(128)), 10)
    },
    async ({ ask, open }) => {
      await ask()
      clearInterval(events)
      await sleep(3 * PATIENCE_MS)
      expect(await open()).toBe(1)
    },
  )
})
