/** Serves one endpoint: admits its caller, reads the input, counts the call, runs the handler and sends the answer. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Refusal, type RefusalCode } from '../../../contract/errors.ts'
import type { LimitName } from '../../../contract/rate-limits.ts'
import type { CachedReads } from '../database/snapshot-cache.ts'
import type { Turn } from '../passwords/turns.ts'
import { contactsIn } from './contacts.ts'
import { accountOf, admit, admitToken } from './admit.ts'
import { callOf, type Caller, type Handler, type Call } from './call.ts'
import { cookiesOf, NO_COOKIES, type Cookies } from './cookies.ts'
import type { HttpOptions, ShownToken } from './http-options.ts'
import { isSecure } from './protective-headers.ts'
import { network, siteOf } from '../rate-limits.ts'
import {
  addressOf,
  apiTokenOf,
  bearerOf,
  idempotencyKeyOf,
  isOperator,
  readInput,
  refuseCrossSite,
  sentText,
} from './requests.ts'
import { asRefusal, etagOf, refuse, sendAnswer } from './responses.ts'

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
  'TOKEN_INVALID',
  'TOKEN_REFUSED',
  'ADMIN_REQUIRED',
  'FORBIDDEN_ROLE',
  'ENROLMENT_REQUIRED',
  'RATE_LIMITED',
]

/** Identifies this build: another one may write the same answer differently. A built program is this one file. */
const PROGRAM = hash('sha1', readFileSync(import.meta.filename), 'base64url')

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

/** Adds the endpoint's route. */
export function register(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
  options: HttpOptions,
): void {
  const changes = endpoint.method !== 'GET'
  const receive = (request: FastifyRequest, reply: FastifyReply) => readHeaders(endpoint, request, reply, options)
  const largeBody = endpoint.bodyLimitBytes !== undefined && { bodyLimit: endpoint.bodyLimitBytes }
  const bodyLast = changes && {
    // Refuses a stranger before the body is read, because parsing a large one takes seconds and much memory
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      ;(request as Early)[RECEIVED] = await receive(request, reply)
    },
  }
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ...largeBody,
    ...bodyLast,
    errorHandler: (error, request, reply) => void refuse(reply, asRefusal(error, request), endpoint.refusalDetails),
    handler: async (request, reply) => {
      const started = performance.now()
      const early = (request as Early)[RECEIVED]
      const received = early && started - early.atMs < RECEIVED_COUNTS_MS ? early : await receive(request, reply)
      const input = readInput(endpoint, request)
      const limit = limitOf(endpoint, received.caller)
      const counted = limit && (await count(endpoint, limit, { request, input, received }, options))
      let taken = false
      let etag: string | undefined
      let answered: Endpoint = endpoint
      const call = callOf(request, received, received.caller, {
        idempotencyKey: endpoint.idempotent ? idempotencyKeyOf(request) : undefined,
        ...(endpoint.takesText && { sent: sentText(request) }),
        ...(endpoint.forOldClients && { forOldClients: true }),
        turn: counted?.turn,
        async knows(version) {
          etag = etagOf(`${PROGRAM} ${await version()}`)
          return request.headers['if-none-match']?.includes(etag) === true
        },
        madeNothing() {
          const { status: _, ...plain } = endpoint
          answered = plain
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
        if (endpoint.saysToBuyers && contactsIn(endpoint.saysToBuyers.map((name) => input[name])).length > 0)
          call.requireProof()
        output = await handler(input, call)
      } catch (error) {
        if (error instanceof Refusal) refused = error.code
        if (options.strict && error instanceof Refusal && !mayRefuse(endpoint, error.code))
          throw new Error(`${endpoint.method} ${endpoint.path} gave the undeclared refusal ${error.code}`, {
            cause: error,
          })
        throw error
      } finally {
        await counted?.settle(refused).catch((err: unknown) => {
          if (err instanceof Refusal && err.code === 'RATE_LIMITED') throw err
          // A counter that cannot be given back must not make a purchase look failed
          call.log.warn({ err }, 'a limit was not settled')
        })
      }
      noteAnswer(endpoint, options, call, performance.now() - started)
      if (taken) return reply
      return sendAnswer(request, reply, answered, output, { strict: options.strict, etag })
    },
  })
}

/** Counts a limited call. @returns how to settle the count, and the call's place in the queue for password hashing */
async function count(
  endpoint: Endpoint,
  limit: LimitName,
  call: { request: FastifyRequest; input: Record<string, unknown>; received: Received },
  options: HttpOptions,
): Promise<{ settle(refused: RefusalCode | undefined): Promise<void>; turn: Turn }> {
  const { request, input, received } = call
  const address = addressOf(request)
  const account = accountOf(endpoint, input, received.caller)
  const { isKnown, settle } = await options.limit(limit, { address, account, cookies: received.cookies })
  const turn = {
    // Admins and known browsers do not wait behind strangers
    lane: `${limit === 'admin-login' ? 'admins' : 'buyers'} ${isKnown ? 'known' : 'new'}`,
    network: siteOf(address) ?? network(address),
    account: account ?? '',
    isGone: () => request.raw.socket.destroyed,
  }
  return { settle, turn }
}

function noteAnswer({ method, path }: Endpoint, { log }: HttpOptions, call: Call, ms: number): void {
  const level = method === 'GET' ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  call.log[level]({ route: path, user: call.user?.id, admin: call.admin?.id, ms }, 'answered')
}

/** Checks a call by its headers alone and admits its caller, before the body is read. */
async function readHeaders(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
): Promise<Received> {
  const changes = endpoint.method !== 'GET'
  // Another site must not hold a stream open with the caller's session
  if (changes || endpoint.stream === 'text/event-stream') refuseCrossSite(request, options.publicOrigin)
  const now = options.clock.now()
  const cached = options.cache.view()
  const apiToken = apiTokenOf(request)
  if (apiToken !== undefined && !(endpoint.access === 'operator' && isOperator(request, options))) {
    const shown = { token: apiToken, now, address: addressOf(request), cached: changes ? undefined : cached }
    const caller = await admitProgram(endpoint, shown, options)
    return { now, cookies: NO_COOKIES, cached, caller, atMs: performance.now() }
  }
  const cookies = cookiesOf(request, reply, isSecure(request, options.secure))
  if (endpoint.access === 'operator' && !isOperator(request, options)) throw new Refusal('OPERATOR_REQUIRED')
  // A change reads without the cache, because the cache asks one more question
  const token = bearerOf(request)
  const caller = await admit(
    endpoint,
    { cookies, now, token, active: changes, ...(changes ? {} : { cached }) },
    options,
  )
  return { now, cookies, cached, caller, atMs: performance.now() }
}

/** Slows down who tries tokens, whom nobody at the same address has to wait for. */
async function admitProgram(endpoint: Endpoint, shown: ShownToken, options: HttpOptions): Promise<Caller> {
  try {
    return await admitToken(endpoint, shown, options)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'TOKEN_INVALID') throw error
    const who = { address: shown.address, account: undefined, cookies: NO_COOKIES }
    await (await options.limit('wrong-token', who)).settle(error.code)
    throw error
  }
}

/** A program's calls count also where a person's do not. */
const limitOf = ({ limit }: Endpoint, { token }: Caller): LimitName | undefined =>
  token ? (limit === 'claim' ? 'token-claim' : (limit ?? 'token')) : limit

function mayRefuse(endpoint: Endpoint, code: RefusalCode): boolean {
  return (endpoint.refusals ?? []).includes(code) || ALWAYS_ALLOWED.includes(code)
}
