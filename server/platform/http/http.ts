/**
 * Serves the contract over HTTP. Every endpoint goes the same way: same-site check, session, input, rate limit,
 * handler, answer. A path without an endpoint is a JSON 404. Only this folder and app.ts know the framework.
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
  /** The SHA-256 of the session's token, which names the session but cannot open it. */
  sessionHash: Buffer
}

export interface SessionAdmin {
  id: string
  username: string
  sessionHash: Buffer
}

/** An admin's session with its rights at this moment. */
export interface AuthenticatedAdmin extends SessionAdmin {
  role: AdminRole
  hasSecondFactor: boolean
  /** True if the store asks every admin for two-step verification, and for a proof before sensitive actions. */
  secondFactorRequired: boolean
  /** When this session last proved who holds it, other than by logging in. */
  provenAt: Date | null
  /** True if the token was replaced a moment ago. Such a session may read, but not change anything. */
  isReplaced: boolean
}

/** All that a handler may know of a request, apart from its input. */
export interface Call<A extends Access = Access> {
  readonly user: A extends 'user' ? SessionUser : SessionUser | null
  readonly admin: A extends 'admin' ? SessionAdmin : SessionAdmin | null
  /** The reason why the buyer's cookie is no longer valid, if there is one. */
  readonly refusal: RefusalCode | undefined
  readonly now: Date
  readonly address: string
  readonly userAgent: string
  readonly idempotencyKey: string | undefined
  readonly cookies: Cookies
  /** Reads that are kept for as long as the database does not change. */
  readonly cached: CachedReads
  readonly log: Logger
  /** The caller's place in the queue for password hashing. Undefined if the endpoint has no limit. */
  readonly turn?: Turn | undefined
  /** True if `requireProof` lets this call pass. */
  readonly isProven: boolean
  /**
   * Protects actions that an intruder at an open admin session must not do.
   * @throws Refusal STEP_UP_REQUIRED when the admin has two-step verification, or the store asks for it, and the
   *   session gave no recent proof
   */
  requireProof(): void
  /** Takes the answer over, for `stream` endpoints. Nothing else is sent. */
  takeOver(): ServerResponse
}

/** A list may be answered row by row, so that a long one is never in memory as a whole. */
type Rows<Output> = Output extends readonly (infer Row)[] ? Output | AsyncIterable<Row> : Output
/** The lists of a download may be answered row by row, too. */
type Answer<E extends Endpoint, Output = z.input<E['output']>> = E extends { download: string }
  ? { [K in keyof Output]: Rows<Output[K]> }
  : Rows<Output>

type Handler<E extends Endpoint> = (
  input: z.output<E['input']>,
  call: Call<E['access']>,
) => Promise<Answer<E>> | Answer<E>

/** One handler for each endpoint of a feature; a missing one does not compile. */
export type Handlers<F extends Endpoints> = { readonly [K in keyof F]: Handler<F[K]> }

/** The sessions of the cookies. Each is a session, the reason of its refusal, or null. */
export interface Authenticated {
  user: SessionUser | RefusalCode | null
  admin: AuthenticatedAdmin | RefusalCode | null
}

export interface HttpOptions {
  /** Endpoints by feature; `handlers` has the same shape. */
  api: Record<string, Endpoints>
  handlers: Record<string, Record<string, unknown>>
  clock: Clock
  log: Logger
  cache: SnapshotCache
  /** @param active true if a person did something, which keeps the session alive */
  authenticate(cookies: Cookies, now: Date, active: boolean, cached?: CachedReads): Promise<Authenticated>
  /**
   * Counts a call.
   * @returns `settle`, to call with the outcome, because some limits count only some outcomes; and `isKnown`, which is
   *   true if the account was logged in before in this browser
   * @throws Refusal RATE_LIMITED
   */
  limit(
    name: LimitName,
    who: { address: string; account: string | undefined; cookies: Pick<Cookies, 'read'> },
  ): Promise<{ settle: (failure: RefusalCode | undefined) => Promise<void>; isKnown: boolean }>
  /** True behind HTTPS. Cookies are then Secure and have the __Host- prefix, as when a trusted proxy says https. */
  secure: boolean
  /** The origin that browsers see, if it differs from the Host header. */
  publicOrigin?: string | undefined
  trustProxy: string[] | boolean
  /** The operator's token; undefined if only this machine may ask for metrics. */
  metricsToken?: string | undefined
  /** Is called for a request that a proxy on this machine passes on, while no proxy is trusted. */
  onUntrustedProxy?(address: string): void
  /** Is called for every request after its answer. */
  onAnswered?(request: { method: string; route: string; status: number; tookMs: number }): void
  /** True in tests. An answer that breaks the contract, or an undeclared refusal, is then a 500. */
  strict: boolean
}

const BODY_LIMIT_BYTES = 100 * 1024
/** No requireHostHeader, because `refuseAmbiguous` refuses a request without a host and names a code. */
const TIMEOUTS = {
  requestTimeout: 30_000,
  // A caller that sends its headers slowly keeps a connection for this long, and until Node checks next
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}
/** In characters. Browsers send thirty. A longer list is dropped, so its sender gets no encoding. */
const ACCEPT_ENCODING_MAX = 200
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
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- or pino's Logger would type every plugin
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (handle) => createServer(TIMEOUTS, inTurn(handle)),
    clientErrorHandler: answerUnreadable,
    // Requests on open connections are answered as usual while the store closes
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // `logOf` makes a child logger when something is logged, because one for each request costs too much
    childLoggerFactory: (logger) => logger,
    routerOptions: { maxParamLength: 600, ignoreTrailingSlash: true },
    // An unreadable URL reaches neither a route nor its hooks
    frameworkErrors: (_error, request, reply) => {
      protect(request, reply)
      refuse(reply, new Refusal('INVALID_INPUT', { message: 'This address is not valid.' }), detailsFor(request))
    },
  })
  app.addHook('onRequest', (request, reply, next) => {
    protect(request, reply)
    const { headers } = request.raw
    if ((headers['accept-encoding']?.length ?? 0) > ACCEPT_ENCODING_MAX) delete headers['accept-encoding']
    if (options.trustProxy === false && isForwardedHere(request)) options.onUntrustedProxy?.(request.ip)
    try {
      refuseAmbiguous(request)
      next()
    } catch (refusal) {
      // The next bytes on this connection may be a part of this request
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
      // All other paths share one name, because paths that strangers invent must not fill the memory
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

/** Returns the extra members of an endpoint's refusals, also for a path that the router can’t read. */
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

/** Answers bytes that never become a request, so that no hook sees them. */
function answerUnreadable(error: { code: string }, socket: Socket): void {
  // Writes nothing into the middle of an answer, such as a stream. Node does the same
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

/** Takes a JSON content type without a body as an empty input, because clients send that (logout, DELETE). */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}

/** A call as far as its headers tell. */
interface Received {
  now: Date
  cookies: Cookies
  cached: CachedReads
  caller: Caller
  /** When the headers were read, by the process' own clock. */
  atMs: number
}

/** Kept on the request itself, because entries of a WeakMap live until the next full garbage collection. */
const RECEIVED = Symbol('received')
type Early = FastifyRequest & { [RECEIVED]?: Received }

/** After a body that took longer than this, the caller is checked again, because the session may have ended. */
const RECEIVED_COUNTS_MS = 1_000

function register(app: FastifyInstance, endpoint: Endpoint, handler: Handler<Endpoint>, options: HttpOptions): void {
  const changes = endpoint.method !== 'GET'
  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<Received> => {
    // Another site must not hold a stream open with the caller's session
    if (changes || endpoint.stream === 'text/event-stream') refuseCrossSite(request, options.publicOrigin)
    const now = options.clock.now()
    const cookies = cookiesOf(request, reply, isSecure(request, options.secure))
    if (endpoint.access === 'operator' && !isOperator(request, options)) throw new Refusal('OPERATOR_REQUIRED')
    const cached = options.cache.view()
    // A change reads without the cache, because the cache asks one more question
    const caller = await admit(endpoint, { cookies, now, active: changes, ...(changes ? {} : { cached }) }, options)
    return { now, cookies, cached, caller, atMs: performance.now() }
  }
  const largeBody = endpoint.bodyLimitBytes !== undefined && { bodyLimit: endpoint.bodyLimitBytes }
  const bodyLast = changes && {
    // Refuses a stranger before the body is read, because parsing a large one takes seconds and much memory
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      ;(request as Early)[RECEIVED] = await receive(request, reply)
      if (largeBody && request.headers['content-encoding'] !== undefined) throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
    },
  }
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    // Skips the plugin's decompression for calls without a body, and for large bodies
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
          // Admins and known browsers do not wait behind strangers
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
        // A counter that cannot be given back must not make a purchase look failed
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
  // Names each member, because spreading costs a fifteenth of a read and every request does this
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

/** Recognises the visitor of a page, as for a call. Opening a page keeps a session alive. */
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
  /** The reason why the buyer's cookie is no longer valid, if there is one. */
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
 * Returns the account that a limited call counts against: the session's, or the typed username. Admin calls count
 * against the admin. Otherwise a new buyer session would reset the limit.
 */
function accountOf({ access }: Endpoint, input: Record<string, unknown>, caller: Caller): string | undefined {
  const session = access === 'admin' ? caller.admin : (caller.user ?? caller.admin)
  if (session) return session.id
  return typeof input.username === 'string' ? input.username.toLowerCase() : undefined
}
