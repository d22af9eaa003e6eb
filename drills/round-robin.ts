/** A small front for two nodes, as haproxy would do it: TCP, turn by turn, only to healthy ones. */
import { connect, createServer, type Socket } from 'node:net'
import { send } from './send.ts'

const CHECK_INTERVAL_MS = 200

/** The front of several nodes: this one or haproxy. */
export interface Front {
  /** Which one it is, for the report. */
  name: string
  port: number
  isHealthy(port: number): Promise<boolean>
  close(): Promise<void>
}

export async function openRoundRobin(ports: readonly number[]): Promise<Front> {
  const healthy = new Set<number>(ports)
  const sockets = new Set<Socket>()
  let turn = 0
  const check = async (port: number) => {
    const answer = await send({ port, method: 'GET', path: '/api/health', timeoutMs: 1_000 }).catch(() => undefined)
    if (answer?.status === 200) healthy.add(port)
    else healthy.delete(port)
  }
  const timer = setInterval(() => void Promise.all(ports.map(check)), CHECK_INTERVAL_MS)

  const forward = (client: Socket, triesLeft: number): void => {
    const candidates = ports.filter((port) => healthy.has(port))
    const port = candidates[turn++ % Math.max(1, candidates.length)]
    if (port === undefined || triesLeft === 0) return void client.destroy()
    const node = connect({ port, host: '127.0.0.1' })
    node.setNoDelay(true)
    sockets.add(node)
    let connected = false
    node.once('connect', () => {
      connected = true
      client.pipe(node)
      node.pipe(client)
    })
    node.once('error', () => {
      if (connected) {
        client.destroy()
      } else {
        healthy.delete(port)
        forward(client, triesLeft - 1)
      }
    })
    node.once('close', () => {
      sockets.delete(node)
      if (connected) client.destroySoon()
    })
    client.once('close', () => node.destroy())
  }
  const server = createServer({ allowHalfOpen: false }, (client) => {
    client.setNoDelay(true)
    sockets.add(client)
    client.on('error', () => {})
    client.once('close', () => sockets.delete(client))
    forward(client, 5)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    name: 'a front of our own',
    port: (server.address() as { port: number }).port,
    isHealthy: (port) => Promise.resolve(healthy.has(port)),
    async close() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
