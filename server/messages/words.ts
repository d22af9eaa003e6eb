/**
 * What a message says, made at the moment of sending, of what is true then. Never in it: a key, a password, a code, a
 * full UTR, a phone number, somebody else's address, or a balance.
 */
import * as z from 'zod/mini'
import { languageOf, type Language } from '../../contract/languages.ts'
import type { MessageKind } from '../../contract/message-kinds.ts'
import { RESET_LINK_LASTS_MS } from '../../contract/limits.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'
import type { OutboxDelivery, OutboxMessage } from '../platform/outbox.ts'
import { wordsIn } from '../platform/words.ts'
import { hashToken } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { lockAccount } from '../users/access/accounts.ts'
import { makeEmailProof } from '../users/email-proofs.ts'
import { insertResetLink } from '../users/access/reset-links.ts'
import { linkWords } from './telegram/telegram-links.ts'
import { alarmWords } from './words/admin/alarm-words.ts'
import { bankWords } from './words/admin/bank-words.ts'
import { deskWords } from './words/admin/desk-words.ts'
import { ownerWords } from './words/admin/owner-words.ts'
import { supplyWords } from './words/admin/supply-words.ts'
import { securityWords } from './words/admin/security-words.ts'
import { requestWords } from './words/admin/request-words.ts'
import { claimWords } from './words/claim-words.ts'
import { fetchWords } from './words/fetch-words.ts'
import { groupWords } from './words/group-words.ts'
import { inviteWords } from './words/invite-words.ts'
import { plainWords } from './words/plain-words.ts'
import { reminderWords } from './words/reminder-words.ts'
import { renewalWords } from './words/renewal-words.ts'
import { stockWords } from './words/stock-words.ts'
import { topUpWords } from './words/topup-words.ts'
import type { Tell, Words } from './words/wording.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { keptSecret } from '../platform/secrets/kept-secret.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'

/**
 * @param message of a kind that this version knows
 * @param language the reader's (readersLanguage)
 * @returns the words, or why nobody needs them any more
 */
export async function describe(
  services: Pick<Services, 'db' | 'sealer'>,
  message: OutboxMessage,
  now: Date,
  language: Language = 'en',
): Promise<Words | { gone: string }> {
  const words = await WORDS[message.kind as MessageKind](message, { ...services, now, language, t: wordsIn(language) })
  return 'gone' in words || language === 'en' ? words : { ...words, lang: language }
}

/** Returns the language that a reader has chosen: a buyer, or the admin of a browser or a chat. */
export function readersLanguage(
  db: Queries,
  { userId, channel, target }: Pick<OutboxDelivery, 'userId' | 'channel' | 'target'>,
): Promise<Language> {
  if (userId !== null) return languageIn(db, sql`users where id = ${userId}`)
  // The store's own mailbox is read by the first owner
  if (channel === 'email')
    return languageIn(db, sql`admins where role = 'owner' and disabled_at is null order by created_at limit 1`)
  const reached = channel === 'push' ? sql`push_subscriptions` : sql`telegram_links`
  return languageIn(db, sql`admins where id = (select admin_id from ${reached} where id = ${target})`)
}

export const adminsLanguage = (db: Queries, id: string): Promise<Language> =>
  languageIn(db, sql`admins where id = ${id}`)

async function languageIn(db: Queries, row: Sql): Promise<Language> {
  const reader = await db.maybe(sql(() => z.object({ language: z.nullable(z.string()) }))`select language from ${row}`)
  return languageOf(reader?.language ?? undefined) ?? 'en'
}

const LINK_GONE = { gone: 'The link is used or replaced, or the account is closed' }

/** Lets the mail's secret work. It stands behind the #, which browsers never send. */
const tellProof: Tell = async ({ id, kind, userId }, { db, sealer, now, t }) => {
  const token = await linkSecret(db, sealer, id)
  if (!(await makeEmailProof(db, token, userId ?? '', now))) return LINK_GONE
  return {
    title: t('Confirm your email'),
    body: t('Open this link within 3 days. If you didn’t ask for it, you can ignore this email.'),
    path: `/confirm-email#${token}`,
    tag: kind,
  }
}

const tellReset: Tell = async ({ id, kind, userId }, { db, sealer, now, t }) => {
  const token = await linkSecret(db, sealer, id)
  const expiresAt = new Date(now.getTime() + RESET_LINK_LASTS_MS)
  const made = await db.transaction(async (tx) => {
    if (userId === null || !(await lockAccount(tx, userId))) return false
    return insertResetLink(tx, { tokenHash: hashToken(token), userId, adminId: null, now, expiresAt })
  })
  if (!made) return LINK_GONE
  return {
    title: t('Choose a new password'),
    body: t('This link works once, within 30 minutes. If you didn’t ask for it, you can ignore this email.'),
    path: `/reset-password#${token}`,
    tag: kind,
  }
}

/** A kind without words does not compile. A feature with messages brings a table of its own. */
const WORDS: Readonly<Record<MessageKind, Tell>> = {
  ...topUpWords,
  ...plainWords,
  ...ownerWords,
  ...reminderWords,
  ...stockWords,
  ...fetchWords,
  ...renewalWords,
  ...groupWords,
  ...inviteWords,
  ...claimWords,
  ...requestWords,
  ...deskWords,
  ...alarmWords,
  ...bankWords,
  ...supplyWords,
  ...linkWords,
  ...securityWords,
  'account.proof': tellProof,
  'account.reset': tellReset,
}

/** Secrets of links in mails. */
const SECRET = 'mail-links'
const SECRET_BYTES = 32

/** @returns the secret of a message's link: 256 bits, the same in each repeat of its mail, and kept nowhere */
async function linkSecret(db: Queries, sealer: Sealer, messageId: string): Promise<string> {
  const make = () => Promise.resolve(randomBytes(SECRET_BYTES).toString('base64url'))
  const secret = await keptSecret(db, sealer, SECRET, make)
  return createHmac('sha256', secret).update(messageId).digest('base64url')
}
