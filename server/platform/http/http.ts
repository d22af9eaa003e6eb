/**
 * Serves the contract over HTTP. Every endpoint goes the same way: same-site check, session, input, rate limit,
 * handler, answer. A path without an endpoint is a JSON 404. Only this folder and app.ts know the framework.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import compressPlugin from '@fastify/compress'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { admit } from './admit.ts'
import { callOf, type Call, type Handler } from './call.ts'
import { cookiesOf, NO_COOKIES } from './cookies.ts'
import { register } from './endpoint-route.ts'
import type { HttpOptions } from './http-options.ts'
import { inTurn } from './in-turn.ts'
import { httpDates, isSecure, protector } from './protective-headers.ts'
import { apiTokenOf, logAnswered, isCompressed, isForwardedHere, pathOf, refuseAmbiguous } from './requests.ts'
import { asRefusal, BROTLI_OPTIONS, COMPRESS_FROM_BYTES, ENCODINGS, refuse } from './responses.ts'
import { answerUnreadable } from './unreadable.ts'
import { cutUnread } from './unread.ts'

export type {
  Authenticated,
  AuthenticatedAdmin,
  Call,
  CallingDevice,
  CallingToken,
  Handlers,
  SessionAdmin,
  SessionUser,
} from './call.ts'
export type { HttpOptions, ShownToken } from './http-options.ts'
export type { SentText } from './requests.ts'

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
const COMPRESSED = 'Please send this without compression.'
/** In characters. Browsers send thirty. A longer list is dropped, so its sender gets no encoding. */
const ACCEPT_ENCODING_MAX = 200

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const protect = protector(options.secure)
  const dateNow = httpDates(options.clock)
  const detailsFor = refusalDetailsByPath(options.api)
  const app = fastify({
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- or pino's Logger would type every plugin
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (handle) => {
      const server = createServer(TIMEOUTS, inTurn(handle))
      cutUnread(server)
      return server
    },
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
    // The store's, which pages follow, because that of this machine may be wrong
    reply.header('date', dateNow())
    reply.header('x-request-id', request.id)
    const { headers } = request.raw
    if ((headers['accept-encoding']?.length ?? 0) > ACCEPT_ENCODING_MAX) delete headers['accept-encoding']
    // Some clients declare a form for a call without a body
    if ((headers['content-length'] ?? '0') === '0' && !headers['transfer-encoding']) delete headers['content-type']
    if (options.trustProxy === false && isForwardedHere(request)) options.onUntrustedProxy?.(request.ip)
    try {
      refuseAmbiguous(request)
    } catch (refusal) {
      // The next bytes on this connection may be a part of this request
      reply.header('connection', 'close')
      return next(refusal as Refusal)
    }
    next(isCompressed(request) ? new Refusal('UNSUPPORTED_MEDIA_TYPE', { message: COMPRESSED }) : undefined)
  })
  await app.register(compressPlugin, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ENCODINGS,
    brotliOptions: BROTLI_OPTIONS,
    globalDecompression: false,
  })
  acceptEmptyJson(app)
  tellAnswers(app, options.onAnswered)

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
      if (endpoint.takesText) await app.register(textScope(endpoint, handler, options))
      else register(app, endpoint, handler, options)
    }
  }
  return app
}

/** Logs and counts each answer. */
function tellAnswers(app: FastifyInstance, onAnswered: HttpOptions['onAnswered']): void {
  app.addHook('onResponse', (request, reply, next) => {
    logAnswered(request, reply.statusCode, reply.elapsedTime)
    if (onAnswered) {
      // All other paths share one name, because paths that strangers invent must not fill the memory
      const { url } = request.routeOptions
      const route = url?.startsWith('/api/') ? url : 'page'
      onAnswered({ method: request.method, route, status: reply.statusCode, tookMs: reply.elapsedTime })
    }
    next()
  })
}

/** The framework refuses others, and a phone would send its message again and again. */
const READABLE_TYPE = /^[\w.+-]+\/[\w.+-]+\s*(?:;\s*charset=[\w-]+\s*)?$/i

/** A scope in which every body is text, because some phones declare JSON and send something else. */
const textScope =
  (endpoint: Endpoint, handler: Handler<Endpoint>, options: HttpOptions) =>
  (scope: FastifyInstance, _: object, done: () => void): void => {
    scope.removeAllContentTypeParsers()
    scope.addHook('onRequest', (request, _reply, next) => {
      const { headers } = request.raw
      if (!READABLE_TYPE.test(headers['content-type'] ?? '')) headers['content-type'] = 'text/plain'
      next()
    })
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, read) => read(null, body))
    register(scope, endpoint, handler, options)
    done()
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

/** Takes a JSON content type without a body as an empty input, because clients send that (logout, DELETE). */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}

/** Recognises the visitor of a page, as for a call. Opening a page keeps a session alive. A token opens no page. */
export async function visit(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<Call> {
  const now = options.clock.now()
  const isProgram = apiTokenOf(request) !== undefined
  const cookies = isProgram ? NO_COOKIES : cookiesOf(request, reply, isSecure(request, options.secure))
  const seen = { cookies, now, cached: options.cache.view() }
  const caller = await admit({ access: 'anyone', method: 'GET' }, { ...seen, active: true }, options)
  return callOf(request, seen, caller)
}
