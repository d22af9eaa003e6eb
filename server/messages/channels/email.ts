/** E-mail over the SMTP server that the owner names. */
import { connect as openSocket, isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as z from 'zod/mini'
import type { MessageKind } from '../../../contract/message-kinds.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { Outcome } from '../../platform/outbox.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { EmailFacts, readChannel, secretOf } from './channels.ts'
import { wordsIn } from '../../platform/words.ts'
import type { Letterhead } from '../../settings/site-name.ts'
import { unsubscribeToken } from './unsubscribe.ts'
import type { Words } from '../words/wording.ts'

/** How long a mail server may take, in ms. */
export interface MailTimes {
  /** Until it is reached. */
  connect: number
  greeting: number
  /** Between any two answers. */
  silence: number
  /** For the whole mail, which also ends a server that trickles bytes. */
  whole: number
}

/** Those of RFC 5321, section 4.5.3.2. A server that scans mails may think for ten minutes. */
export const MAIL_TIMES: MailTimes = { connect: 30_000, greeting: 5 * 60_000, silence: 10 * 60_000, whole: 12 * 60_000 }
/** A mail that is being sent when the store stops has this long. */
const LAST_MS = 5_000

const PROBE_MS = 15_000
const SMTPS_PORT = 465

interface Mail {
  /** The sender itself when undefined. */
  to: string | undefined
  /** Repeated tries carry the same, so that a mailbox can tell. */
  id: string
  words: Words
  /** Ends mails of this kind with one click. */
  unsubscribe?: string | undefined
}

/** A mail as the demo keeps it. */
export interface DemoMail {
  to: string
  subject: string
  text: string
}

const DEMO_MAILS_MAX = 50

interface Sending {
  db: Queries
  sealer: Sealer
  publicOrigin: string | undefined
  mailTimes: MailTimes
  demoMails?: DemoMail[] | undefined
  /** Aborts when the store closes. */
  ended: AbortSignal
  letterhead: Letterhead
  now: Date
}

/** The target of e-mails to admins: the sender's own address, because they have none. */
export const STORE_ADDRESS = 'store'

/** Sends to a buyer, at the address that was proven (reachedBy), or to the store itself. */
export async function sendEmail(
  sending: Sending,
  { target: userId, id, kind }: { target: string; id: string; kind: string },
  words: Words,
): Promise<Outcome> {
  if (userId === STORE_ADDRESS) return deliver(sending, { to: undefined, id, words })
  const to = await sending.db.text(sql`select email from users where id = ${userId} and deleted_at is null`)
  if (!to) return { is: 'dropped', why: 'No longer wanted here' }
  const unsubscribe = await unsubscribeToken(sending.db, sending.sealer, userId, kind as MessageKind)
  return deliver(sending, { to, id, words, unsubscribe })
}

export async function deliver(
  { db, sealer, publicOrigin, mailTimes, demoMails, ended, letterhead, now }: Sending,
  mail: Mail,
): Promise<Outcome> {
  const channel = await readChannel(db, 'email')
  const facts = z.safeParse(EmailFacts, channel.facts)
  if (!facts.success) return { is: 'down', error: 'No mail server is set', probeAfterMs: PROBE_MS }
  const { host, port, user, from } = facts.data
  const to = mail.to ?? from
  const body = bodyOf(mail, publicOrigin ?? '', letterhead)
  if (demoMails) {
    demoMails.unshift({ to, subject: mail.words.title, text: body.text })
    demoMails.length = Math.min(demoMails.length, DEMO_MAILS_MAX)
    return { is: 'sent', status: 250 }
  }
  const pass = secretOf(sealer, channel)
  const { createTransport } = await import('nodemailer')
  let socket: Socket
  try {
    socket = await reach(host, port, mailTimes.connect)
  } catch (error) {
    return { is: 'down', error: messageOf(error), probeAfterMs: PROBE_MS }
  }
  const cut = () => socket.destroy(new Error('The mail server took too long'))
  const deadline = setTimeout(cut, mailTimes.whole)
  const hurry = () => void setTimeout(cut, LAST_MS).unref()
  ended.addEventListener('abort', hurry, { once: true })
  const transport = createTransport({
    host,
    port,
    secure: port === SMTPS_PORT,
    // Nothing goes to another machine in the clear
    requireTLS: port !== SMTPS_PORT && !isLoopback(host),
    ignoreTLS: isLoopback(host) && port !== SMTPS_PORT,
    getSocket: (_, done) => done(null, { connection: socket }),
    // Cuts the greeting short as well
    connectionTimeout: mailTimes.whole,
    greetingTimeout: mailTimes.greeting,
    socketTimeout: mailTimes.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user !== '' && { auth: { user, pass: pass ?? '' } }),
  })
  const domain = from.slice(from.lastIndexOf('@') + 1)
  try {
    await transport.sendMail({
      from: { name: letterhead.siteName, address: from },
      to: { name: '', address: to },
      messageId: `<${mail.id}@${domain}>`,
      subject: mail.words.title,
      date: now,
      ...body,
      ...(mail.unsubscribe !== undefined && {
        headers: {
          'List-Unsubscribe': `<${publicOrigin ?? ''}/api/messages/unsubscribe/${mail.unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    })
    return { is: 'sent', status: 250 }
  } catch (error) {
    return outcomeOf(error as SmtpError)
  } finally {
    clearTimeout(deadline)
    ended.removeEventListener('abort', hurry)
    transport.close()
    socket.destroy()
  }
}

/** Opens a connection. Until it is open the server is away, and the mail has had no try. */
function reach(host: string, port: number, mostMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = openSocket({ host, port })
    const timer = setTimeout(() => socket.destroy(new Error('The mail server can’t be reached')), mostMs)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** Servers quote the reader's address, which the log of messages never shows. */
const messageOf = (error: unknown): string => {
  const { errors } = error as { errors?: Error[] }
  // No table takes a NUL
  const [line = ''] = (errors?.[0] ?? (error as Error)).message.split(/[\n\0]/)
  return line.replaceAll(/[^\s<>]+@[^\s<>]+/g, '…')
}

interface SmtpError extends Error {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}

const UNSENDABLE = ['EENVELOPE', 'EMESSAGE']
/** Faults of the store: its login, TLS, connection or sender. They come before the reader is named. */
const OF_THE_STORE = ['EAUTH', 'ETLS', 'EPROTOCOL', 'EHLO', 'MAIL FROM']
/** Faults of this mail alone, also while the sender is named: no room, or a form that the server does not know. */
const OF_THE_MAIL = [552, 555]
/** No room for now, though it begins with a 5: a full mailbox or server, or a sender who sent much (RFC 3463). */
const FULL = /^(552|5\d\d[ -]5\.(2\.2|3\.1|4\.5))\b/

/**
 * Tells a server that takes no mail of this store from one that does not take this mail. When the connection breaks,
 * the mail may have arrived: that is a try, or the same mail would be sent for ever.
 */
function outcomeOf(thrown: SmtpError): Outcome {
  const { code = '', command = '', originalCode = '', response = '', responseCode } = thrown
  const error = messageOf(thrown)
  // No server was asked: this mail can't be sent at all
  if (responseCode === undefined && UNSENDABLE.includes(code)) return { is: 'dead', error }
  const isOfTheMail = responseCode !== undefined && OF_THE_MAIL.includes(responseCode)
  const isOfTheStore = [code, command].some((each) => OF_THE_STORE.includes(each))
  if ((isOfTheStore && !isOfTheMail) || /CERT|SIGNATURE/.test(originalCode))
    return { is: 'down', error, probeAfterMs: PROBE_MS }
  if (responseCode === undefined) return { is: 'retry', error }
  return { is: responseCode >= 500 && !FULL.test(response) ? 'dead' : 'retry', error, status: responseCode }
}

/** @returns the mail as text, and as one plain frame with the store's face and one button */
function bodyOf({ words, unsubscribe }: Mail, origin: string, { siteName, logo }: Letterhead) {
  const { title, body, path, lang = 'en' } = words
  const t = wordsIn(lang)
  const noMore = t('No more emails like this')
  const link = `${origin}${path}`
  const end = unsubscribe === undefined ? undefined : `${origin}/unsubscribe#${unsubscribe}`
  const face =
    logo && origin ? `<img src="${escape(origin + logo)}" alt="" width="32" height="32" style="${LOGO}">` : ''
  const html = [
    `<div lang="${lang}" style="${FRAME}">`,
    // What a list of mails shows beside the subject
    `<div style="display:none">${escape(body)}</div>`,
    `<p style="font-weight:600">${face}${escape(siteName)}</p>`,
    `<h1 style="font-size:20px;line-height:1.3">${escape(title)}</h1>`,
    `<p>${escape(body)}</p>`,
    `<p><a href="${escape(link)}" style="${BUTTON}">${escape(t('Open {name}', { name: siteName }))}</a></p>`,
    end ? `<p style="font-size:13px"><a href="${escape(end)}" style="color:#5b6172">${escape(noMore)}</a></p>` : '',
    '</div>',
  ]
  return {
    text: `${title}\n\n${body}\n\n${link}\n\n${siteName}\n${end ? `\n${noMore}: ${end}\n` : ''}`,
    html: html.join('\n'),
  }
}

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

/** Mail programs read styles beside their elements alone. Light in both themes, which they darken. */
const FRAME =
  'max-width:480px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1f2a;background:#fff;' +
  'overflow-wrap:anywhere'
const LOGO = 'vertical-align:middle;margin-right:10px;border-radius:9px'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:10px;font-weight:600;text-decoration:none;color:#fff;' +
  'background:#2f6b12'

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
}
