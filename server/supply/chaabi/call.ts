/**
 * Calls to another Chaabi. What comes back is not trusted: it is cut at a size, and read through a schema.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { AMOUNT_MAX } from '../../../contract/amounts.ts'
import { paise, type Paise } from '../../../contract/money.ts'
import type { SupplyFault } from '../../../contract/supply.ts'
import { MINUTE_MS, SECOND_MS } from '../../../contract/time.ts'
import { OutboundRefused, type Outbound } from '../../platform/outbound.ts'

export interface Account {
  address: string
  token: string
}

/** Nobody knows whether what was asked has happened. */
export interface Unknown {
  is: 'unknown'
  why: SupplyFault
  /** The supplier asked for a pause. */
  afterMs?: number
}

export const ORDER_BYTES_MAX = 256 * 1024
export const LIST_BYTES_MAX = 2 * 1024 * 1024
const PAUSE_MS_MAX = 5 * MINUTE_MS
const NAME_LENGTH_MAX = 200

/** Rupees of an answer. Undefined for what no price can be. */
export function readRupees(rupees: number): Paise | undefined {
  const whole = Math.round(rupees * 100)
  return Number.isSafeInteger(whole) && whole >= 0 && whole <= AMOUNT_MAX ? paise(whole) : undefined
}

export const oneLine = (text: string) => text.replaceAll(/\p{C}/gu, ' ').slice(0, NAME_LENGTH_MAX)

/** What a status without a decision means. */
export function undecided(status: number, headers: IncomingHttpHeaders): Unknown {
  if (status === 401 || status === 403) return { is: 'unknown', why: 'token' }
  if (status === 429 || status === 503) {
    const after = headers['retry-after'] ?? ''
    // A moment is one by their clock
    const afterMs = Number(after) * SECOND_MS || Date.parse(after) - Date.parse(headers.date ?? '')
    return { is: 'unknown', why: 'busy', ...(afterMs > 0 && { afterMs: Math.min(afterMs, PAUSE_MS_MAX) }) }
  }
  return { is: 'unknown', why: status >= 500 ? 'silent' : 'unreadable' }
}

interface Answered {
  status: number
  etag: string | undefined
  body: unknown
}

export async function call(
  outbound: Outbound,
  { address, token }: Account,
  path: string,
  options: { headers?: Record<string, string>; body?: object; bytes: number; signal?: AbortSignal | undefined },
): Promise<Answered | Unknown> {
  const { headers, body, bytes, signal } = options
  try {
    const answer = await outbound.call({
      url: `${address}/api${path}`,
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      answerBytesMax: bytes,
      signal,
    })
    const { status } = answer
    const unknown = undecided(status, answer.headers)
    if (unknown.why !== 'unreadable') return unknown
    return {
      status,
      etag: answer.headers.etag,
      body: status === 304 ? undefined : (JSON.parse(answer.body) as unknown),
    }
  } catch (error) {
    const why = error instanceof OutboundRefused ? 'address' : error instanceof SyntaxError ? 'unreadable' : 'silent'
    return { is: 'unknown', why }
  }
}
