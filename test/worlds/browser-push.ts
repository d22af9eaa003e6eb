/**
 * A push service for a real browser, as Mozilla's: a WebSocket to the browser, HTTP for who sends (RFC 8030). It can't
 * read what it hands over, and takes it only with the signature of the key that the browser subscribed with (RFC 8292).
 */
import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { bodyOf, close, listen } from './mailboxes.ts'

interface Socket {
  on(event: 'message', listener: (data: Buffer) => void): void
  on(event: 'close', listener: () => void): void
  send(text: string): void
  terminate(): void
}

/** It brings no types. */
const { Server: WebSocketServer } = createRequire(import.meta.url)('ws') as {
  Server: new (options: { server: Server }) => {
    clients: Set<Socket>
    on(event: 'connection', listener: (socket: Socket) => void): void
  }
}

/** A message of a browser. */
type Said =
  | { messageType: 'hello'; uaid?: string }
  | { messageType: 'register'; channelID: string; key: string }
  | { messageType: 'unregister'; channelID: string }
  | { messageType: 'ack'; updates: { version: string; code: number }[] }
  | { messageType: 'nack'; code: number }
  | { messageType: 'broadcast_subscribe' }

interface Channel {
  uaid: string
  /** The public key of the sender, as the page gave it to the browser. */
  key: string
}

export interface BrowserPush {
  origin: string
  socketUrl: string
  /** The browsers' reports of messages that they got. */
  codes: number[]
  /** Why messages were refused. */
  refusals: string[]
  stop(): Promise<void>
}

/** The browser decrypted the message, and handed it to the service worker. */
export const DELIVERED = 100
const BODY_BYTES_MAX = 4_096
const DAY_S = 24 * 3_600

export async function startBrowserPush(): Promise<BrowserPush> {
  const channels = new Map<string, Channel>()
  /** The names of those that are connected. */
  const browsers = new Map<Socket, string>()
  /** Until the browser has acknowledged it. */
  const waiting = new Map<string, { uaid: string; text: string }>()
  const codes: number[] = []
  const refusals: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  const origin = `http://127.0.0.1:${await listen(server)}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const channelID = request.url?.slice('/push/'.length) ?? ''
    const channel = channels.get(channelID)
    if (!channel) return void response.writeHead(404).end()
    const fault = faultOf(request, body, channel.key, origin)
    if (fault !== undefined) {
      refusals.push(fault)
      return void response.writeHead(400).end(fault)
    }
    const version = randomUUID()
    const headers = { encoding: 'aes128gcm' }
    const notification = { messageType: 'notification', channelID, version, data: body.toString('base64url'), headers }
    const { uaid } = channel
    const text = JSON.stringify(notification)
    waiting.set(version, { uaid, text })
    for (const [socket, each] of browsers) if (each === uaid) socket.send(text)
    response.writeHead(201, { location: `${origin}/m/${version}`, ttl: request.headers['ttl'] }).end()
  }

  /** Replies to what one browser says. */
  function hear(socket: Socket, said: Said): void {
    const say = (reply: object) => socket.send(JSON.stringify({ messageType: said.messageType, status: 200, ...reply }))
    switch (said.messageType) {
      case 'hello': {
        const uaid = said.uaid ?? randomUUID().replaceAll('-', '')
        browsers.set(socket, uaid)
        say({ uaid, use_webpush: true, broadcasts: {} })
        // Messages that came while it was away
        for (const each of waiting.values()) if (each.uaid === uaid) socket.send(each.text)
        return
      }
      case 'register': {
        const { channelID, key } = said
        channels.set(channelID, { uaid: browsers.get(socket) ?? '', key: key.replace(/=+$/, '') })
        return say({ channelID, pushEndpoint: `${origin}/push/${channelID}` })
      }
      case 'unregister':
        channels.delete(said.channelID)
        return say({ channelID: said.channelID })
      case 'ack':
        for (const { version, code } of said.updates) if (waiting.delete(version)) codes.push(code)
        return
      case 'nack':
        return void codes.push(said.code)
      case 'broadcast_subscribe':
    }
  }
  const webSockets = new WebSocketServer({ server })
  webSockets.on('connection', (socket) => {
    socket.on('message', (data) => hear(socket, JSON.parse(data.toString('utf8')) as Said))
    socket.on('close', () => void browsers.delete(socket))
  })

  return {
    origin,
    socketUrl: origin.replace('http', 'ws'),
    codes,
    refusals,
    stop() {
      for (const socket of webSockets.clients) socket.terminate()
      return close(server)
    },
  }
}

/** Returns what is wrong with a message, undefined when nothing is. */
function faultOf({ method, headers }: IncomingMessage, body: Buffer, key: string, origin: string): string | undefined {
  if (method !== 'POST') return 'not a POST'
  if (headers['content-encoding'] !== 'aes128gcm') return 'an encoding that browsers do not know'
  if (!/^\d+$/.test(String(headers['ttl']))) return 'no TTL'
  if (body.length === 0 || body.length > BODY_BYTES_MAX) return `a body of ${body.length} bytes`
  const [, jwt = '', signedBy] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  if (signedBy !== key) return 'a key that the browser did not subscribe with'
  const [head = '', claims = '', signature = ''] = jwt.split('.')
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), publicKeyOf(key), Buffer.from(signature, 'base64url')))
    return 'a signature of another key'
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { aud: string; exp: number }
  if (aud !== origin) return `a token for ${aud}`
  const leftS = exp - Date.now() / 1_000
  return leftS > 0 && leftS <= DAY_S ? undefined : 'a token that has ended, or lasts too long'
}

/** @param key an uncompressed point: 4, x, y */
function publicKeyOf(key: string) {
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  return { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
}
