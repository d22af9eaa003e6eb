/**
 * Finds text, sender and time in whatever a forwarder app sends: JSON, a form, or the text alone. Anybody can write an
 * SMS, and apps differ in how they put its text into a body. So a text must not name its own sender:
 *
 * - The content type says what a body is. All but JSON and forms is text, also when it looks like JSON.
 * - A sender in the header counts before one in the body, where the text is.
 * - What a body names twice, it has not said. Some apps put the text into JSON or a form without escaping it.
 */
import type { AlertMessage } from './read-alert.ts'

const TEXTS = ['text', 'content', 'message', 'body', 'msg']
const SENDERS = ['from', 'sender', 'address']
const STAMPS = ['receivedStamp', 'sentStamp', 'timestamp', 'date', 'time']
const SENDER_LENGTH_MAX = 100
const FORM = /^application\/x-www-form-urlencoded\b/i
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i

type Field = [name: string, value: unknown]

/** @param body as it came */
export function alertMessage(body: string, contentType: string, senderHeader: string): AlertMessage {
  const fields = fieldsOf(body, contentType.trim())
  const sender = senderHeader || (fields ? only(fields, SENDERS) : '')
  return {
    text: fields ? only(fields, TEXTS) : body,
    sender: sender.slice(0, SENDER_LENGTH_MAX),
    stampedAt: stampOf(STAMPS.map((name) => valueOf(fields?.find((field) => field[0] === name)?.[1])).find(Boolean)),
  }
}

/** Undefined for plain text, and for JSON from a template that line breaks or quotes have broken. */
function fieldsOf(body: string, contentType: string): Field[] | undefined {
  if (FORM.test(contentType)) {
    const fields = [...new URLSearchParams(body)]
    // Some clients call everything a form. The first words of an SMS are no name
    return /^\w*$/.test(fields[0]?.[0] ?? '') ? fields : undefined
  }
  const isJson = JSON_TYPE.test(contentType)
  if (!isJson || !body.trimStart().startsWith('{')) return undefined
  try {
    const read = JSON.parse(body) as Record<string, unknown>
    return namesIn(body).map((name) => [name, read[name]])
  } catch {
    return undefined
  }
}

/** The names at the first level of valid JSON, as often as they stand there. */
function namesIn(json: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const [token, text, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (text === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (depth === 1 && colon !== undefined) names.push(JSON.parse(text) as string)
  }
  return names
}

/** The value that goes by any of these names; empty when several do. */
function only(fields: readonly Field[], names: readonly string[]): string {
  const found = fields.filter(([name, value]) => names.includes(name) && valueOf(value) !== undefined)
  const isClear = new Set(found.map(([name]) => name)).size === found.length
  const values = new Set(found.map(([, value]) => valueOf(value)))
  return isClear && values.size === 1 ? ([...values][0] ?? '') : ''
}

const valueOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

function stampOf(written: string | undefined): Date | null {
  if (written === undefined) return null
  const at = new Date(/^\d{10,13}$/.test(written) ? Number(written.padEnd(13, '0')) : written)
  return Number.isNaN(at.getTime()) ? null : at
}
