/**
 * What a message says, made at the moment of sending, of what is true then. Never in it: a key, a password, a code, a
 * full UTR, a phone number, somebody else's address, or a balance.
 */
import * as z from 'zod/mini'
import { languageOf, type Language } from '../../contract/languages.ts'
import { KIND_NAMES, type MessageKind } from '../../contract/message-kinds.ts'
import { RESET_LINK_LASTS_MS } from '../../contract/limits.ts'
import { formatPaise } from '../../contract/money.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { OutboxMessage } from '../platform/outbox.ts'
import { wordsIn } from '../platform/words.ts'
import { hashToken } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { lockAccount } from '../users/access/accounts.ts'
import { toContactSupport } from '../users/support-words.ts'
import { makeEmailProof } from '../users/email-proofs.ts'
import { insertResetLink } from '../users/access/reset-links.ts'
import { linkSecret } from './link-secret.ts'
import { linkWords } from './telegram/telegram-links.ts'
import { alarmWords } from './words/alarm-words.ts'
import { bankWords } from './words/bank-words.ts'
import { claimWords } from './words/claim-words.ts'
import { ownerWords } from './words/owner-words.ts'
import { plainWords } from './words/plain-words.ts'
import { reminderWords } from './words/reminder-words.ts'
import { stockWords } from './words/stock-words.ts'
import { readTopUp, tellRequest, type TopUp } from './words/topup-words.ts'
import type { Speaker, Tell, Words } from './words/wording.ts'

const QUEUE = '/admin/payment-manager'

/** @returns the words, or why nobody needs them any more */
export async function describe(
  services: Pick<Services, 'db' | 'sealer'>,
  message: OutboxMessage,
  now: Date,
): Promise<Words | { gone: string }> {
  const kind = KIND_NAMES.find((each) => each === message.kind)
  if (!kind) return { gone: 'This version knows no such message' }
  const language = await readersLanguage(services.db, message.userId)
  const words = await WORDS[kind](message, { ...services, now, language, t: wordsIn(language) })
  return 'gone' in words || language === 'en' ? words : { ...words, lang: language }
}

/** Admins get their messages in English. */
async function readersLanguage(db: Queries, userId: string | null): Promise<Language> {
  if (userId === null) return 'en'
  const user = await db.maybe(
    z.object({ language: z.nullable(z.string()) }),
    sql`select language from users where id = ${userId}`,
  )
  return languageOf(user?.language ?? undefined) ?? 'en'
}

const LINK_GONE = { gone: 'The link is used or replaced, or the account is closed' }

/** Lets the mail's secret work. It stands behind the #, which browsers never send. */
const tellProof: Tell = async ({ id, kind, userId }, { db, sealer, now, t }) => {
  const token = await linkSecret(db, sealer, id)
  if (!(await makeEmailProof(db, token, userId ?? '', now))) return LINK_GONE
  return {
    title: t('Confirm your email'),
    body: t('Open this link within 3 days. If you didn’t ask for it, you can ignore this message.'),
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
    body: t('This link works once, within 30 minutes. If you didn’t ask for it, you can ignore this message.'),
    path: `/reset-password#${token}`,
    tag: kind,
  }
}

/** Says something of a top-up while it is in this state. */
function ofTopUp(status: TopUp['status'], wordsOf: (topUp: TopUp, by: Speaker) => Promise<Omit<Words, 'tag'>>): Tell {
  return async ({ subjectId }, by) => {
    const topUp = subjectId === null ? undefined : await readTopUp(by.db, subjectId)
    if (!topUp) return { gone: 'The top-up is no longer there' }
    if (topUp.status !== status) return { gone: `Already ${topUp.status}` }
    return { ...(await wordsOf(topUp, by)), tag: `topup.${topUp.id}` }
  }
}

const tellOneRequest = ofTopUp('pending', async (topUp, { db }) => ({
  ...(await tellRequest(db, topUp)),
  path: `${QUEUE}?request=${topUp.id}`,
}))

const topUpWords = {
  'topup.requested': async (message, by) => {
    const { count, sum } = message.data
    if (typeof count !== 'number') return tellOneRequest(message, by)
    return {
      title: `${count} new top-up requests`,
      body: `${formatPaise(Number(sum))} in all. Check them against your bank.`,
      path: QUEUE,
      tag: message.kind,
    }
  },
  'topup.approved': ofTopUp('approved', async ({ credit, asked, reason }, { t }) => ({
    title: t('{amount} added to your wallet', { amount: formatPaise(credit) }),
    body:
      asked === null
        ? t('Your top-up was approved.')
        : t('You typed {amount}. {reason}', { amount: formatPaise(asked), reason: reason ? t(reason) : '' }).trim(),
    path: '/buy',
  })),
  'topup.rejected': ofTopUp('rejected', async ({ amount, reason }, { db, t }) => ({
    title: t('Your top-up of {amount} was rejected', { amount: formatPaise(amount) }),
    body: reason ? t(reason) : t('No reason was given. If you paid, {help}', { help: await toContactSupport(db) }),
    path: '/wallet-history',
  })),
} satisfies Record<string, Tell>

/** A kind without words does not compile. A feature with messages brings a table of its own. */
const WORDS: Readonly<Record<MessageKind, Tell>> = {
  ...topUpWords,
  ...plainWords,
  ...ownerWords,
  ...reminderWords,
  ...stockWords,
  ...claimWords,
  ...alarmWords,
  ...bankWords,
  ...linkWords,
  'account.proof': tellProof,
  'account.reset': tellReset,
}
