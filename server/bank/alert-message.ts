/** Finds text, sender and time in whatever a forwarder app sends: JSON, a form, or the text alone. */
import type { AlertMessage } from './read-alert.ts'

const TEXTS = ['text', 'content', 'message', 'body', 'msg']
const SENDERS = ['from', 'sender', 'address']
const STAMPS = ['receivedStamp', 'sentStamp', 'timestamp', 'date', 'time']
const SENDER_LENGTH_MAX = 100

/** @param body as it came */
export function alertMessage(body: string, contentType: string, senderHeader: string): AlertMessage {
  const fields = fieldsOf(body, contentType)
  const field = (names: readonly string[]) => {
    const name = names.find((one) => typeof fields?.[one] === 'string' || typeof fields?.[one] === 'number')
    return name === undefined ? undefined : String(fields?.[name])
  }
  const sender = field(SENDERS) ?? senderHeader
  return {
    text: field(TEXTS) ?? (fields ? '' : body),
    sender: sender.slice(0, SENDER_LENGTH_MAX),
    stampedAt: stampOf(field(STAMPS)),
  }
}

/** Undefined for plain text, and for JSON from a template that line breaks or quotes have broken. */
function fieldsOf(body: string, contentType: string): Record<string, unknown> | undefined {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return Object.fromEntries(new URLSearchParams(body))
  if (!body.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function stampOf(written: string | undefined): Date | null {
  if (written === undefined) return null
  const at = new Date(/^\d{10,13}$/.test(written) ? Number(written.padEnd(13, '0')) : written)
  return Number.isNaN(at.getTime()) ? null : at
}
