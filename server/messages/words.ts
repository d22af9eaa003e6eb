/**
 * What a message says, made at the moment of sending, of what is true then. Never in it: a key, a password, a code, a
 * full UTR, a phone number, somebody else's address, or a balance.
 */
import * as z from 'zod/mini'
import { KIND_NAMES, type MessageKind } from '../../contract/message-kinds.ts'
import { formatRupees, paise, toRupees } from '../../contract/money.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { OutboxMessage } from '../platform/outbox.ts'

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
export async function describe(db: Queries, message: OutboxMessage): Promise<Words | { gone: string }> {
  const { kind, data } = message
  if (kind === 'topup.requested' && typeof data['count'] === 'number')
    return {
      title: `${data['count']} new top-up requests`,
      body: `${rupees(Number(data['sum']))} in all. Check them against your bank.`,
      path: QUEUE,
      tag: 'topup.requested',
    }
  const name = KIND_NAMES.find((each) => each === kind)
  const topUp = message.subjectId === null ? undefined : await readTopUp(db, message.subjectId)
  if (!name || !topUp) return { gone: 'The top-up is no longer there' }
  const { status, wordsOf } = TOP_UPS[name]
  if (topUp.status !== status) return { gone: `Already ${topUp.status}` }
  return { ...wordsOf(topUp), tag: `topup.${topUp.id}` }
}

type TopUp = z.output<typeof TopUp>

/** What is said of a top-up, while it is in this state. */
const TOP_UPS: Record<MessageKind, { status: TopUp['status']; wordsOf: (topUp: TopUp) => Omit<Words, 'tag'> }> = {
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
