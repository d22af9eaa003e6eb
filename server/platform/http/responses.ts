/** Sends answers: a value, rows while they are read, a file, or a refusal. In tests it checks them first. */
import { hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Refusal, refusalCode, refusalStatus, type RefusalCode } from '../../../contract/errors.ts'
import { addressOf, logOf, logUnavailable } from './requests.ts'

/**
 * Sends a handler's result in the form of its endpoint.
 * @param strict checks the answer against the contract first, and makes a breach an error
 * @param etag names the answer, if that was known before it was worked for
 */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  output: unknown,
  { strict, etag }: { strict: boolean; etag: string | undefined },
): Promise<FastifyReply> {
  if (etag !== undefined) {
    asJson(reply).header('etag', etag)
    // It may be one of several, or one that a proxy has marked as weak
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  }
  const check =
    (schema: z.ZodMiniType | undefined): Check =>
    (value) => {
      if (strict) checkOutput(endpoint, schema ?? z.never(), value)
    }
  if (endpoint.clearsSiteData) reply.header('clear-site-data', '"cache"')
  if (endpoint.stream === 'text/csv') {
    const name = `${endpoint.path.slice(1).replaceAll('/', '-')}.csv`
    return answerFile(reply, { name, type: 'text/csv; charset=utf-8' }, inChunks(output as AsyncIterable<string>))
  }
  if (endpoint.stream === 'application/octet-stream')
    return answerFile(reply, { name: 'store.backup', type: endpoint.stream }, output as AsyncGenerator<Buffer>)
  if (endpoint.stream === 'text/plain') return reply.header('cache-control', 'no-store').type(PLAIN_TEXT).send(output)
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
}

function checkOutput(endpoint: Endpoint, schema: z.ZodMiniType, output: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(output))
  const read = z.safeEncode(schema, sent)
  if (!read.success)
    throw new Error(`${endpoint.method} ${endpoint.path} breaks its contract: ${z.prettifyError(read.error)}`)
  // Reading drops members that the schema does not name, so a difference is a leak
  if (JSON.stringify(sortKeys(z.parse(schema, read.data))) !== JSON.stringify(sortKeys(sent)))
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

/** An answer as JSON text. Its ETag is made when it is first needed. */
interface Written {
  body: string | Buffer
  etag?: string
  /** By encoding, only for kept answers. */
  compressed?: Map<Encoding, Promise<Buffer>>
}

/** Answers of frozen outputs. The same output is not written or compressed twice, because it cannot change. */
const writtenBefore = new WeakMap<object, Written>()

function write(output: unknown): Written {
  if (typeof output !== 'object' || output === null || !Object.isFrozen(output)) return { body: JSON.stringify(output) }
  let written = writtenBefore.get(output)
  if (!written)
    writtenBefore.set(output, (written = { body: Buffer.from(JSON.stringify(output)), compressed: new Map() }))
  return written
}

export const etagOf = (text: string | Buffer): string => `"${hash('sha1', text, 'base64url')}"`

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  written: Written,
): Promise<FastifyReply> {
  asJson(reply)
  if (endpoint.method !== 'GET') return reply.code(endpoint.status ?? 200).send(written.body)
  if (!reply.hasHeader('etag')) {
    const etag = (written.etag ??= etagOf(written.body))
    reply.header('etag', etag)
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  }
  const { body, compressed } = written
  const encoding = compressed && body.length >= COMPRESS_FROM_BYTES ? encodingFor(request) : undefined
  if (!compressed || !encoding) return reply.code(200).send(body)
  let smaller = compressed.get(encoding)
  if (!smaller) {
    compressed.set(encoding, (smaller = COMPRESS[encoding](body)))
    // Only the callers that wait get an error. The next one tries again
    smaller.catch(() => compressed.delete(encoding))
  }
  return reply
    .code(200)
    .header('vary', 'accept-encoding')
    .header('content-encoding', encoding)
    .send(await smaller)
}

export const COMPRESS_FROM_BYTES = 1_024
/** Good enough for text that is made for each answer, at a fraction of the highest quality's cost. */
export const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** For long lists: 1.5 MB take a sixth of the time, and are 7 % larger. */
const LONG_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }

const brotliInBackground = promisify(brotliCompress)
const COMPRESS = {
  br: (body: string | Buffer): Promise<Buffer> => brotliInBackground(body, BROTLI_OPTIONS),
  gzip: promisify(gzip) as (body: string | Buffer) => Promise<Buffer>,
}
export type Encoding = keyof typeof COMPRESS
export const ENCODINGS: Encoding[] = ['br', 'gzip']

/** Accepts all that the compressing plugin would, because that compresses each answer again. */
export function encodingFor(request: FastifyRequest): Encoding | undefined {
  const accepted = [request.headers['accept-encoding'] ?? []]
    .flat()
    .flatMap((line) =>
      line
        .toLowerCase()
        .replaceAll(/\s/g, '')
        .replaceAll(/\*|x-gzip/g, 'gzip')
        .split(','),
    )
    .filter((each) => !/;q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';')[0])
  return ENCODINGS.find((each) => accepted.includes(each))
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
 * Sends an answer in pieces, no faster than the client takes them. An error before the first piece is answered as
 * usual. A later one breaks the connection, so that half a list never looks like a whole one.
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
  const body = Readable.from(startingWith(beginning, pieces), { objectMode: false })
  const encoding = encodingFor(request)
  if (!encoding) return asJson(reply).send(body)
  const smaller = encoding === 'br' ? createBrotliCompress(LONG_OPTIONS) : createGzip()
  // An error reaches the reader through what it reads
  pipeline(body, smaller, () => undefined)
  return asJson(reply).header('vary', 'accept-encoding').header('content-encoding', encoding).send(smaller)
}

/**
 * Sends a file piece by piece, no faster than the client takes it. As with rows, an error before the first piece is
 * answered as usual, and a later one breaks the connection.
 */
async function answerFile(
  reply: FastifyReply,
  { name, type }: { name: string; type: string },
  pieces: AsyncGenerator<string | Buffer>,
): Promise<FastifyReply> {
  const first = await pieces.next()
  const body = Readable.from(first.done ? [] : startingWith(first.value, pieces), { objectMode: false })
  // The reader must clean up, even if the client hangs up before it has taken anything
  body.once('close', () => void pieces.return(undefined))
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(type)
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

async function* startingWith<Piece>(beginning: Piece, chunks: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  yield beginning
  yield* chunks
}

/** Checks a value before it is sent. @throws Error when it breaks the contract */
type Check = (value: unknown) => void

/** Writes an object as pieces of JSON text, member by member. */
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

/** Writes an array as pieces of JSON text. */
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

const FRAMEWORK_REFUSALS: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
}

/** Logs refused logins and calls without a right, but not forms with a mistake. */
const LOGGED_STATUSES = new Set([401, 403, 429])

export function asRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) {
    if (LOGGED_STATUSES.has(refusalStatus(error.code)))
      logOf(request).info(
        { code: error.code, address: addressOf(request), route: request.routeOptions.url },
        'turned away',
      )
    if (error.code === 'SERVICE_UNAVAILABLE') logUnavailable(request, error, { route: request.routeOptions.url })
    return error
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = code === undefined ? undefined : FRAMEWORK_REFUSALS[code]
  if (known) return new Refusal(known)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('INVALID_JSON')
  logOf(request).error({ err: error, route: request.routeOptions.url }, 'failed')
  return new Refusal('INTERNAL')
}

export function refuse(reply: FastifyReply, refusal: Refusal, always: Record<string, unknown> = {}): FastifyReply {
  const { fields, details: own, retryAfterMs, say } = refusal.extras
  const details = { ...always, ...own }
  const status = refusalStatus(refusal.code)
  if (retryAfterMs !== undefined || status === 429 || status === 503)
    reply.header('retry-after', Math.max(1, Math.ceil((retryAfterMs ?? 1_000) / 1000)))
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...details, message: refusal.message, code: refusalCode(refusal.code), fields, say }))
}
