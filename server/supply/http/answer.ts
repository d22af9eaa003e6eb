/**
 * Reads the answer of a supplier with an API of its own. Keys, a text that says that there are none, and five statuses
 * decide. All else is not known, because what may have been bought is not to be bought again.
 */
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'
import { KeyText } from '../../../contract/keys.ts'
import type { Paise } from '../../../contract/money.ts'
import type { SupplyTemplate } from '../../../contract/supply.ts'
import { damageIn } from '../../keys/doubtful-keys.ts'
import { ORDER_BYTES_MAX, readRupees, undecided, type Unknown } from '../chaabi/call.ts'

const REFUSED: readonly number[] = [400, 402, 404, 410, 422]
const UNREADABLE: Unknown = { is: 'unknown', why: 'unreadable' }

type Read =
  | { is: 'came'; keys: string[]; unitPrice: Paise | undefined }
  | { is: 'refused'; why: 'stock' | 'request' }
  | Unknown

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** If it was cut, it is one byte longer than allowed. */
  body: string
}

/** @param quantity how many keys there must be; absent in a dry run */
export function readAnswer(
  { keyAt, costAt, noneIf, okIf }: SupplyTemplate,
  { status, headers, body }: Answer,
  quantity?: number,
): Read {
  if (Buffer.byteLength(body) > ORDER_BYTES_MAX) return UNREADABLE
  const isGood = status >= 200 && status < 300
  const text = body.replace(/^\u{FEFF}/u, '').trim()
  const document = parsed(text)
  const saysNone = (part: string) => noneIf !== '' && bare(part).includes(bare(noneIf))
  const lines = keyAt === '' ? linesOf(text).filter((line) => !saysNone(line)) : textsAt(document, keyAt)
  const found = isGood && bare(text).includes(bare(okIf)) ? lines : []
  if (found.every((key) => key === '') && saysNone(text)) return { is: 'refused', why: 'stock' }
  if (!isGood) return REFUSED.includes(status) ? { is: 'refused', why: 'request' } : undecided(status, headers)
  // The last line of an answer that ends with its connection may be cut
  const isFramed = keyAt !== '' || 'content-length' in headers || 'transfer-encoding' in headers
  if (found.length === 0 || !isFramed) return UNREADABLE
  // A text at which a person would have to look is not sold automatically
  const areWhole = found.every(
    (key) => z.safeParse(KeyText, key).data === key && !damageIn(Buffer.from(key).toString()),
  )
  if (found.length !== (quantity ?? found.length) || !areWhole) return { is: 'unknown', why: 'keys' }
  return { is: 'came', keys: found, unitPrice: costAt === '' ? undefined : costOf(valueAt(document, costAt)) }
}

/** As two programs write the same JSON: without blanks, and with each letter as itself. */
const bare = (text: string): string =>
  text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\s+|\\(?=\/)/g, '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A page and JSON are no list of keys. */
const linesOf = (text: string): string[] => (/^[<{["]/.test(text) ? [] : (text.match(/\S(?:.*\S)?/g) ?? []))

/** @returns the texts; for null an empty one, and for anything else one that cannot be a key */
function textsAt(document: unknown, pointer: string): string[] {
  const value = valueAt(document, pointer)
  const all: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return all.map((each) => (typeof each === 'string' ? each.trim() : each === null ? '' : '\0'))
}

/** Follows a JSON pointer through the answer's own members, and no inherited ones. */
export function valueAt(document: unknown, pointer: string): unknown {
  let here = document
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    if (Array.isArray(here) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
    here = (here as Record<string, unknown>)[name]
  }
  return here
}

function costOf(value: unknown): Paise | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}(?:\.\d{1,4})?$/.test(value))
  return isNumber ? readRupees(Number(value)) : undefined
}
