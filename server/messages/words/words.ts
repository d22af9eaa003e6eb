/**
 * What a message says, made at the moment of sending, of what is true then. Never in it: a key, a password, a code, a
 * full UTR, a phone number, somebody else's address, or a balance.
 */
import { KIND_NAMES, type MessageKind } from '../../../contract/message-kinds.ts'
import { RESET_LINK_LASTS_MS } from '../../../contract/limits.ts'
import type { Queries } from '../../platform/database/database.ts'
import { hashToken } from '../../platform/ids.ts'
import type { OutboxMessage } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { toContactSupport } from '../../users/support-words.ts'
import { lockAccount } from '../../users/accounts.ts'
import { makeEmailProof } from '../../users/email-proofs.ts'
import { insertResetLink } from '../../users/access/reset-links.ts'
import { linkSecret } from '../link-secret.ts'
import { linkWords } from '../telegram/telegram-links.ts'
import { alarmWords, type AlarmKind } from './alarm-words.ts'
import { bankWords, type BankKind } from './bank-words.ts'
import { claimWords, type ClaimKind } from './claim-words.ts'
import { plainWords, type PlainKind } from './plain-words.ts'
import { reminderWords, type ReminderKind } from './reminder-words.ts'
import { stockWords, type StockKind } from './stock-words.ts'
import { readTopUp, rupees, tellRequest, type TopUp } from './topup-words.ts'
import type { Words } from './wording.ts'

const QUEUE = '/admin/payment-manager'

/** @returns the words, or why nobody needs them any more */
export async function describe(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  message: OutboxMessage,
  now: Date,
): Promise<Words | { gone: string }> {
  const { data, userId, subjectId } = message
  const kind = KIND_NAMES.find((each) => each === message.kind)
  if (kind === 'topup.requested' && typeof data['count'] === 'number')
    return {
      title: `${data['count']} new top-up requests`,
      body: `${rupees(Number(data['sum']))} in all. Check them against your bank.`,
      path: QUEUE,
      tag: 'topup.requested',
    }
  if (kind === 'account.proof' || kind === 'account.reset')
    return (
      (await linkOf(db, kind, { userId: userId ?? '', token: await linkSecret(db, sealer, message.id), now })) ?? {
        gone: 'The link is used or replaced, or the account is closed',
      }
    )
  const words =
    (await plainWords(db, message)) ??
    (await reminderWords(db, message, now)) ??
    (await stockWords(db, message)) ??
    (await claimWords(db, message)) ??
    (await alarmWords(db, message)) ??
    (await bankWords(db, message)) ??
    (await linkWords(db, message, now))
  if (words) return words
  const topUp = subjectId === null ? undefined : await readTopUp(db, subjectId)
  if (!kind || !topUp) return { gone: 'The top-up is no longer there' }
  const { status, wordsOf } = TOP_UPS[kind as TopUpKind]
  if (topUp.status !== status) return { gone: `Already ${topUp.status}` }
  return { ...(await wordsOf(topUp, db)), tag: `topup.${topUp.id}` }
}

/** Lets the mail's secret work. It stands behind the #, which browsers never send. */
async function linkOf(
  db: Services['db'],
  kind: LinkKind,
  { userId, token, now }: { userId: string; token: string; now: Date },
): Promise<Words | undefined> {
  if (kind === 'account.proof') {
    return (await makeEmailProof(db, token, userId, now))
      ? {
          title: 'Confirm your email',
          body: 'Open this link within 3 days. If you didn’t ask for it, you can ignore this message.',
          path: `/confirm-email#${token}`,
          tag: kind,
        }
      : undefined
  }
  const expiresAt = new Date(now.getTime() + RESET_LINK_LASTS_MS)
  const made = await db.transaction(async (tx) => {
    if (!(await lockAccount(tx, userId))) return false
    return insertResetLink(tx, { tokenHash: hashToken(token), userId, adminId: null, now, expiresAt })
  })
  return made
    ? {
        title: 'Choose a new password',
        body: 'This link works once, within 30 minutes. If you didn’t ask for it, you can ignore this message.',
        path: `/reset-password#${token}`,
        tag: kind,
      }
    : undefined
}

type LinkKind = 'account.proof' | 'account.reset'
type TopUpKind = Exclude<
  MessageKind,
  LinkKind | PlainKind | ReminderKind | StockKind | ClaimKind | AlarmKind | BankKind | 'telegram.ending'
>

/** What is said of a top-up, while it is in this state. */
const TOP_UPS: Record<
  TopUpKind,
  { status: TopUp['status']; wordsOf: (topUp: TopUp, db: Queries) => Omit<Words, 'tag'> | Promise<Omit<Words, 'tag'>> }
> = {
  'topup.requested': {
    status: 'pending',
    wordsOf: async (topUp, db) => ({
      ...(await tellRequest(db, topUp)),
      path: `${QUEUE}?request=${topUp.id}`,
    }),
  },
  'topup.approved': {
    status: 'approved',
    wordsOf: ({ credit }) => ({
      title: `${rupees(credit)} added to your wallet`,
      body: 'Your top-up was approved.',
      path: '/buy',
    }),
  },
  'topup.rejected': {
    status: 'rejected',
    wordsOf: async ({ amount, reason }, db) => ({
      title: `Your top-up of ${rupees(amount)} was rejected`,
      body: reason ?? `No reason was given. If you paid, ${await toContactSupport(db)}`,
      path: '/wallet-history',
    }),
  },
}
