import { createServer, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
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
