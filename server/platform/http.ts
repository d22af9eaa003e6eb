/**
 * From the contract to HTTP. Every endpoint goes the same way: same-site check, session, input, rate limit,
 * handler, answer; a path without an endpoint is a JSON 404. Only this file and app.ts know the framework.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { constants } from 'node:zlib'
import compressPlugin from '@fastify/compress'
import cookiePlugin from '@fastify/cookie'
import helmetPlugin from '@fastify/helmet'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import {
  mayCall,
  type Access,
  type AdminRole,
  type Endpoint,
  type Endpoints,
  type LimitName,
} from '../../contract/endpoint.ts'
import { Refusal, refusalStatus, type RefusalCode } from '../../contract/errors.ts'
import { STEP_UP_LASTS_MS } from '../../contract/limits.ts'
import type { Clock } from './clock.ts'

export interface SessionUser {
  id: string
  username: string
  /** SHA-256 of the session's token: names the session without being able to open it. */
  sessionHash: Buffer
}

export interface SessionAdmin {
  id: string
  username: string
  sessionHash: Buffer
}

/** What an admin's session is good for at this moment. */
export interface RecognisedAdmin extends SessionAdmin {
  role: AdminRole
  hasSecondFactor: boolean
  /** The store asks every admin for a second factor, and for a new proof where it matters. */
  secondFactorRequired: boolean
  /** When this session has last proven who holds it, other than by logging in. */
  provenAt: Date | null
}

interface Cookies {
  read(name: CookieName): string | undefined
  write(name: CookieName, value: string, maxAgeMs: number): void
  clear(name: CookieName): void
}

/** The store's cookies; behind HTTPS their names get the __Host- prefix. */
export type CookieName = 'chaabi_session' | 'chaabi_admin' | 'chaabi_device'

/** Who calls, from where and when: all that a handler may know of a request beside its input. */
export interface Call<A extends Access = Access> {
  readonly user: A extends 'user' ? SessionUser : SessionUser | null
  readonly admin: A extends 'admin' ? SessionAdmin : SessionAdmin | null
  readonly now: Date
  readonly address: string
  readonly userAgent: string
  readonly idempotencyKey: string | undefined
  readonly cookies: Cookies
  readonly log: Logger
  /**
   * For what an intruder at an open admin session must not do.
   * @throws Refusal STEP_UP_REQUIRED when the admin has a second factor, or the store asks for one, and the session
   *   has proven nothing of late
   */
  requireProof(): void
  /** For `stream` endpoints: takes the answer over; nothing else is sent. */
  takeOver(): ServerResponse
}

/** A list may be answered as its rows while they are read, so that a long one is never in memory as a whole. */
type Rows<Output> = Output extends readonly (infer Row)[] ? Output | AsyncIterable<Row> : Output
/** A file to keep may be answered with its lists in that way, too. */
type Answer<E extends Endpoint, Output = z.input<E['output']>> = E extends { download: string }
  ? { [K in keyof Output]: Rows<Output[K]> }
  : Rows<Output>

type Handler<E extends Endpoint> = (
  input: z.output<E['input']>,
  call: Call<E['access']>,
) => Promise<Answer<E>> | Answer<E>

/** One handler for each endpoint of a feature; a missing one does not compile. */
export type Handlers<F extends Endpoints> = { readonly [K in keyof F]: Handler<F[K]> }

/** Who the cookies speak for: a session, the reason why one is refused, or nobody. */
export interface Recognised {
  user: SessionUser | RefusalCode | null
  admin: RecognisedAdmin | RefusalCode | null
}

export interface HttpOptions {
  /** feature → endpoints, and the same with handlers. */
  api: Record<string, Endpoints>
  handlers: Record<string, Record<string, unknown>>
  clock: Clock
  log: Logger
  /** @param active whether the call is something that a person did, and so keeps a session alive */
  recognise(cookies: Cookies, now: Date, active: boolean): Promise<Recognised>
  /**
   * Counts a call.
   * @returns to be told how the call ended, for limits that count nothing but failures
   * @throws Refusal RATE_LIMITED
   */
  limit(
    name: LimitName,
    who: { address: string; account: string | undefined; cookies: Pick<Cookies, 'read'> },
  ): Promise<(failure: RefusalCode | undefined) => Promise<void>>
  /** Behind HTTPS: cookies are Secure and carry the __Host- prefix. */
  secure: boolean
  /** The origin that browsers see, where it differs from the Host header. */
  publicOrigin?: string | undefined
  trustProxy: string[] | boolean
  /** What a program of the operator shows; undefined where only the machine itself may ask. */
  metricsToken?: string | undefined
  /** Is told of every request when it has been answered. */
  onAnswered?(request: { method: string; route: string; status: number; tookMs: number }): void
  /** In tests: an answer that breaks the contract, or an undeclared refusal, is a 500. */
  strict: boolean
}

const BODY_LIMIT_BYTES = 100 * 1024
const IDEMPOTENCY_KEY_LENGTH_MAX = 255
const ALWAYS_ALLOWED: readonly RefusalCode[] = [
  'INVALID_INPUT',
  'INVALID_JSON',
  'CROSS_SITE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'SERVICE_UNAVAILABLE',
  'NO_SESSION',
  'SESSION_EXPIRED',
  'DEVICE_MISMATCH',
  'ADMIN_REQUIRED',
  'FORBIDDEN_ROLE',
  'ENROLMENT_REQUIRED',
  'RATE_LIMITED',
]

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger, // oxlint-disable-line typescript/no-unnecessary-type-assertion -- or every plugin would be typed by pino's Logger
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // What still comes over an open connection while the store closes is answered like any other
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 600, ignoreTrailingSlash: true },
    // An unreadable URL never reaches a route
    frameworkErrors: (_error, _request, reply) =>
      void refuse(reply as never, new Refusal('INVALID_INPUT', { message: 'This address is not valid.' })),
  })
  await app.register(cookiePlugin)
  await protectAndCompress(app, options.secure)
  acceptEmptyJson(app)
  const { onAnswered } = options
  if (onAnswered) {
    app.addHook('onResponse', async (request, reply) => {
      // Paths that are no endpoint are one: what a stranger makes up must not fill the memory
      const route = request.routeOptions.url?.startsWith('/api/') ? request.routeOptions.url : 'page'
      onAnswered({ method: request.method, route, status: reply.statusCode, tookMs: reply.elapsedTime })
    })
  }

  app.setErrorHandler((error, request, reply) => refuse(reply, asRefusal(error, request)))
  app.setNotFoundHandler((request, reply) =>
    refuse(reply, new Refusal('NOT_FOUND', { message: `There is no ${request.method} ${pathOf(request)}.` })),
  )

  for (const [feature, endpoints] of Object.entries(options.api)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const handler = options.handlers[feature]?.[name] as Handler<Endpoint> | undefined
      if (!handler) throw new Error(`No handler for ${feature}.${name}`)
      register(app, endpoint, handler, options)
    }
  }
  return app
}

const YEAR_S = 31_536_000
const COMPRESS_FROM_BYTES = 1_024
/** Good enough for text that is made anew for each answer, at a fraction of the highest quality's cost. */
const BROTLI_QUALITY = 4

/** What every answer carries. Pages bring a content policy of their own; nothing else is ever drawn. */
async function protectAndCompress(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmetPlugin, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: secure ? { maxAge: YEAR_S, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()')
  })
  await app.register(compressPlugin, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  })
}

/** Clients send a JSON content type without a body (logout, approve, DELETE): that is an empty input, not an error. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}

function register(app: FastifyInstance, endpoint: Endpoint, handler: Handler<Endpoint>, options: HttpOptions): void {
  const changes = endpoint.method !== 'GET'
  const check =
    (schema: z.ZodMiniType | undefined): Check =>
    (output) => {
      if (options.strict) checkOutput(endpoint, schema ?? z.never(), output)
    }
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ...(endpoint.bodyLimitBytes === undefined ? {} : { bodyLimit: endpoint.bodyLimitBytes }),
    errorHandler: (error, request, reply) => void refuse(reply, asRefusal(error, request), endpoint.refusalDetails),
    handler: async (request, reply) => {
      const started = performance.now()
      // A stream stays open with its caller's session: another site has no business to hold one
      if (changes || endpoint.stream === 'text/event-stream') refuseCrossSite(request, options.publicOrigin)
      const now = options.clock.now()
      const cookies = cookiesOf(request, reply, options.secure)
      if (endpoint.access === 'operator' && !isOperator(request, options)) throw new Refusal('OPERATOR_REQUIRED')
      const caller = await admit(endpoint, cookies, now, changes, options)
      const input = readInput(endpoint, request)
      const settle =
        endpoint.limit &&
        (await options.limit(endpoint.limit, {
          address: addressOf(request),
          account: accountOf(input, caller),
          cookies,
        }))
      let taken = false
      const call: Call = {
        ...callOf(request, cookies, caller, now),
        idempotencyKey: endpoint.idempotent ? idempotencyKeyOf(request) : undefined,
        takeOver() {
          taken = true
          reply.hijack()
          return reply.raw
        },
      }
      let output: unknown
      let refused: RefusalCode | undefined
      try {
        output = await handler(input, call)
      } catch (error) {
        if (error instanceof Refusal) refused = error.code
        if (options.strict && error instanceof Refusal && !mayRefuse(endpoint, error.code))
          throw new Error(`${endpoint.method} ${endpoint.path} gave the undeclared refusal ${error.code}`, {
            cause: error,
          })
        throw error
      } finally {
        // A counter that cannot be given back is no reason to tell of a purchase that it failed
        await settle?.(refused).catch((err: unknown) => request.log.warn({ err }, 'a limit was not settled'))
      }
      request.log[changes ? 'info' : 'debug'](
        { route: endpoint.path, user: caller.user?.id, admin: caller.admin?.id, ms: performance.now() - started },
        'answered',
      )
      if (taken) return reply
      if (endpoint.clearsSiteData) reply.header('clear-site-data', '"cache"')
      if (endpoint.stream === 'text/csv') return answerCsv(reply, endpoint, output as AsyncIterable<string>)
      if (endpoint.stream === 'text/plain')
        return reply.header('cache-control', 'no-store').type(PLAIN_TEXT).send(output)
      if (endpoint.download !== undefined)
        reply.header('content-disposition', `attachment; filename="${endpoint.download}"`)
      if (isRows(output)) return answerInPieces(request, reply, endpoint, jsonOf(output, check(endpoint.output)))
      if (endpoint.download !== undefined) {
        const members = (endpoint.output as unknown as { shape: Record<string, z.ZodMiniType> }).shape
        const pieces = jsonOfFile(output as Record<string, unknown>, (member) => check(members[member]))
        return answerInPieces(request, reply, endpoint, pieces)
      }
      if (!endpoint.stream) check(endpoint.output)(output)
      return answer(request, reply, endpoint, write(output))
    },
  })
}

function callOf(request: FastifyRequest, cookies: Cookies, caller: Caller, now: Date): Call {
  return {
    ...caller,
    now,
    address: addressOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    idempotencyKey: undefined,
    cookies,
    log: request.log as Logger,
    requireProof: () => {
      if (caller.admin && !hasProven(caller.admin, now)) throw new Refusal('STEP_UP_REQUIRED')
    },
    takeOver: () => {
      throw new Error('Only a stream endpoint takes the answer over')
    },
  }
}

function hasProven({ hasSecondFactor, secondFactorRequired, provenAt }: RecognisedAdmin, now: Date): boolean {
  if (!hasSecondFactor && !secondFactorRequired) return true
  return provenAt !== null && now.getTime() - provenAt.getTime() < STEP_UP_LASTS_MS
}

/** Who opens a page: the same recognition as for a call; opening a page is something that a person does. */
export async function visit(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<Call> {
  const now = options.clock.now()
  const cookies = cookiesOf(request, reply, options.secure)
  return callOf(request, cookies, await admit({ access: 'anyone', method: 'GET' }, cookies, now, true, options), now)
}

function mayRefuse(endpoint: Endpoint, code: RefusalCode): boolean {
  return endpoint.refusals.includes(code) || ALWAYS_ALLOWED.includes(code)
}

function checkOutput(endpoint: Endpoint, schema: z.ZodMiniType, output: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(output))
  const read = z.safeParse(schema, sent)
  if (!read.success)
    throw new Error(`${endpoint.method} ${endpoint.path} breaks its contract: ${z.prettifyError(read.error)}`)
  // What the schema does not name is dropped by the parse: a difference is a leak
  if (JSON.stringify(sortKeys(read.data)) !== JSON.stringify(sortKeys(sent)))
    throw new Error(`${endpoint.method} ${endpoint.path} answers more than its contract names`)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}

/** An answer as JSON text; its ETag is made when somebody can use it. */
interface Written {
  body: string
  etag?: string
}

/** Of outputs that nobody can change any more: when one is given again, it is not written again. */
const writtenBefore = new WeakMap<object, Written>()

function write(output: unknown): Written {
  if (typeof output !== 'object' || output === null || !Object.isFrozen(output)) return { body: JSON.stringify(output) }
  let written = writtenBefore.get(output)
  if (!written) writtenBefore.set(output, (written = { body: JSON.stringify(output) }))
  return written
}

function answer(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint, written: Written): FastifyReply {
  asJson(reply)
  if (endpoint.method !== 'GET') return reply.code(endpoint.status ?? 200).send(written.body)
  const etag = (written.etag ??= `"${createHash('sha1').update(written.body).digest('base64url')}"`)
  reply.header('etag', etag)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.code(200).send(written.body)
}

/** With the version of Prometheus' format, which is the only plain text there is. */
const PLAIN_TEXT = 'text/plain; version=0.0.4; charset=utf-8'

function asJson(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
}

function isRows(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output
}

/** A list up to this size is answered like any other value, with its ETag. */
const WHOLE_MAX_CHARACTERS = 64 * 1024
const ROWS_PER_CHUNK = 200

/**
 * Sends an answer as its pieces come, no faster than the client takes them. An error before the first ones is an
 * answer like any other; a later one breaks the connection, so that half a list never looks like a whole one.
 */
async function answerInPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  let beginning = ''
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    if (next.done) return answer(request, reply, endpoint, { body: beginning })
    beginning += next.value
    if (beginning.length > WHOLE_MAX_CHARACTERS) break
  }
  return asJson(reply).send(Readable.from(startingWith(beginning, pieces), { objectMode: false }))
}

/**
 * Sends a CSV file line by line as it is read, no faster than the client takes it. Its name is the endpoint's path. As
 * with rows, an error before the first line is an answer like any other, and a later one breaks the connection.
 */
async function answerCsv(reply: FastifyReply, endpoint: Endpoint, lines: AsyncIterable<string>): Promise<FastifyReply> {
  const chunks = inChunks(lines)
  const first = await chunks.next()
  const body = Readable.from(first.done ? [] : startingWith(first.value, chunks), { objectMode: false })
  // Whoever reads them has something to put away, also when the client hangs up before it has taken anything
  body.once('close', () => void chunks.return(undefined))
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${endpoint.path.slice(1).replaceAll('/', '-')}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(body)
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < WHOLE_MAX_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

async function* startingWith(beginning: string, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning
  yield* chunks
}

/** Looks at what is about to be sent. @throws when it is not what the contract says */
type Check = (value: unknown) => void

/** An object as pieces of JSON text, member by member. */
async function* jsonOfFile(file: Record<string, unknown>, checkOf: (member: string) => Check): AsyncGenerator<string> {
  let opening = '{'
  for (const [member, value] of Object.entries(file)) {
    yield `${opening}${JSON.stringify(member)}:`
    opening = ','
    const check = checkOf(member)
    if (isRows(value)) {
      yield* jsonOf(value, check)
      continue
    }
    check(value)
    yield JSON.stringify(value)
  }
  yield '}'
}

/** An array as pieces of JSON text. */
async function* jsonOf(rows: AsyncIterable<unknown>, check: Check): AsyncGenerator<string> {
  let opening = '['
  let batch: unknown[] = []
  const write = () => {
    check(batch)
    const text = opening + JSON.stringify(batch).slice(1, -1)
    opening = ','
    batch = []
    return text
  }
  for await (const row of rows) {
    batch.push(row)
    if (batch.length === ROWS_PER_CHUNK) yield write()
  }
  if (batch.length > 0 || opening === '[') yield write()
  yield ']'
}

/**
 * A browser says where a request comes from; what comes from elsewhere changes nothing here. Programs that
 * are no browser send neither header, and carry no one's cookies by accident.
 */
function refuseCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('CROSS_SITE')
  const { origin } = request.headers
  if (origin === undefined) return
  const own = publicOrigin ?? `${request.protocol}://${request.host}`
  if (origin !== own) throw new Refusal('CROSS_SITE')
}

/** The same machine, and no proxy in between that could stand for somebody else. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/
const OF_A_PROXY = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

function isOperator({ headers, socket }: FastifyRequest, { metricsToken, trustProxy }: HttpOptions): boolean {
  const shown = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (shown !== undefined) return metricsToken !== undefined && timingSafeEqual(digest(shown), digest(metricsToken))
  return (
    trustProxy === false &&
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    OF_A_PROXY.every((name) => headers[name] === undefined)
  )
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

interface Caller {
  user: SessionUser | null
  admin: RecognisedAdmin | null
}

async function admit(
  endpoint: Pick<Endpoint, 'access' | 'method' | 'roles' | 'beforeEnrolment'>,
  cookies: Cookies,
  now: Date,
  active: boolean,
  { recognise }: HttpOptions,
): Promise<Caller> {
  const { access } = endpoint
  if (access === 'public' || access === 'operator') return { user: null, admin: null }
  const { user, admin } = await recognise(cookies, now, active)
  const who = {
    user: typeof user === 'string' ? null : user,
    admin: typeof admin === 'string' ? null : admin,
  }
  if (access === 'anyone') return who
  if (access === 'user' && !who.user) throw new Refusal(typeof user === 'string' ? user : 'NO_SESSION')
  if (access === 'admin' && !who.admin) {
    if (who.user) throw new Refusal('ADMIN_REQUIRED')
    throw new Refusal(typeof admin === 'string' ? admin : 'NO_SESSION')
  }
  if (access === 'admin' && who.admin) refuseByRole(endpoint, who.admin)
  if (access === 'user-or-admin' && !who.user && !who.admin)
    throw new Refusal(typeof user === 'string' ? user : 'NO_SESSION')
  return who
}

function refuseByRole(
  endpoint: Pick<Endpoint, 'method' | 'roles' | 'beforeEnrolment'>,
  { role, hasSecondFactor, secondFactorRequired }: RecognisedAdmin,
): void {
  if (!mayCall(endpoint, role)) throw new Refusal('FORBIDDEN_ROLE')
  if (secondFactorRequired && !hasSecondFactor && !endpoint.beforeEnrolment) throw new Refusal('ENROLMENT_REQUIRED')
}

/** Path parameters, then query or body, as one object; a body cannot overrule the path. */
function readInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const rest = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? request.query : (request.body ?? {})
  if (typeof rest !== 'object' || rest === null || Array.isArray(rest))
    throw new Refusal('INVALID_INPUT', { message: 'Please send a JSON object.' })
  if (holdsUnstorable(rest) || holdsUnstorable(request.params))
    throw new Refusal('INVALID_INPUT', { message: 'This text holds characters that cannot be kept.' })
  const read = z.safeParse(endpoint.input, { ...rest, ...(request.params as object) })
  if (read.success) return read.data
  const fields: Record<string, string> = {}
  for (const issue of read.error.issues) fields[issue.path.join('.') || 'input'] ??= issueText(issue)
  const [first] = Object.values(fields)
  throw new Refusal('INVALID_INPUT', { ...(first === undefined ? {} : { message: first }), fields })
}

/** What the database cannot keep in a text: the zero character, and half of a character of two halves. */
function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return /[\0\p{Surrogate}]/u.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsUnstorable)
}

/** The most telling message of a choice of schemas is the one made for the value that was sent. */
function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const inner = issue.errors.flat().find((each) => each.code === 'custom')
  return inner ? issueText(inner) : issue.message
}

/** A proxy that is trusted may still pass on what its client made up: what is no address is not taken for one. */
function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? '')
}

/** Whose account a limited call is about: the session's, or the name that was typed. */
function accountOf(input: Record<string, unknown>, caller: Caller): string | undefined {
  const session = caller.user ?? caller.admin
  if (session) return session.id
  return typeof input.username === 'string' ? input.username.toLowerCase() : undefined
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(key))
    throw new Refusal('INVALID_INPUT', {
      message: `Idempotency-Key takes 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} plain characters`,
    })
  return key
}

function cookiesOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Cookies {
  const full = (name: CookieName) => (secure ? `__Host-${name}` : name)
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const
  return {
    read: (name) => request.cookies[full(name)],
    write: (name, value, maxAgeMs) =>
      void reply.setCookie(full(name), value, { ...attributes, maxAge: Math.floor(maxAgeMs / 1000) }),
    clear: (name) => void reply.clearCookie(full(name), attributes),
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}

const FRAMEWORK_REFUSALS: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
}

/** Who was not let in is worth a line; a form that was filled in wrongly is not. */
const LOGGED_STATUSES = new Set([401, 403, 429])

function asRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) {
    if (LOGGED_STATUSES.has(refusalStatus(error.code)))
      request.log.info(
        { code: error.code, address: addressOf(request), route: request.routeOptions.url },
        'turned away',
      )
    if (error.code === 'SERVICE_UNAVAILABLE')
      request.log.warn({ err: error.cause, route: request.routeOptions.url }, 'database away or busy')
    return error
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = code === undefined ? undefined : FRAMEWORK_REFUSALS[code]
  if (known) return new Refusal(known)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('INVALID_JSON')
  request.log.error({ err: error, route: request.routeOptions.url }, 'failed')
  return new Refusal('INTERNAL')
}

function refuse(reply: FastifyReply, refusal: Refusal, always: Record<string, unknown> = {}): FastifyReply {
  const { fields, details: own, retryAfterMs } = refusal.extras
  const details = { ...always, ...own }
  const status = refusalStatus(refusal.code)
  if (retryAfterMs !== undefined || status === 429 || status === 503)
    reply.header('retry-after', Math.max(1, Math.ceil((retryAfterMs ?? 1_000) / 1000)))
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...details, message: refusal.message, code: refusal.code, ...(fields ? { fields } : {}) }))
}
