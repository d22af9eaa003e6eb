/** Reads a request: its input, its origin, and its sender as far as the request itself can tell. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { logPlain, warnSparsely, type Warn } from '../watching/log.ts'
import { Overload } from '../load/overload.ts'

const IDEMPOTENCY_KEY_LENGTH_MAX = 255

/**
 * Refuses a request that a browser says came from another site. Other programs send neither header, and never carry
 * a visitor's cookies by accident.
 * @throws Refusal CROSS_SITE
 */
export function refuseCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('CROSS_SITE')
  const { origin } = request.headers
  if (origin === undefined) return
  const own = publicOrigin ?? originOf(request)
  if (origin === own) return
  logOf(request).warn(
    { origin, own },
    'a call came from another origin. If visitors open the store there, set PUBLIC_URL',
  )
  throw new Refusal('CROSS_SITE', { message: OTHER_ORIGIN })
}

/** The log names PUBLIC_URL, because a proxy that changes the Host header makes the store’s own pages look foreign. */
const OTHER_ORIGIN =
  'This request came from another site, so we blocked it. ' +
  'If this is your own store, ask the person who runs its server.'

/** Returns the origin as a browser writes it: in lower case and without the default port. */
function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`.toLowerCase().replace(protocol === 'https' ? /:443$/ : /:80$/, '')
}

const HOST = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d+)?$/i

/**
 * Refuses a request that a proxy in front could read differently: no clear host, a target with a host of its own, or
 * chunks in HTTP/1.0. Node itself refuses unclear lengths and lines.
 * @throws Refusal INVALID_INPUT
 */
export function refuseAmbiguous({ raw: { rawHeaders, headers, httpVersion, url } }: FastifyRequest): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0') || !HOST.test(headers.host ?? ''))
    throw new Refusal('INVALID_INPUT', { message: 'Send exactly one Host header.' })
  if (!url?.startsWith('/')) throw new Refusal('INVALID_INPUT', { message: 'This address is not valid.' })
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    throw new Refusal('INVALID_INPUT', { message: 'Chunked bodies need HTTP/1.1.' })
}

/**
 * True if the body is compressed. No client of the store sends one, and a few hundred bytes can unfold into gigabytes,
 * which a decoder works on long after the answer.
 */
export const isCompressed = ({ method, raw: { headers } }: FastifyRequest): boolean =>
  method !== 'GET' && method !== 'HEAD' && !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')

/** One for each server, so that its faults are not mixed with another's. */
const sparse = new WeakMap<object, Warn>()

/** Logs why the store could not serve a caller: what this node has too much of, or a database that is away or busy. */
export function logUnavailable(request: FastifyRequest, { cause }: Refusal, where: object): void {
  let warn = sparse.get(request.server)
  if (!warn) sparse.set(request.server, (warn = warnSparsely()))
  if (cause instanceof Overload) warn(logOf(request), where, cause.message)
  else warn(logOf(request), { err: cause, ...where }, 'database away or busy')
}

/** Kept on the request itself, because entries of a WeakMap live until the next full garbage collection. */
const CALLER = Symbol('caller')
type Called = FastifyRequest & { [CALLER]?: Record<string, string> }

/** @param caller `{ user }` or `{ admin }`, with the id of the account, for the line that is logged of the request */
export const noteCaller = (request: FastifyRequest, caller: Record<string, string>): void =>
  void ((request as Called)[CALLER] = caller)

/** Logs one line of each call and page, and none of a file that stays the same. */
export function logAnswered(request: FastifyRequest, status: number, tookMs: number): void {
  const route = request.routeOptions.url
  if (route !== '/*' && !route?.startsWith('/api/')) return
  const { id: reqId, method } = request
  const line = { reqId, method, route, status, ...(request as Called)[CALLER], ms: Math.round(tookMs) }
  logPlain(request.log as Logger, line, 'answered')
}

/** A logger whose lines name the request. */
export function logOf(request: FastifyRequest): Logger {
  return (request.log as Logger).child({ reqId: request.id })
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/
const OF_A_PROXY = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** True if a proxy on this machine passes the request on. Remote callers can write such headers themselves. */
export function isForwardedHere({ headers, socket }: FastifyRequest): boolean {
  return OF_A_PROXY.some((name) => headers[name] !== undefined) && LOOPBACK.test(socket.remoteAddress ?? '')
}

interface Front {
  metricsToken?: string | undefined
  trustProxy: string[] | boolean
  /** Behind HTTPS. */
  secure: boolean
}

/**
 * True if the operator asks: with the token, or from this machine while there is no proxy. A store behind HTTPS needs
 * the token, because an untrusted proxy may add no headers and make strangers look local.
 */
export function isOperator(request: FastifyRequest, { metricsToken, trustProxy, secure }: Front): boolean {
  const { headers, socket } = request
  const shown = bearerOf(request)
  if (shown !== undefined) return metricsToken !== undefined && timingSafeEqual(digest(shown), digest(metricsToken))
  return (
    trustProxy === false &&
    !secure &&
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    OF_A_PROXY.every((name) => headers[name] === undefined)
  )
}

/** The token that a program shows. */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** How the tokens of resellers' programs begin. */
export const TOKEN_PREFIX = 'chaabi_'

/**
 * The token of a reseller's program, however badly it was copied or sent, so that a caller with half a token is no
 * visitor. Others' tokens, which a proxy may send along, are none.
 */
export const apiTokenOf = ({ headers: { authorization = '' } }: FastifyRequest): string | undefined => {
  const [, before = '', shown] = /^(.*?)(?<![\w.-])(chaabi_.*)$/i.exec(authorization) ?? []
  // Nobody has this one
  return shown && !/^Bearer\s+$/i.test(before) ? TOKEN_PREFIX : shown
}

/** A body that may be JSON, a form or plain text, as it came. */
export interface SentText {
  text: string
  contentType: string
  /** The sender of the alert, if the app names it in a header. */
  sender: string
}

/** The body of an endpoint that takes text. */
export function sentText({ headers, body }: FastifyRequest): SentText {
  const sender = headers['x-alert-sender']
  return {
    text: typeof body === 'string' ? body : '',
    contentType: headers['content-type'] ?? '',
    sender: typeof sender === 'string' ? sender : '',
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns path parameters and query or body as one object. A body cannot overrule the path. */
export function readInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const rest =
    endpoint.method === 'GET'
      ? withoutEmpty(request.query as Record<string, unknown>)
      : endpoint.method === 'DELETE'
        ? request.query
        : endpoint.takesText
          ? {}
          : bodyOf(endpoint, request.body)
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest))
    throw new Refusal('INVALID_INPUT', { message: 'Please send a JSON object.' })
  const sent = { ...rest, ...(endpoint.fileField && { [endpoint.fileField]: '' }), ...(request.params as object) }
  const unstorable = Object.entries(sent).filter(holdsUnstorable)
  if (unstorable.length > 0) {
    const message = 'This text has characters that can’t be stored.'
    const known = unstorable.filter(([name]) => !holdsUnstorable(name)).map(([name]) => [name, message])
    throw new Refusal('INVALID_INPUT', { message, fields: Object.fromEntries(known) as Record<string, string> })
  }
  const read = z.safeParse(endpoint.input, { ...rest, ...(request.params as object) })
  if (read.success) return read.data
  const fields: Record<string, string> = {}
  for (const issue of read.error.issues) fields[issue.path.join('.') || 'input'] ??= issueText(issue)
  const [first] = Object.values(fields)
  throw new Refusal('INVALID_INPUT', { ...(first === undefined ? {} : { message: first }), fields })
}

/** Takes `null` as an empty body, because some clients send it. A call with fields of its own refuses it. */
function bodyOf({ input, path }: Endpoint, body: unknown): unknown {
  if (body !== null) return body ?? {}
  const fields = input instanceof z.ZodMiniObject ? Object.keys(input.shape) : []
  return fields.every((field) => path.includes(`{${field}}`)) ? {} : null
}

/** Drops empty filters, because forms send them too. */
function withoutEmpty(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

/**
 * Finds characters that the database cannot store: the zero character and lone surrogates. Uses no recursion, because
 * a stranger's JSON may be nested deeper than any stack.
 */
function holdsUnstorable(input: unknown): boolean {
  const left = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && /[\0\p{Surrogate}]/u.test(value)) return true
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner)
  }
  return false
}

/** Prefers the message made for the sent value over the one of a union of schemas. */
export function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const inner = issue.errors.flat().find((each) => each.code === 'custom')
  return inner ? issueText(inner) : issue.message
}

/** Takes only a real address, because even a trusted proxy may pass on what its client made up. */
export function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? '')
}

export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(key))
    throw new Refusal('INVALID_INPUT', {
      message: `Idempotency-Key takes 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} plain characters`,
    })
  return key
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}
