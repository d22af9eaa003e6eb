/**
 * What a message says, made at the moment of sending, of what is true then. Never in it: a key, a password, a code, a
 * full UTR, a phone number, somebody else's address, or a balance.
 */
import { KIND_NAMES, type MessageKind } from '../../../contract/message-kinds.ts'
import { RESET_LINK_LASTS_MS } from '../../../contract/limits.ts'
import { formatPaise } from '../../../contract/money.ts'
import type { OutboxMessage } from '../../platform/outbox.ts'
import { hashToken } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from '../../users/access/accounts.ts'
import { toContactSupport } from '../../users/support-words.ts'
import { makeEmailProof } from '../../users/email-proofs.ts'
import { insertResetLink } from '../../users/access/reset-links.ts'
import { linkSecret } from '../link-secret.ts'
import { linkWords } from '../telegram/telegram-links.ts'
import { alarmWords } from './alarm-words.ts'
import { bankWords } from './bank-words.ts'
import { claimWords } from './claim-words.ts'
import { ownerWords } from './owner-words.ts'
import { plainWords } from './plain-words.ts'
import { reminderWords } from './reminder-words.ts'
import { stockWords } from './stock-words.ts'
import { readTopUp, tellRequest, type TopUp } from './topup-words.ts'
import type { Speaker, Tell, Words } from './wording.ts'

const QUEUE = '/admin/payment-manager'

/** @returns the words, or why nobody needs them any more */
export async function describe(
  services: Pick<Services, 'db' | 'sealer'>,
  message: OutboxMessage,
  now: Date,
): Promise<Words | { gone: string }> {
  const kind = KIND_NAMES.find((each) => each === message.kind)
  return kind ? WORDS[kind](message, { ...services, now }) : { gone: 'This version knows no such message' }
}

const LINK_GONE = { gone: 'The link is used or replaced, or the account is closed' }

/** Lets the mail's secret work. It stands behind the #, which browsers never send. */
const tellProof: Tell = async ({ id, kind, userId }, { db, sealer, now }) => {
  const token = await linkSecret(db, sealer, id)
  if (!(await makeEmailProof(db, token, userId ?? '', now))) return LINK_GONE
  return {
    title: 'Confirm your email',
    body: 'Open this link within 3 days. If you didn’t ask for it, you can ignore this message.',
    path: `/confirm-email#${token}`,
    tag: kind,
  }
}

const tellReset: Tell = async ({ id, kind, userId }, { db, sealer, now }) => {
  const token = await linkSecret(db, sealer, id)
  const expiresAt = new Date(now.getTime() + RESET_LINK_LASTS_MS)
  const made = await db.transaction(async (tx) => {
    if (userId === null || !(await lockAccount(tx, userId))) return false
    return insertResetLink(tx, { tokenHash: hashToken(token), userId, adminId: null, now, expiresAt })
  })
  if (!made) return LINK_GONE
  return {
    title: 'Choose a new password',
    body: 'This link works once, within 30 minutes. If you didn’t ask for it, you can ignore this message.',
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
  'topup.approved': ofTopUp('approved', async ({ credit, asked, reason }) => ({
    title: `${formatPaise(credit)} added to your wallet`,
    body: asked === null ? 'Your top-up was approved.' : `You typed ${formatPaise(asked)}. ${reason ?? ''}`.trim(),
    path: '/buy',
  })),
  'topup.rejected': ofTopUp('rejected', async ({ amount, reason }, { db }) => ({
    title: `Your top-up of ${formatPaise(amount)} was rejected`,
    body: reason ?? `No reason was given. If you paid, ${await toContactSupport(db)}`,
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
