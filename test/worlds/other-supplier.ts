/** A supplier with an API of its own: a server that answers as a test says, and keeps what it was sent. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { unique } from './constants.ts'

export interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}
/** Lost: it has sold, and its answer never comes. A function writes the bytes of the answer itself. */
export type Reply =
  | 'lost'
  | { status?: number; body: unknown; headers?: Record<string, string> }
  | ((socket: Socket) => void)

export const sold = (key: string, price: unknown = 80): Reply => ({ body: { data: { key, price } } })

export async function startOtherApi() {
  let how: (asked: Asked) => Reply = () => sold(unique('THEIR-'))
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const each = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      asked.push(each)
      const reply = how(each)
      if (reply === 'lost') {
        request.socket.destroy()
        return
      }
      if (typeof reply === 'function') return reply(request.socket)
      const said = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
      response.writeHead(reply.status ?? 200, { 'content-length': Buffer.byteLength(said), ...reply.headers }).end(said)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (next: typeof how) => void (how = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
