/**
 * What a message says, made at the moment of sending, of what is true then. Never in it: a key, a password, a code, a
 * full UTR, a phone number, somebody else's address, or a balance.
 */
import * as z from 'zod/mini'
import { KIND_NAMES, type MessageKind } from '../../contract/message-kinds.ts'
import { RESET_LINK_LASTS_MS } from '../../contract/limits.ts'
import { formatRupees, paise, toRupees } from '../../contract/money.ts'
import { sql, type Database, type Queries } from '../platform/database/database.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import type { OutboxMessage } from '../platform/outbox.ts'
import { lockAccount } from '../users/accounts.ts'
import { makeEmailProof } from '../users/email-proofs.ts'
import { insertResetLink } from '../users/reset-links.ts'

export interface Words {
  title: string
  body: string
  /** A path of the store's own. */
  path: string
  /** A newer message with the same tag replaces this one on a phone. */
  tag: string
}

const TopUp = z.object({
  id: z.string(),
  username: z.string(),
  amount: z.number(),
  credit: z.number(),
  status: z.enum(['pending', 'approved', 'rejected']),
  reason: z.nullable(z.string()),
  utr: z.string(),
})

const QUEUE = '/admin/payment-manager'
const UTR_DIGITS_SHOWN = 4

const rupees = (amount: number): string => formatRupees(toRupees(paise(amount)))

/** @returns the words, or why nobody needs them any more */
export async function describe(db: Database, message: OutboxMessage, now: Date): Promise<Words | { gone: string }> {
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
    return (await linkOf(db, kind, userId ?? '', now)) ?? { gone: 'The account is closed or already confirmed' }
  const topUp = subjectId === null ? undefined : await readTopUp(db, subjectId)
  if (!kind || !topUp) return { gone: 'The top-up is no longer there' }
  const { status, wordsOf } = TOP_UPS[kind]
  if (topUp.status !== status) return { gone: `Already ${topUp.status}` }
  return { ...wordsOf(topUp), tag: `topup.${topUp.id}` }
}

/** Makes a secret for this one mail. It stands behind the #, which browsers never send. */
async function linkOf(db: Database, kind: LinkKind, userId: string, now: Date): Promise<Words | undefined> {
  if (kind === 'account.proof') {
    const token = await makeEmailProof(db, userId, now)
    return token === undefined
      ? undefined
      : {
          title: 'Confirm your email',
          body: 'Open this link within 3 days. If you did not ask for it, ignore this message.',
          path: `/confirm-email#${token}`,
          tag: kind,
        }
  }
  const token = newToken()
  const expiresAt = new Date(now.getTime() + RESET_LINK_LASTS_MS)
  const made = await db.transaction(async (tx) => {
    if (!(await lockAccount(tx, userId))) return false
    await insertResetLink(tx, { tokenHash: hashToken(token), userId, adminId: null, now, expiresAt })
    return true
  })
  return made
    ? {
        title: 'Choose a new password',
        body: 'This link works once, within 30 minutes. If you did not ask for it, ignore this message.',
        path: `/reset-password#${token}`,
        tag: kind,
      }
    : undefined
}

type LinkKind = 'account.proof' | 'account.reset'
type TopUp = z.output<typeof TopUp>

/** What is said of a top-up, while it is in this state. */
const TOP_UPS: Record<
  Exclude<MessageKind, LinkKind>,
  { status: TopUp['status']; wordsOf: (topUp: TopUp) => Omit<Words, 'tag'> }
> = {
  'topup.requested': {
    status: 'pending',
    wordsOf: ({ id, amount, username, utr }) => ({
      title: `${rupees(amount)} from ${username}`,
      body: `UTR ending in ${utr.slice(-UTR_DIGITS_SHOWN)}. Check it against your bank.`,
      path: `${QUEUE}?request=${id}`,
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
    wordsOf: ({ amount, reason }) => ({
      title: `Your top-up of ${rupees(amount)} was rejected`,
      body: reason ?? 'No reason was given. Write to the seller if you paid.',
      path: '/wallet-history',
    }),
  },
}

function readTopUp(db: Queries, id: string): Promise<TopUp | undefined> {
  return db.maybe(
    TopUp,
    sql`
    select request.id, users.username, request.amount_paise as amount, request.credit_paise as credit, request.status,
           request.reason, request.utr
      from topup_requests request join users on users.id = request.user_id
     where request.id = ${id} and not exists (select from hidden_payments where payment_id = request.id)`,
  )
}
