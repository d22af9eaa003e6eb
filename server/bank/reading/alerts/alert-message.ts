/**
 * Finds text, sender and time in whatever a forwarder app sends: JSON, a form, or the text alone. Anybody can write an
 * SMS, and apps differ in how they put its text into a body. So a text must not name its own sender:
 *
 * - The content type says what a body is. All but JSON and forms is text, also when it looks like JSON.
 * - A sender in the header counts before one in the body, where the text is.
 * - What a body names twice counts as missing. Some apps put the text into JSON or a form without escaping it.
 */
import type { AlertMessage } from './read-alert.ts'

// `payload` is of SMS Gateway for Android, `data` of httpSMS
const TEXTS = ['text', 'content', 'message', 'body', 'msg', 'payload.message', 'data.content']
const SENDERS = ['from', 'sender', 'address', 'payload.sender', 'payload.phoneNumber', 'data.contact']
const STAMPS = 'receivedStamp sentStamp timestamp date time payload.receivedAt data.timestamp'.split(' ')
const SENDER_LENGTH_MAX = 100
const FORM = /^application\/x-www-form-urlencoded\b/i
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i

type Field = [name: string, value: unknown]

/** @param body as it came */
export function alertMessage(body: string, contentType: string, senderHeader: string): AlertMessage {
  const fields = fieldsOf(body, contentType.trim())
  const sender = senderHeader || (fields ? only(fields, SENDERS) : '')
  return {
    text: withoutWrapper(fields ? only(fields, TEXTS) : body, sender),
    sender: sender.slice(0, SENDER_LENGTH_MAX),
    stampedAt: stampOf(STAMPS.map((name) => valueOf(fields?.find((field) => field[0] === name)?.[1])).find(Boolean)),
  }
}

/** As SmsForwarder’s [content] has it: sender, text, SIM, time and phone, each on its line. */
function withoutWrapper(text: string, sender: string): string {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const time = lines.findLastIndex((line) => /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(line.trim()))
  const isWrapped = sender !== '' && first.trim() === sender.trim() && time >= 2 && time >= lines.length - 2
  return isWrapped ? lines.slice(0, time - 1).join('\n') : text
}

/** Undefined for plain text, and for JSON from a template that quotes have broken. Line breaks in it do no harm. */
function fieldsOf(body: string, contentType: string): Field[] | undefined {
  if (FORM.test(contentType)) {
    const fields = [...new URLSearchParams(body)]
    // Some clients call everything a form. The first words of an SMS are no name
    return /^\w*$/.test(fields[0]?.[0] ?? '') ? fields : undefined
  }
  const isJson = JSON_TYPE.test(contentType)
  if (!isJson || !body.trimStart().startsWith('{')) return undefined
  const json = body.replaceAll(/[\r\n\t]/g, ' ')
  try {
    const read: unknown = JSON.parse(json)
    return namesIn(json).map((path) => [path.join('.'), path.reduce(within, read)])
  } catch {
    return undefined
  }
}

const within = (object: unknown, name: string): unknown => (object as Record<string, unknown> | null)?.[name]

/** The names at the first two levels of valid JSON, as often as they stand there. */
function namesIn(json: string): string[][] {
  const names: string[][] = []
  const outer: string[] = []
  let name = ''
  for (const [token, text, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') outer.push(name)
    else if (text === undefined) outer.pop()
    else if (colon !== undefined) {
      name = JSON.parse(text) as string
      if (outer.length <= 2) names.push([...outer.slice(1), name])
    }
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
