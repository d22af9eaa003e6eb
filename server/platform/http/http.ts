/**
 * From the contract to HTTP. Every endpoint goes the same way: same-site check, session, input, rate limit,
 * handler, answer; a path without an endpoint is a JSON 404. Only this file, those beside it that read a request
 * (requests.ts, cookies.ts) and answer it (answers.ts, pages.ts, protective-headers.ts), and app.ts know the
 * framework.
 */
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import compressPlugin from '@fastify/compress'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type * as z from 'zod/mini'
import { mayCall, type Access, type AdminRole, type Endpoint, type Endpoints } from '../../../contract/endpoint.ts'
import { Refusal, type RefusalCode } from '../../../contract/errors.ts'
import { STEP_UP_LASTS_MS } from '../../../contract/limits.ts'
import type { LimitName } from '../../../contract/rate-limits.ts'
import { asRefusal, BROTLI_OPTIONS, COMPRESS_FROM_BYTES, ENCODINGS, refuse, sendAnswer } from './responses.ts'
import type { Clock } from '../clock.ts'
import { cookiesOf, type Cookies } from './cookies.ts'
import { inTurn } from './in-turn.ts'
import type { SnapshotCache, CachedReads } from '../database/snapshot-cache.ts'
import { isSecure, protector } from './protective-headers.ts'
import { network, siteOf } from './rate-limits.ts'
import {
  addressOf,
  idempotencyKeyOf,
  isForwardedHere,
  isOperator,
  logOf,
  pathOf,
  readInput,
  refuseAmbiguous,
  refuseCrossSite,
} from './requests.ts'
import type { Turn } from '../passwords/turns.ts'

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
export interface AuthenticatedAdmin extends SessionAdmin {
  role: AdminRole
  hasSecondFactor: boolean
  /** The store asks every admin for a second factor, and for a new proof where it matters. */
  secondFactorRequired: boolean
  /** When this session has last proven who holds it, other than by logging in. */
  provenAt: Date | null
  /** By a token that was replaced a moment ago: it changes nothing any more. */
  isReplaced: boolean
}

/** Who calls, from where and when: all that a handler may know of a request beside its input. */
export interface Call<A extends Access = Access> {
  readonly user: A extends 'user' ? SessionUser : SessionUser | null
  readonly admin: A extends 'admin' ? SessionAdmin : SessionAdmin | null
  /** Why a buyer's cookie counts no more, where there is one. */
  readonly refusal: RefusalCode | undefined
  readonly now: Date
  readonly address: string
  readonly userAgent: string
  readonly idempotencyKey: string | undefined
  readonly cookies: Cookies
  /** What is asked again and again, read once for as long as the database does not change. */
  readonly cached: CachedReads
  readonly log: Logger
  /** Where the caller stands in a queue for what is scarce. Undefined where an endpoint has no limit. */
  readonly turn?: Turn | undefined
  /** Whether `requireProof` lets this call pass. */
  readonly isProven: boolean
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
export interface Authenticated {
  user: SessionUser | RefusalCode | null
  admin: AuthenticatedAdmin | RefusalCode | null
}

export interface HttpOptions {
  /** feature → endpoints, and the same with handlers. */
  api: Record<string, Endpoints>
  handlers: Record<string, Record<string, unknown>>
  clock: Clock
  log: Logger
  cache: SnapshotCache
  /** @param active whether the call is something that a person did, and so keeps a session alive */
  authenticate(cookies: Cookies, now: Date, active: boolean, cached?: CachedReads): Promise<Authenticated>
  /**
   * Counts a call.
   * @returns `settle`, to be told how the call ended, for limits that count only some ends; and whether the account was
   *   logged in before in this browser
   * @throws Refusal RATE_LIMITED
   */
  limit(
    name: LimitName,
    who: { address: string; account: string | undefined; cookies: Pick<Cookies, 'read'> },
  ): Promise<{ settle: (failure: RefusalCode | undefined) => Promise<void>; isKnown: boolean }>
  /** Behind HTTPS, as are requests of which a trusted proxy says so: cookies are Secure and carry the __Host- prefix. */
  secure: boolean
  /** The origin that browsers see, where it differs from the Host header. */
  publicOrigin?: string | undefined
  trustProxy: string[] | boolean
  /** What a program of the operator shows; undefined where only the machine itself may ask. */
  metricsToken?: string | undefined
  /** Is told of a request that a proxy on this machine passes on, while no proxy is trusted. */
  onUntrustedProxy?(address: string): void
  /** Is told of every request when it has been answered. */
  onAnswered?(request: { method: string; route: string; status: number; tookMs: number }): void
  /** In tests: an answer that breaks the contract, or an undeclared refusal, is a 500. */
  strict: boolean
}

const BODY_LIMIT_BYTES = 100 * 1024
/** `refuseAmbiguous` refuses a request that names no host, with a code. */
const TIMEOUTS = {
  requestTimeout: 30_000,
  // A caller that sends a header a second holds a connection for no longer than this, and until Node looks next
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}
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
  const protect = protector(options.secure)
  const detailsFor = refusalDetailsByPath(options.api)
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger, // oxlint-disable-line typescript/no-unnecessary-type-assertion -- or every plugin would be typed by pino's Logger
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (handle) => createServer(TIMEOUTS, inTurn(handle)),
    clientErrorHandler: answerUnreadable,
    // What still comes over an open connection while the store closes is answered like any other
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // Made where something is likely to be logged, not for each request: see `logOf`
    childLoggerFactory: (logger) => logger,
    routerOptions: { maxParamLength: 600, ignoreTrailingSlash: true },
    // An unreadable URL never reaches a route, nor the hooks before it
    frameworkErrors: (_error, request, reply) => {
      protect(request, reply)
      refuse(reply, new Refusal('INVALID_INPUT', { message: 'This address is not valid.' }), detailsFor(request))
    },
  })
  app.addHook('onRequest', (request, reply, next) => {
    protect(request, reply)
    if (options.trustProxy === false && isForwardedHere(request)) options.onUntrustedProxy?.(request.ip)
    try {
      refuseAmbiguous(request)
      next()
    } catch (refusal) {
      // What follows on this connection may be a part of it
      reply.header('connection', 'close')
      next(refusal as Refusal)
    }
  })
  await app.register(compressPlugin, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ENCODINGS,
    brotliOptions: BROTLI_OPTIONS,
  })
  acceptEmptyJson(app)
  const { onAnswered } = options
  if (onAnswered) {
    app.addHook('onResponse', (request, reply, next) => {
      // Paths that are no endpoint are one: what a stranger makes up must not fill the memory
      const { url } = request.routeOptions
      const route = url?.startsWith('/api/') ? url : 'page'
      onAnswered({ method: request.method, route, status: reply.statusCode, tookMs: reply.elapsedTime })
      next()
    })
  }

  app.setErrorHandler((error, request, reply) => refuse(reply, asRefusal(error, request)))
  app.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      new Refusal('NOT_FOUND', { message: `No endpoint for ${request.method} ${pathOf(request)}.` }),
      detailsFor(request),
    ),
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

/** What the refusals of an endpoint carry, also where its path holds what the router can’t read. */
function refusalDetailsByPath(api: HttpOptions['api']) {
  const known = Object.values(api)
    .flatMap((endpoints) => Object.values(endpoints))
    .flatMap(({ method, path, refusalDetails }) =>
      refusalDetails ? [{ method, start: `/api${path.split('{')[0]}`, refusalDetails }] : [],
    )
  return (request: FastifyRequest): Record<string, unknown> | undefined =>
    known.find(({ method, start }) => method === request.method && pathOf(request).startsWith(start))?.refusalDetails
}

const MALFORMED = { status: 400, code: 'INVALID_INPUT', message: 'This is not a valid request.' } as const
const UNREADABLE: Record<string, { status: number; code: RefusalCode; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'PAYLOAD_TOO_LARGE', message: 'The address or a header is too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The request timed out. Please try again.',
  },
}

/** What never becomes a request, so that nothing else of this file sees it. */
function answerUnreadable(error: { code: string }, socket: Socket): void {
  // As Node does: into the middle of an answer, such as a stream, nothing may be written
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null }
  if (error.code !== 'ECONNRESET' && socket.writable && !answering?.headersSent) {
    const { status, code, message } = UNREADABLE[error.code] ?? MALFORMED
    const body = JSON.stringify({ message, code })
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  socket.destroy()
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

/** What is known of a call from its headers alone. */
interface Received {
  now: Date
  cookies: Cookies
  cached: CachedReads
  caller: Caller
  /** When that was known, by the process' own clock. */
  atMs: number
}

/** On the request itself: what stands in a WeakMap lives until the next full collection. */
const RECEIVED = Symbol('received')
type Early = FastifyRequest & { [RECEIVED]?: Received }

/** A session may end while a body is on its way: one that took longer than this has its caller looked at again. */
const RECEIVED_COUNTS_MS = 1_000

function register(app: FastifyInstance, endpoint: Endpoint, handler: Handler<Endpoint>, options: HttpOptions): void {
  const changes = endpoint.method !== 'GET'
  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<Received> => {
    // A stream stays open with its caller's session: another site has no business to hold one
    if (changes || endpoint.stream === 'text/event-stream') refuseCrossSite(request, options.publicOrigin)
    const now = options.clock.now()
    const cookies = cookiesOf(request, reply, isSecure(request, options.secure))
    if (endpoint.access === 'operator' && !isOperator(request, options)) throw new Refusal('OPERATOR_REQUIRED')
    const cached = options.cache.view()
    // While something changes, nothing is kept for long: asking whether it has would be a question more
    const caller = await admit(endpoint, { cookies, now, active: changes, ...(changes ? {} : { cached }) }, options)
    return { now, cookies, cached, caller, atMs: performance.now() }
  }
  const largeBody = endpoint.bodyLimitBytes !== undefined && { bodyLimit: endpoint.bodyLimitBytes }
  const bodyLast = changes && {
    // A stranger's is not read at all: parsing a large one takes seconds and much memory, and unfolding it costs its sender nothing
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      ;(request as Early)[RECEIVED] = await receive(request, reply)
      if (largeBody && request.headers['content-encoding'] !== undefined) throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
    },
  }
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    // What has no body has none to unfold, and nobody to be asked about it
    ...(changes && !largeBody ? {} : { decompress: false }),
    ...largeBody,
    ...bodyLast,
    errorHandler: (error, request, reply) => void refuse(reply, asRefusal(error, request), endpoint.refusalDetails),
    handler: async (request, reply) => {
      const started = performance.now()
      const early = (request as Early)[RECEIVED]
      const { now, cookies, cached, caller } =
        early && started - early.atMs < RECEIVED_COUNTS_MS ? early : await receive(request, reply)
      const input = readInput(endpoint, request)
      const address = addressOf(request)
      const account = accountOf(endpoint, input, caller)
      const counted = endpoint.limit && (await options.limit(endpoint.limit, { address, account, cookies }))
      let taken = false
      const call = callOf(request, { cookies, cached, now }, caller, {
        idempotencyKey: endpoint.idempotent ? idempotencyKeyOf(request) : undefined,
        turn: counted && {
          // Admins, and browsers that are no strangers, do not wait behind strangers
          lane: `${endpoint.limit === 'admin-login' ? 'admins' : 'buyers'} ${counted.isKnown ? 'known' : 'new'}`,
          network: siteOf(address) ?? network(address),
          account: account ?? '',
          isGone: () => request.raw.socket.destroyed,
        },
        takeOver() {
          taken = true
          reply.hijack()
          for (const [name, value] of Object.entries(reply.getHeaders()))
            if (value !== undefined) reply.raw.setHeader(name, value)
          return reply.raw
        },
      })
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
        await counted?.settle(refused).catch((err: unknown) => call.log.warn({ err }, 'a limit was not settled'))
      }
      const level = changes ? 'info' : 'debug'
      if (options.log.isLevelEnabled(level))
        call.log[level](
          { route: endpoint.path, user: caller.user?.id, admin: caller.admin?.id, ms: performance.now() - started },
          'answered',
        )
      if (taken) return reply
      return sendAnswer(request, reply, endpoint, output, options.strict)
    },
  })
}

function callOf(
  request: FastifyRequest,
  seen: Pick<Call, 'cookies' | 'cached' | 'now'>,
  caller: Caller,
  own: Partial<Pick<Call, 'idempotencyKey' | 'takeOver' | 'turn'>> = {},
): Call {
  const { user, admin, refusal } = caller
  const { cookies, cached, now } = seen
  // Member by member: made for each request, and spreading costs a fifteenth of a read
  return {
    user,
    admin,
    refusal,
    cookies,
    cached,
    now,
    address: addressOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    idempotencyKey: own.idempotencyKey,
    turn: own.turn,
    log: request.method === 'GET' ? (request.log as Logger) : logOf(request),
    isProven: isProven(admin, now),
    requireProof: () => {
      if (!isProven(admin, now)) throw new Refusal('STEP_UP_REQUIRED')
    },
    takeOver: own.takeOver ?? noTakeOver,
  }
}

function noTakeOver(): never {
  throw new Error('Only a stream endpoint takes the answer over')
}

function isProven(admin: AuthenticatedAdmin | null, now: Date): boolean {
  if (!admin) return true
  const { hasSecondFactor, secondFactorRequired, provenAt } = admin
  if (!hasSecondFactor && !secondFactorRequired) return true
  return provenAt !== null && now.getTime() - provenAt.getTime() < STEP_UP_LASTS_MS
}

/** Who opens a page: the same recognition as for a call; opening a page is something that a person does. */
export async function visit(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<Call> {
  const now = options.clock.now()
  const cookies = cookiesOf(request, reply, isSecure(request, options.secure))
  const seen = { cookies, now, cached: options.cache.view() }
  const caller = await admit({ access: 'anyone', method: 'GET' }, { ...seen, active: true }, options)
  return callOf(request, seen, caller)
}

function mayRefuse(endpoint: Endpoint, code: RefusalCode): boolean {
  return endpoint.refusals.includes(code) || ALWAYS_ALLOWED.includes(code)
}

interface Caller {
  user: SessionUser | null
  admin: AuthenticatedAdmin | null
  /** Of the buyer's cookie, where there is one that counts no more. */
  refusal?: RefusalCode | undefined
}

async function admit(
  endpoint: Pick<Endpoint, 'access' | 'method' | 'roles' | 'beforeEnrolment'>,
  { cookies, now, active, cached }: { cookies: Cookies; now: Date; active: boolean; cached?: CachedReads },
  { authenticate }: HttpOptions,
): Promise<Caller> {
  const { access } = endpoint
  if (access === 'public' || access === 'operator') return { user: null, admin: null }
  const { user, admin } = await authenticate(cookies, now, active, cached)
  const who = {
    user: typeof user === 'string' ? null : user,
    refusal: typeof user === 'string' ? user : undefined,
    admin: typeof admin === 'string' || (admin?.isReplaced && endpoint.method !== 'GET') ? null : admin,
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
  { role, hasSecondFactor, secondFactorRequired }: AuthenticatedAdmin,
): void {
  if (!mayCall(endpoint, role)) throw new Refusal('FORBIDDEN_ROLE')
  if (secondFactorRequired && !hasSecondFactor && !endpoint.beforeEnrolment) throw new Refusal('ENROLMENT_REQUIRED')
}

/**
 * Whose account a limited call is about: the session's, or the name that was typed. What admins call is about the admin:
 * a buyer's session beside it is anybody's to change, and would bring new tries with it.
 */
function accountOf({ access }: Endpoint, input: Record<string, unknown>, caller: Caller): string | undefined {
  const session = access === 'admin' ? caller.admin : (caller.user ?? caller.admin)
  if (session) return session.id
  return typeof input.username === 'string' ? input.username.toLowerCase() : undefined
}
