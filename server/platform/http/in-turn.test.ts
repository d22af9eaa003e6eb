import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { inTurn, WAITING_MAX } from './in-turn.ts'

/** Sends requests at once on one connection of a server that answers them when the test says so. */
async function withRequests(count: number, work: (begun: ServerResponse[], hasEnded: () => boolean) => Promise<void>) {
  const begun: ServerResponse[] = []
  const server = createServer(inTurn((_, response) => void begun.push(response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let hasEnded = false
  socket.once('close', () => (hasEnded = true))
  socket.on('error', () => {})
  socket.resume()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count))
  try {
    await work(begun, () => hasEnded)
  } finally {
    socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

test('A request begins when the one before it on its connection is answered', () =>
  withRequests(3, async (begun) => {
    await vi.waitFor(() => expect(begun).toHaveLength(1))
    for (const answered of [1, 2]) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(begun).toHaveLength(answered)
      begun[answered - 1]?.end('done')
      await vi.waitFor(() => expect(begun).toHaveLength(answered + 1))
    }
  }))

test('A request begins no earlier than the peer has taken the answer before it', () =>
  withRequests(2, async (begun) => {
    await vi.waitFor(() => expect(begun).toHaveLength(1))
    begun[0]?.write('the beginning')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(begun).toHaveLength(1)
  }))

test('As many requests as may wait are answered, each of them', () =>
  withRequests(1 + WAITING_MAX, async (begun, hasEnded) => {
    for (let n = 0; n <= WAITING_MAX; n++) {
      await vi.waitFor(() => expect(begun.length).toBeGreaterThan(n))
      begun[n]?.end('done')
    }
    expect(hasEnded()).toBe(false)
  }))

test('One more closes the connection, and none of those that wait begins', () =>
  withRequests(2 + WAITING_MAX, async (begun, hasEnded) => {
    await vi.waitFor(() => expect(hasEnded()).toBe(true))
    expect(begun).toHaveLength(1)
  }))

test('An answer that closes the connection is the last, and nothing is begun whose answer nobody would get', () =>
  withRequests(3, async (begun, hasEnded) => {
    await vi.waitFor(() => expect(begun).toHaveLength(1))
    begun[0]?.writeHead(200, { connection: 'close' }).end('done')
    await vi.waitFor(() => expect(hasEnded()).toBe(true))
    expect(begun).toHaveLength(1)
  }))

test('Requests that were sent ahead begin one in a turn of the event loop, on all connections together', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  /** The turns in which requests began, by connection. */
  const begun = new Map<Socket, number[]>()
  const server = createServer(
    inTurn(({ socket }, response) => {
      begun.set(socket, [...(begun.get(socket) ?? []), turn])
      response.end('done')
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const clients = Array.from({ length: 10 }, () =>
    connect((server.address() as AddressInfo).port, '127.0.0.1').resume(),
  )
  count()
  try {
    for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(6))
    await vi.waitFor(() => expect([...begun.values()].flat()).toHaveLength(60))
  } finally {
    isOver = true
    for (const client of clients) client.destroy()
    await new Promise((resolve) => server.close(resolve))
  }

  const ahead = [...begun.values()].flatMap((turns) => turns.slice(1))
  expect(new Set(ahead).size).toBe(50)
})
