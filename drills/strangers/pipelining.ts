/** Thousands of requests on one connection that reads nothing. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../send.ts'
import type { Figure, Scenario } from './scenario.ts'
import { watch } from './watch.ts'

const HEALTH_MS_MAX = 1_000
const GROWN_MB_MAX = 100
const WARM_REQUESTS = 100

export const pipeline: Scenario = async ({ store, quick }) => {
  const figures: Figure[] = []
  const attacks = [
    { path: '/api/openapi.json', requests: 2_500, sockets: 1 },
    { path: '/', requests: 5_000, sockets: 1 },
    { path: '/api/openapi.json', requests: 16, sockets: 50 },
    { path: '/api/products', requests: 9, sockets: 500 },
  ]
  for (const { path, requests, sockets } of attacks) {
    // Warms up, because the first answers always make memory grow
    for (let n = 0; n < WARM_REQUESTS; n++) await send({ port: store.port, method: 'GET', path })
    const opened: Socket[] = []
    const { slowestHealthMs, grownMb } = await watch(store, async () => {
      for (let n = 0; n < sockets; n++) opened.push(await sendUnread(store.port, path, requests))
      await sleep(quick ? 500 : 4_000)
    })
    for (const socket of opened) socket.destroy()
    const what = `${requests} × GET ${path} on ${sockets === 1 ? 'one connection' : `${sockets} connections each`}`
    figures.push(
      { what: `${what}: health answers within`, value: slowestHealthMs, goal: HEALTH_MS_MAX, unit: 'ms' },
      { what: `${what}: memory grows by`, value: grownMb, goal: GROWN_MB_MAX, unit: 'MB' },
    )
  }
  return figures
}

/** Sends the requests in one go, on a connection that is never read. */
export async function sendUnread(port: number, path: string, requests: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.pause()
  // Takes a closed connection as an answer too
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(requests))
  return socket
}
