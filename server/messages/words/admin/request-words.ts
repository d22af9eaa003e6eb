/** What is said of a top-up request to who decides on it. */
import * as z from 'zod/mini'
import { formatPaise, formatRupees } from '../../../../contract/money.ts'
import type { BankVerdict, PaymentBank } from '../../../../contract/payment-signs.ts'
import { sayReason } from '../../../../contract/reason-words.ts'
import type { Translate } from '../../../../contract/words.ts'
import { readPaymentBank } from '../../../bank/matching/payment-bank.ts'
import { sql } from '../../../platform/database/database.ts'
import { ofTopUp, type TopUp } from '../topup-words.ts'
import type { Speaker, Tell } from '../wording.ts'

const QUEUE = '/admin/payment-manager'

const UTR_DIGITS_SHOWN = 4

/** Amount and buyer, the end of the UTR, and what the bank says at this moment. */
export async function tellRequest(
  { db, t }: Pick<Speaker, 'db' | 't'>,
  topUp: TopUp,
): Promise<{ title: string; body: string }> {
  const { id, amount, credit, username, utr } = topUp
  const bank = (await readPaymentBank(db, [id])).get(id)
  const sentences = [
    t('UTR ending in {digits}.', { digits: utr.slice(-UTR_DIGITS_SHOWN) }),
    ...(credit === amount ? [] : [t('{amount} would be added.', { amount: formatPaise(credit) })]),
    bankSentence(bank, t),
  ]
  return {
    title: t('{amount} from {name}', { amount: formatPaise(amount), name: username }),
    body: sentences.join(' '),
  }
}

const tellOne = ofTopUp('pending', async (topUp, by) => ({
  ...(await tellRequest(by, topUp)),
  path: `${QUEUE}?request=${topUp.id}`,
}))

const tellRequests: Tell = async (message, by) => {
  const { count, sum, until } = message.data
  if (typeof count !== 'number') return tellOne(message, by)
  return {
    title:
      until === undefined
        ? by.t('{count} new top-up requests', { count })
        : by.t('{count, plural, one {# top-up waits} other {# top-ups wait}} for longer than usual', { count }),
    body: by.t('{amount} in all. Check them against your bank.', { amount: formatPaise(Number(sum)) }),
    path: QUEUE,
    tag: message.kind,
  }
}

export const requestWords = { 'topup.requested': tellRequests }

/** Verdicts that ask for a look at the panel. */
const AGAINST: readonly BankVerdict[] = ['amount', 'late', 'differs', 'rivals', 'payer']
export const speaksAgainst = (bank: PaymentBank | undefined): boolean => !!bank && AGAINST.includes(bank.verdict)

/** Names nobody: a payer's name has no place on a lock screen. */
function bankSentence(bank: PaymentBank | undefined, t: Translate): string {
  switch (bank?.verdict) {
    case undefined:
      return t('Check it against your bank.')
    case 'confirmed':
      return t('Your bank confirms it.')
    case 'alert':
      return t('A bank alert confirms it. No statement yet.')
    case 'proposed':
      return t('A bank message looks like this payment. Check it in the panel.')
    case 'hint':
      return t('Your bank shows the amount, but not this UTR.')
    case 'amount':
      return t('Your bank shows {amount} instead.', { amount: formatRupees(bank.amount ?? 0) })
    case 'unseen':
      return t('Not seen in your bank yet.')
    case 'late':
    case 'differs':
    case 'rivals':
    case 'payer':
    default:
      return t('Your bank’s records don’t match it. Check it in the panel.')
  }
}

/** How a request was decided, for an admin. @param reader the admin */
export async function decidedText(
  { db, t }: Pick<Speaker, 'db' | 't'>,
  { id, username, amount, credit, status, reason }: TopUp,
  reader: string,
): Promise<string> {
  const { by, isReader } = await db.one(sql(() => z.object({ by: z.nullable(z.string()), isReader: z.boolean() }))`
    select admins.username as by, coalesce(admins.id = ${reader}, false) as is_reader
      from topup_requests request left join admins on admins.id = request.decided_by
     where request.id = ${id}`)
  const values = { who: isReader ? 'you' : by === null ? 'rules' : 'admin', by: by ?? '', name: username }
  if (status === 'approved')
    return t(
      'Approved by {who, select, you {you} rules {your store’s rules} other {{by}}}: {amount} added to the wallet ' +
        'of {name}.',
      { ...values, amount: formatPaise(credit) },
    )
  const rejected = t(
    'Rejected by {who, select, you {you} rules {your store’s rules} other {{by}}}: {amount} from {name}.',
    { ...values, amount: formatPaise(amount) },
  )
  return reason === null ? rejected : `${rejected} “${sayReason(t, reason)}”`
}
