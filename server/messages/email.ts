/** E-mail over the SMTP server that the owner names. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as z from 'zod/mini'
import type { MessageKind } from '../../contract/message-kinds.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Outcome } from '../platform/outbox.ts'
import type { Sealer } from '../platform/sealing.ts'
import { EmailFacts, readChannel, secretOf } from './channels.ts'
import { unsubscribeToken } from './unsubscribe.ts'
import type { Words } from './wording.ts'

export const MAIL_SILENCE_MS_MAX = 10_000
const PROBE_MS = 15_000
const SMTPS_PORT = 465

export interface Mail {
  to: string
  /** Repeated tries carry the same, so that a mailbox can tell. */
  id: string
  words: Words
  /** Ends mails of this kind with one click. */
  unsubscribe?: string | undefined
}

interface Sending {
  db: Queries
  sealer: Sealer
  publicOrigin: string | undefined
  mailSilenceMsMax: number
  siteName: string
}

/** Sends to a buyer, only while the address is the one that was proven. */
export async function sendEmail(
  sending: Sending,
  { target: userId, id, kind }: { target: string; id: string; kind: string },
  words: Words,
): Promise<Outcome> {
  const isProof = kind === 'account.proof'
  const row = await sending.db.maybe(
    z.object({ email: z.string() }),
    sql`select email from users 
         where id = ${userId} and deleted_at is null and (email_proven_at is not null or ${isProof})`,
  )
  if (!row) return { is: 'dropped', why: 'The address is not proven' }
  const unsubscribe = await unsubscribeToken(sending.db, sending.sealer, userId, kind as MessageKind)
  return deliver(sending, { to: row.email, id, words, unsubscribe })
}

export async function deliver(
  { db, sealer, publicOrigin, mailSilenceMsMax, siteName }: Sending,
  mail: Mail,
): Promise<Outcome> {
  const channel = await readChannel(db, 'email')
  const facts = z.safeParse(EmailFacts, channel.facts)
  if (!facts.success) return { is: 'down', error: 'No mail server is set', probeAfterMs: PROBE_MS }
  const { host, port, user, from } = facts.data
  const pass = secretOf(sealer, channel)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: port === SMTPS_PORT,
    // Nothing goes to another machine in the clear
    requireTLS: port !== SMTPS_PORT && !isLoopback(host),
    ignoreTLS: isLoopback(host) && port !== SMTPS_PORT,
    connectionTimeout: mailSilenceMsMax,
    greetingTimeout: mailSilenceMsMax,
    socketTimeout: mailSilenceMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user !== '' && { auth: { user, pass: pass ?? '' } }),
  })
  const domain = from.slice(from.lastIndexOf('@') + 1)
  try {
    await transport.sendMail({
      from: { name: siteName, address: from },
      to: { name: '', address: mail.to },
      messageId: `<${mail.id}@${domain}>`,
      subject: mail.words.title,
      ...bodyOf(mail, publicOrigin ?? '', siteName),
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
    transport.close()
  }
}

interface SmtpError extends Error {
  code?: string
  responseCode?: number
}

const UNSENDABLE = ['EENVELOPE', 'EMESSAGE']

/** Tells a server that does not work from a mailbox that does not take this mail. */
function outcomeOf({ code, responseCode, message }: SmtpError): Outcome {
  const error = message.split('\n')[0] ?? ''
  // No server was asked: this mail can't be sent at all
  if (responseCode === undefined && UNSENDABLE.includes(code ?? '')) return { is: 'dead', error }
  if (responseCode === undefined || code === 'EAUTH' || code === 'ETLS' || responseCode === 421)
    return { is: 'down', error, probeAfterMs: PROBE_MS }
  return { is: responseCode >= 500 ? 'dead' : 'retry', error, status: responseCode }
}

function bodyOf({ words: { title, body, path }, unsubscribe }: Mail, origin: string, siteName: string) {
  const link = `${origin}${path}`
  const end = unsubscribe === undefined ? undefined : `${origin}/unsubscribe#${unsubscribe}`
  const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
  return {
    text: `${title}\n\n${body}\n\n${link}\n\n${siteName}\n${end ? `\nNo more emails like this: ${end}\n` : ''}`,
    html:
      `<p><strong>${escape(title)}</strong></p><p>${escape(body)}</p>` +
      `<p><a href="${escape(link)}">${escape(link)}</a></p><p>${escape(siteName)}</p>` +
      (end ? `<p><a href="${escape(end)}">No more emails like this</a></p>` : ''),
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
}
