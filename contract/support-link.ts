/** Where buyers write to the store, as an owner gives it. Imports nothing, so that a form can show what it means. */

interface SupportLink {
  /** https:// or mailto: */
  url: string
  /** The service, or undefined for any other link. */
  service?: 'WhatsApp' | 'Telegram' | 'Email'
  /** A number, a name or an address, for people. */
  shown: string
}

/** Ten digits of an Indian mobile number, or a number with its country's code behind a plus sign. */
const INDIAN = /^(?:\+?91|0)?([6-9]\d{9})$/
const FOREIGN = /^\+([1-9]\d{7,14})$/
const WHATSAPP = /^(?:https:\/\/)?wa\.me\/(\S+)$/i
const TELEGRAM = /^(?:https:\/\/)?(?:t|telegram)\.me\/(\S+)$/i
const EMAIL = /^(?:mailto:)?([\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/i

/** Reads a WhatsApp number, a wa.me or t.me address, or an e-mail address. Undefined for all else, also for a link. */
export function readSupportLink(written: string): SupportLink | undefined {
  const text = written.trim()
  const bare = text.replaceAll(/[\s().-]/g, '')
  const indian = INDIAN.exec(bare)?.[1]
  const number = indian === undefined ? FOREIGN.exec(bare)?.[1] : `91${indian}`
  if (number !== undefined) return whatsApp(number)
  const [, chat] = WHATSAPP.exec(text) ?? []
  if (chat !== undefined) return whatsApp(chat)
  const [, channel] = TELEGRAM.exec(text) ?? []
  if (channel !== undefined) return { url: `https://t.me/${channel}`, service: 'Telegram', shown: `@${channel}` }
  const [, address] = EMAIL.exec(text) ?? []
  return address === undefined ? undefined : { url: `mailto:${address}`, service: 'Email', shown: address }
}

/** Returns the service that a saved support link leads to, or the name of its website. */
export function supportPlace(url: string): string {
  const [, host = 'Email'] = /^https?:\/\/(?:www\.)?([^/?#]+)/.exec(url) ?? []
  return { 'wa.me': 'WhatsApp', 't.me': 'Telegram' }[host] ?? host
}

function whatsApp(chat: string): SupportLink {
  const digits = /^\+?(\d{8,15})$/.exec(chat)?.[1]
  const indian = /^91(\d{5})(\d{5})$/.exec(digits ?? '')
  const shown = indian ? `+91 ${indian[1]} ${indian[2]}` : digits === undefined ? chat : `+${digits}`
  return { url: `https://wa.me/${digits ?? chat}`, service: 'WhatsApp', shown }
}

/** Opens a chat with an Indian mobile number, with a text to begin with. Undefined for any other number. */
export function whatsAppChat(phone: string, text: string): string | undefined {
  const digits = INDIAN.exec(phone)?.[1]
  return digits === undefined ? undefined : `https://wa.me/91${digits}?text=${encodeURIComponent(text)}`
}
