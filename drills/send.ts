/** One HTTP request over loopback, without what a browser's fetch adds. */
import { Agent, request } from 'node:http'

export interface Sent {
  port: number
  method: string
  path: string
  cookie?: string
  body?: string
  headers?: Record<string, string>
  timeoutMs?: number
  agent?: Agent
}

export interface Received {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
}

const plain = new Agent({ keepAlive: false })

/** @throws when there is no answer: refused, cut off, or longer than `timeoutMs` */
export function send({
  port,
  method,
  path,
  cookie,
  body,
  headers,
  timeoutMs = 15_000,
  agent = plain,
}: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        headers: {
          ...(cookie === undefined ? {} : { cookie }),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        response.on('error', reject)
      },
    )
    sending.setTimeout(timeoutMs, () => sending.destroy(new Error('no answer in time')))
    sending.on('error', reject)
    sending.end(body)
  })
}
