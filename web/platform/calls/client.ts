/**
 * Calls the contract's endpoints from the browser: `client.orders.place({…})`.
 *
 * Only method and path of the endpoints come along (`__ENDPOINTS__`, put in at build time) and their types. The
 * schemas, and Zod with them, stay out of the first load. So do the calls that `/` does not make itself.
 */
import type { Api } from '../../../contract/api.ts'
import { createClient, type Call, type EndpointTable } from '../../../contract/client.ts'
import type { RefusalCode } from '../../../contract/errors.ts'
import type { Said } from '../../../contract/words.ts'
import { ApiError, isAway } from './api-error.ts'
import { markReached, markUnreached } from './connection.ts'
import { followServerTime } from '../clock.ts'
import { t } from '../i18n.ts'

declare const __ENDPOINTS__: EndpointTable

const CALL_TIMEOUT_MS = 20_000
/** Long, because 50,000 keys are added in one call. */
const LARGE_CALL_TIMEOUT_MS = 120_000
const LARGE_BODY_CHARS = 200_000

/** Lists the calls of `/`. Those of other pages, and the panel's, are added later. */
export const ENDPOINTS = __ENDPOINTS__
export const client = createClient<Api>(ENDPOINTS, send, async () =>
  addCalls((await import('./later-calls.ts')).laterCalls),
)

export function addCalls(table: EndpointTable): void {
  for (const [feature, calls] of Object.entries(table)) ENDPOINTS[feature] = { ...ENDPOINTS[feature], ...calls }
}

type RefusalListener = (error: ApiError, path: string) => void
const refusalListeners = new Set<RefusalListener>()

/** Calls `listener` with every refusal of the server. The session watches for 401 this way. */
export function onRefusal(listener: RefusalListener): () => void {
  refusalListeners.add(listener)
  return () => refusalListeners.delete(listener)
}

/** Handles a refusal. @returns undefined to send the call again, or the error for the caller */
type Remedy = (refusal: ApiError) => Promise<ApiError | undefined>
const remedies = new Map<string, Remedy>()

/** Handles refusals of one code before the caller sees them. The call is then repeated once. */
export function onRefusalOf(code: RefusalCode, remedy: Remedy): () => void {
  remedies.set(code, remedy)
  return () => remedies.delete(code)
}

function send(call: Call): Promise<unknown> {
  return cured(() => sendOnce(call))
}

/** Makes a call, and repeats it if its refusal could be handled. */
export async function cured<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const remedy = error instanceof ApiError ? remedies.get(error.code) : undefined
    if (!remedy) throw error
    const failure = await remedy(error as ApiError)
    if (failure) throw failure
    return call()
  }
}

async function sendOnce(call: Call): Promise<unknown> {
  const { response, text } = await reach(call)
  followServerTime(response.headers.get('date'))
  if (isAway(response.status)) markUnreached()
  else markReached()

  const isJson = response.headers.get('content-type')?.includes('application/json')
  const body = isJson ? parse(text) : NOT_OURS
  const isOurs = (body as { code?: unknown } | null)?.code !== NOT_OURS.code
  if (isOurs && response.ok) return body

  throw await (isOurs ? refusalIn(response, body, call.url, call.body) : toApiError(response, body, call.body))
}

/** Stands for an answer that the store can't have sent, such as the page of a proxy. */
export const NOT_OURS = { code: 'NOT_JSON' } as const

const unreached = () => t('The store can’t be reached. Check your connection and try again.')
export const offline = () => new ApiError({ status: 0, code: 'OFFLINE', message: unreached() })
const inFront = () => import('./in-front.ts').catch(() => undefined)

/** Says an answer without words by its status. No more than the commonest sentence comes with the first load. */
async function wordsFor(response: Response, isBroken: unknown, sent?: string): Promise<string> {
  if (isAway(response.status)) return t('The store is busy right now. Please try again in a moment.')
  return (!isBroken && (await inFront())?.wordsFor(response, sent)) || unreached()
}

/** Turns an answer into an error, after telling the listeners for refusals. */
export async function refusalIn(response: Response, body: unknown, url: string, sent?: string): Promise<ApiError> {
  const error = await toApiError(response, body, sent)
  for (const listener of refusalListeners) listener(error, url)
  return error
}

async function reach(call: Call): Promise<{ response: Response; text: string }> {
  const given = call.options.signal
  // Not `AbortSignal.any`, which phones of 2023 lack
  const ending = new AbortController()
  const end = () => ending.abort()
  const isLarge = (call.body?.length ?? 0) > LARGE_BODY_CHARS
  const timer = setTimeout(end, isLarge ? LARGE_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS)
  given?.addEventListener('abort', end)
  if (given?.aborted) end()
  const headers: Record<string, string> = { accept: 'application/json' }
  if (call.body !== undefined) headers['content-type'] = 'application/json'
  if (call.options.idempotencyKey) headers['idempotency-key'] = call.options.idempotencyKey
  const request: RequestInit = {
    method: call.method,
    headers,
    body: call.body ?? null,
    keepalive: call.options.keepalive ?? false,
    signal: ending.signal,
  }
  // Nothing of ours may fail in here, because that would pass for a fault of the network
  try {
    const response = await fetch(`/api${call.url}`, request)
    return { response, text: await response.text().catch(() => '') }
  } catch (cause) {
    // The caller gave up, so nobody reads this message
    if (given?.aborted) throw cause
    markUnreached()
    throw offline()
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', end)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { ...NOT_OURS, isBroken: true }
  }
}

export async function toApiError(response: Response, body: unknown, sent?: string): Promise<ApiError> {
  const { message, code, fields, say, ...details } = (body ?? {}) as {
    message?: string
    code?: ApiError['code']
    fields?: Record<string, string>
    say?: Said
  } & Record<string, unknown>
  const said = say ? t(...say) : message && t(message)
  const retryAfter = Number(response.headers.get('retry-after'))
  const wait = said && response.status === 429 ? ((await inFront())?.waitText(response) ?? '') : ''
  return new ApiError({
    status: response.status,
    code: code ?? 'UNKNOWN',
    message: said ? said + wait : await wordsFor(response, details['isBroken'], sent),
    isWordless: !message && code !== NOT_OURS.code,
    details,
    ...(fields && { fields: saidFaults(fields, message, said) }),
    ...(retryAfter > 0 && { retryAfterMs: retryAfter * 1000 }),
  })
}

/** Says the faults of fields. One of them may be the message, which may have values. */
function saidFaults(fields: Record<string, string>, message?: string, said = ''): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, fault]) => [name, fault === message ? said : t(fault)]))
}
