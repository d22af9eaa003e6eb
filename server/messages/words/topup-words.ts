/** What messages about top-ups say to buyers, and how every message reads one. */
import * as z from 'zod/mini'
import { formatPaise } from '../../../contract/money.ts'
import { sayReason } from '../../../contract/reason-words.ts'
import { UTR_NOT_FOUND } from '../../../contract/review-requests.ts'
import { ReasonInWords } from '../../../contract/top-up-reasons.ts'
import { isListed } from '../../platform/database/conditions.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import { toContactSupport } from '../../users/support-words.ts'
import type { Speaker, Tell, Words } from './wording.ts'

const TopUp = z.object({
  id: z.string(),
  username: z.string(),
  amount: z.number(),
  credit: z.number(),
  status: z.enum(['pending', 'approved', 'rejected']),
  reason: ReasonInWords,
  asked: z.nullable(z.number()),
  utr: z.string(),
})
export type TopUp = z.output<typeof TopUp>

/** @returns undefined for one that is no longer in the lists */
export function readTopUp(db: Queries, id: string): Promise<TopUp | undefined> {
  return db.maybe(sql(TopUp)`
    select request.id, users.username, request.amount_paise as amount, request.credit_paise as credit, request.status,
           request.reason, request.asked_paise as asked, request.utr
      from topup_requests request join users on users.id = request.user_id
     where request.id = ${id} and ${isListed(sql`request.id`)}`)
}

/** Says something of a top-up while it is in this state. */
export function ofTopUp(
  status: TopUp['status'],
  wordsOf: (topUp: TopUp, by: Speaker) => Promise<Omit<Words, 'tag'>>,
): Tell {
  return async ({ subjectId }, by) => {
    const topUp = subjectId === null ? undefined : await readTopUp(by.db, subjectId)
    if (!topUp) return { gone: 'The top-up is no longer there' }
    if (topUp.status !== status) return { gone: `Already ${topUp.status}` }
    return { ...(await wordsOf(topUp, by)), tag: `topup.${topUp.id}` }
  }
}

export const topUpWords = {
  'topup.approved': ofTopUp('approved', async ({ credit, asked, reason }, { t }) => ({
    title: t('{amount} added to your wallet', { amount: formatPaise(credit) }),
    body:
      asked === null
        ? t('Your top-up was approved.')
        : t('You entered {amount}. {reason}', { amount: formatPaise(asked), reason: sayReason(t, reason) }).trim(),
    path: '/buy',
  })),
  'topup.rejected': ofTopUp('rejected', async ({ amount, reason, utr }, { db, t }) => ({
    title: t('Your top-up of {amount} was rejected', { amount: formatPaise(amount) }),
    body:
      reason === UTR_NOT_FOUND
        ? t('We couldn’t find {amount} with UTR …{end}.', { amount: formatPaise(amount), end: utr.slice(-4) })
        : sayReason(t, reason) || t('No reason was given. If you paid, {help}', { help: await toContactSupport(db) }),
    path: '/wallet-history',
  })),
} satisfies Record<string, Tell>
