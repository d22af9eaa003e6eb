import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { checkEtcd, findLostEtcd } from './check-etcd.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A machine of etcd as etcd 3.4 answers for its own health. */
const member = (status: number): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer((request, answer) => {
      answer.writeHead(request.url === '/health' ? status : 404).end(`{"health":"${status === 200}"}`)
    })
    servers.push(server)
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

test('one lost machine of etcd is a warning, and most of them are a fault', async () => {
  const [first, second, ill] = [await member(200), await member(200), await member(503)]
  const silent = '127.0.0.1:1'
  expect(await checkEtcd([])).toEqual([])
  expect(await checkEtcd([first, second])).toEqual([{ level: 'ok', text: 'etcd: 2 of 2 are well.' }])
  expect(await findLostEtcd([first, ill, silent])).toEqual([ill, silent])

  const [one] = await checkEtcd([first, second, ill])
  expect(one).toMatchObject({ level: 'warning', text: expect.stringContaining(`etcd is lost on ${ill}.`) })
  const [most] = await checkEtcd([first, ill, silent])
  expect(most).toMatchObject({ level: 'broken', text: expect.stringContaining(`${ill}, ${silent}`) })
})
