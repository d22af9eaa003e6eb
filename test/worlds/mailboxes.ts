/** The other ends of the store's messages, on this machine: a push service, a mail server, and Telegram's Bot API. */
import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** It brings no types. */
const ece = createRequire(import.meta.url)('http_ece') as {
  decrypt(body: Buffer, keys: { version: string; privateKey: object; authSecret: string }): Buffer
}

export async function listen(server: Server | SMTPServer): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server instanceof SMTPServer ? server.server.address() : server.address()
  return (address as AddressInfo).port
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** A fake's answer instead of its usual one: a status, or silence. */
type Mood = number | 'silent' | undefined

export function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => void server.close(() => resolve()))
}

export interface PushService {
  origin: string
  /** Messages in the order of arrival, decrypted as the browser would. */
  arrived: { path: string; topic: string; at: number; message: Record<string, string> }[]
  /** A new browser's subscription. */
  subscribe(): { endpoint: string; keys: { p256dh: string; auth: string } }
  /** By path; all others get 201. */
  moods: Map<string, Mood>
  stop(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>()
  const arrived: PushService['arrived'] = []
  const moods: PushService['moods'] = new Map()
  const server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const mood = moods.get(path)
    const body = await bodyOf(request)
    if (mood === 'silent') return
    const browser = browsers.get(path)
    if (mood !== undefined || !browser) return void response.writeHead(mood ?? 404).end()
    const text = ece.decrypt(body, {
      version: 'aes128gcm',
      privateKey: browser.ecdh,
      authSecret: browser.auth.toString('base64url'),
    })
    const message = JSON.parse(text.toString('utf8')) as Record<string, string>
    arrived.push({ path, topic: String(request.headers['topic']), at: Date.now(), message })
    response.writeHead(201).end()
  }
  const origin = `http://127.0.0.1:${await listen(server)}`
  return {
    origin,
    arrived,
    moods,
    subscribe() {
      const ecdh = createECDH('prime256v1')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(8).toString('hex')}`
      const p256dh = ecdh.generateKeys().toString('base64url')
      browsers.set(path, { ecdh, auth })
      return { endpoint: `${origin}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    stop: () => close(server),
  }
}

export interface MailServer {
  port: number
  arrived: ParsedMail[]
  raw: string[]
  /** The addresses that mails were handed over for. */
  rcpt: string[]
  /** When each of them arrived, in ms. */
  at: number[]
  /** Says no to this recipient with this code. */
  refuse: Map<string, number>
  stop(): Promise<void>
}

interface SocketServer {
  port: number
  stop(): Promise<void>
}

/** A mail server that takes connections and never says a word. */
export const startSilentServer = (port: number): Promise<SocketServer> => startSocketServer(port, () => {})

/** A mail server behind somebody who strips STARTTLS off. @param heard gets each line of a client */
export const startStrippedServer = (heard: (line: string) => void): Promise<SocketServer> =>
  startSocketServer(0, (socket) => {
    socket.write('220 mail\r\n')
    socket.on('data', (bytes) => {
      const line = String(bytes).trim()
      heard(line)
      socket.write(/^(?:EHLO|HELO|MAIL|RCPT|AUTH)/i.test(line) ? '250 AUTH PLAIN\r\n' : '502 No\r\n')
    })
  })

export type Manner =
  | 'usual'
  | 'loses the answer'
  | 'thinks'
  | 'trickles'
  | 'says 554'
  | 'refuses the sender'
  | 'says 555'
  | 'has no room for the sender'
  | 'has taken enough today'
  | 'says a NUL'

/**
 * A mail server that is reached, and then takes its time. `thinks` answers a mail after `thinksMs`, `trickles` never
 * ends its greeting, `loses the answer` takes a mail and hangs up, and `says 554` greets with a refusal.
 */
export async function startSlowMailServer(mannerOf: (to: string) => Manner, thinksMs = 0) {
  const arrived: { to: string; text: string; at: number }[] = []
  const server = await startSocketServer(0, (socket) => {
    let to = ''
    let text: string | undefined
    if (mannerOf('') === 'trickles') {
      socket.write('220-')
      const trickle = setInterval(() => socket.write('.'), 40)
      socket.on('close', () => clearInterval(trickle))
      return
    }
    if (mannerOf('') === 'says 554') {
      socket.end('554 No mail from you\r\n')
      return
    }
    socket.write('220 mail\r\n')
    socket.on('data', (bytes) => {
      const said = String(bytes)
      if (text !== undefined) {
        text += said
        if (!text.endsWith('\r\n.\r\n')) return
        arrived.push({ to, text, at: Date.now() })
        text = undefined
        if (mannerOf(to) === 'loses the answer') socket.destroy()
        else if (mannerOf(to) === 'has taken enough today')
          socket.write('550-5.4.5 Daily limit.\r\n550 5.4.5 Sorry\r\n')
        else setTimeout(() => socket.write('250 OK\r\n'), mannerOf(to) === 'thinks' ? thinksMs : 0)
        return
      }
      to = /^RCPT TO:<(.+?)>/im.exec(said)?.[1] ?? to
      if (/^DATA/im.test(said)) text = ''
      if (/^MAIL/im.test(said) && mannerOf('') === 'refuses the sender') socket.write('550 Not yours\r\n')
      else if (/^MAIL/im.test(said) && mannerOf('') === 'says 555') socket.write('555 Not so\r\n')
      else if (/^MAIL/im.test(said) && mannerOf('') === 'has no room for the sender') socket.write('552 Quota\r\n')
      else if (/^RCPT/im.test(said) && mannerOf('') === 'says a NUL') socket.write('550 No \0 box\r\n')
      else socket.write(/^DATA/im.test(said) ? '354 Go\r\n' : /^QUIT/i.test(said) ? '221 Bye\r\n' : '250 OK\r\n')
    })
  })
  return { ...server, arrived }
}

async function startSocketServer(wanted: number, talk: (socket: Socket) => void): Promise<SocketServer> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    talk(socket)
  })
  await new Promise<void>((resolve) => void server.listen(wanted, '127.0.0.1', () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const arrived: ParsedMail[] = []
  const raw: string[] = []
  const rcpt: string[] = []
  const at: number[] = []
  const refuse = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      const code = refuse.get(address)
      if (code === undefined) rcpt.push(address)
      // Real servers quote it
      const refusal = Object.assign(new Error(`<${address}>: Not now`), { responseCode: code })
      done(code === undefined ? null : refusal)
    },
    onData(stream, _, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const all = Buffer.concat(parts)
        raw.push(all.toString('utf8'))
        simpleParser(all, (error: unknown, mail) => {
          if (error === null || error === undefined) {
            arrived.push(mail)
            at.push(Date.now())
          }
          done()
        })
      })
    },
  })
  // A store that is killed in the middle of a mail
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    raw,
    rcpt,
    at,
    refuse,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

export const BOT_TOKEN = '12345678:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr'

export interface Telegram {
  url: string
  sent: { method: string; at: number; parameters: Record<string, unknown> }[]
  /** People's messages and taps, for the bot to fetch. */
  updates: Record<string, unknown>[]
  /** By chat: the error that a message to it gets. */
  refuse: Map<string, { error_code: number; description: string; parameters?: { retry_after: number } }>
  stop(): Promise<void>
}

/** @param holdsMs how long it holds a poll when nobody writes */
export async function startTelegram(holdsMs = 50): Promise<Telegram> {
  const sent: Telegram['sent'] = []
  const updates: Telegram['updates'] = []
  const refuse: Telegram['refuse'] = new Map()
  const server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const [, bot = '', method = ''] = (request.url ?? '').split('/')
    const parameters = (body.length > 0 ? JSON.parse(body.toString('utf8')) : {}) as Record<string, unknown>
    const say = (status: number, answerOf: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answerOf))
    if (bot !== `bot${BOT_TOKEN}`) return void say(401, { ok: false, error_code: 401, description: 'Unauthorized' })
    if (method === 'getMe') return void say(200, { ok: true, result: { username: 'shop_bot' } })
    const refusal = refuse.get(method === 'getUpdates' ? method : String(parameters['chat_id']))
    if (refusal) return void say(refusal.error_code, { ok: false, ...refusal })
    if (method === 'getUpdates') {
      const offset = Number(parameters['offset'] ?? 0)
      const fresh = updates
        .filter((update) => Number(update['update_id']) >= offset)
        .slice(0, Number(parameters['limit'] ?? 100))
      if (fresh.length === 0) await new Promise((resolve) => void setTimeout(resolve, holdsMs))
      return void say(200, { ok: true, result: fresh })
    }
    sent.push({ method, at: Date.now(), parameters })
    say(200, { ok: true, result: { message_id: sent.length } })
  }
  const url = `http://127.0.0.1:${await listen(server)}`
  return { url, sent, updates, refuse, stop: () => close(server) }
}
