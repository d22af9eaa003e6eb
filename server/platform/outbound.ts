/**
 * The only way to call an address that a person or a supplier gave. It may come from a stranger, so a call goes to
 * public addresses over https only: the name is resolved once, every address of it is checked, and the connection goes
 * to a checked one. No redirect is followed. The mail server, the place of copies and etcd are called directly, because
 * the owner or the operator names them, and they may be in the own network.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

interface OutboundCall {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string | number>
  body?: Buffer | string
  /** For the whole call, in ms. */
  timeoutMs?: number
  /** More than this of an answer is not read. */
  answerBytesMax?: number
  signal?: AbortSignal | undefined
}

interface OutboundAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

export interface Outbound {
  /** @throws OutboundRefused for an address that is not public, or Error when there is no answer */
  call(call: OutboundCall): Promise<OutboundAnswer>
  /** True if this origin is one of the machine's own that tests may reach. */
  isTestOrigin(url: string): boolean
}

/** The address is not one that the store calls. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused'
}

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 4_096

/**
 * @param testOrigins exact loopback origins that are let through, for tests on one machine (OUTBOUND_TEST_ORIGINS)
 * @param resolve gives all addresses of a name
 */
export function createOutbound(testOrigins: readonly string[] = [], resolve: Resolve = resolveAll): Outbound {
  const isTestOrigin = (url: string) => URL.canParse(url) && testOrigins.includes(new URL(url).origin)
  return {
    isTestOrigin,
    async call(call) {
      const url = URL.canParse(call.url) ? new URL(call.url) : undefined
      if (url === undefined || url.username !== '' || url.password !== '') throw refused(call.url)
      const isOwn = isTestOrigin(call.url)
      if (!isOwn && url.protocol !== 'https:') throw refused(call.url)
      return inTime(call, async (signal) =>
        send(url, isOwn ? undefined : await publicAddressOf(url.hostname, resolve), { ...call, signal }),
      )
    },
  }
}

const refused = (url: string): OutboundRefused => {
  const origin = URL.canParse(url) ? new URL(url).origin : 'This address'
  return new OutboundRefused(`${origin} is not a public https address`)
}

interface Address {
  address: string
  family: number
}

type Resolve = (name: string) => Promise<Address[]>
const resolveAll: Resolve = (name) => lookup(name, { all: true })

/** @throws OutboundRefused when one of the name's addresses is not public, because the next call might go there */
async function publicAddressOf(hostname: string, resolve: Resolve): Promise<Address> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(bare)
  const addresses = literal ? [{ address: bare, family: literal }] : await resolve(bare)
  const [first] = addresses
  if (!first || !addresses.every(({ address }) => isPublic(address))) throw refused(`https://${hostname}`)
  return first
}

export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const read = ipaddr.process(address)
  // Of IPv6 only 2000::/3 is given to anybody
  return read.range() === 'unicast' && ('octets' in read || (read.parts[0] ?? 0) >> 13 === 1)
}

/** The name server counts, and so does a socket that says nothing any more, as after the status 101. */
async function inTime<T>({ timeoutMs = TIMEOUT_MS, signal }: OutboundCall, work: (over: AbortSignal) => Promise<T>) {
  const timeout = AbortSignal.timeout(timeoutMs)
  const over = AbortSignal.any([timeout, ...(signal ? [signal] : [])])
  over.throwIfAborted()
  const ending = once(over, 'abort').then(() => Promise.reject(over.reason as Error))
  return Promise.race([work(over), ending]).catch((error: unknown) => {
    throw timeout.aborted ? new Error(`No answer within ${timeoutMs / 1_000} s`) : error
  })
}

function send(url: URL, address: Address | undefined, call: OutboundCall): Promise<OutboundAnswer> {
  const { method, headers, body, signal, answerBytesMax = ANSWER_BYTES_MAX } = call
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { ...headers }, signal, agent: false, ...(address && { lookup: answering(address) }) },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        const end = () => {
          const text = Buffer.concat(parts).subarray(0, answerBytesMax).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
          response.destroy()
        }
        response.on('data', (part: Buffer) => {
          parts.push(part)
          bytes += part.length
          if (bytes >= answerBytesMax) end()
        })
        response.on('end', end)
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The resolver of one connection, which knows the checked address only. */
function answering({ address, family }: Address): NonNullable<http.RequestOptions['lookup']> {
  return (_, options, callback) => {
    if (options.all) (callback as (error: null, addresses: Address[]) => void)(null, [{ address, family }])
    else (callback as (error: null, address: string, family: number) => void)(null, address, family)
  }
}
