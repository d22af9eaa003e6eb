import { createServer, type RequestOptions } from 'node:http'
import https from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { DISGUISED } from '../../test/worlds/disguised.ts'
import { createOutbound, isPublic, OutboundRefused } from './outbound.ts'

test.each(DISGUISED)('%s is refused before a connection is made', async (url) => {
  await expect(createOutbound().call({ url, method: 'GET' })).rejects.toThrow(OutboundRefused)
})

test('an address is public only if everybody can reach it', () => {
  expect(isPublic('93.184.216.34')).toBe(true)
  expect(isPublic('2606:2800:220:1::1')).toBe(true)
  expect(isPublic('::ffff:10.0.0.1')).toBe(false)
  expect(isPublic('192.0.2.1')).toBe(false)
  expect(isPublic('no address')).toBe(false)
})

test('a test origin is let through to the letter, redirects are not followed, and long answers are cut', async () => {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    if (request.url === '/away') response.writeHead(302, { location: '/' }).end('moved')
    else if (request.url === '/silent') setTimeout(() => response.end(), 5_000)
    else response.end('x'.repeat(10_000))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const outbound = createOutbound([origin])
  try {
    expect(await outbound.call({ url: `${origin}/away`, method: 'GET' })).toMatchObject({ status: 302, body: 'moved' })
    expect((await outbound.call({ url: origin, method: 'POST', body: 'x' })).body).toHaveLength(4_096)
    await expect(outbound.call({ url: `${origin}/silent`, method: 'GET', timeoutMs: 200 })).rejects.toThrow('0.2 s')
    await expect(outbound.call({ url: `http://localhost:${port}`, method: 'GET' })).rejects.toThrow(OutboundRefused)
    expect(asked).toBe(3)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

// A name server of the other side, and a socket that nobody reads after its status 101, held up a call for ever
describe('the time of a call is its whole time', () => {
  test('the name server’s too', async () => {
    const outbound = createOutbound([], () => new Promise(() => {}))
    const call = (signal?: AbortSignal) =>
      outbound.call({ url: 'https://slow.example', method: 'GET', timeoutMs: 100, signal })
    await expect(call()).rejects.toThrow('0.1 s')
    await expect(call(AbortSignal.abort(new Error('The store ends')))).rejects.toThrow('The store ends')
  })

  const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
  test.each<[string, (socket: Socket) => unknown]>([
    ['another protocol', (socket) => socket.write(UPGRADE)],
    ['a byte now and then of the head', (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\nx: ')],
    ['a byte now and then of the body', (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n')],
    ['one answer before the answer after another', (socket) => dribble(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ])('also of one that is answered with %s', async (_, answer) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      answer(socket)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const call = createOutbound([origin]).call({ url: origin, method: 'POST', body: 'x', timeoutMs: 300 })
    await expect(call).rejects.toThrow('0.3 s')
    server.close()
  })
})

function dribble(socket: Socket, start: string, more = 'x'): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(more), 20)
  socket.on('close', () => clearInterval(timer))
}

test('a name is resolved once and leads nowhere else after the check, and one private address is enough', async () => {
  const [open, own] = [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const answers = [[open], [own], [open, own]]
  const resolve = vi.fn(() => Promise.resolve(answers.shift() ?? []))
  const led: unknown[] = []
  const request = vi.spyOn(https, 'request').mockImplementation(((_: URL, options: RequestOptions) => {
    options.lookup?.('rebinding.example', {}, (_error, address) => led.push(address))
    throw new Error('Far enough')
  }) as never)
  const call = () => createOutbound([], resolve).call({ url: 'https://rebinding.example', method: 'POST' })
  await expect(call()).rejects.toThrow('Far enough')
  expect(resolve).toHaveBeenCalledTimes(1)
  for (let time = 0; time < 2; time += 1) await expect(call()).rejects.toThrow(OutboundRefused)
  expect(led).toEqual([open.address])
  request.mockRestore()
})
