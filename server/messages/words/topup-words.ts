/** What is said of a top-up request to who decides on it. */
import * as z from 'zod/mini'
import { formatPaise, formatRupees } from '../../../contract/money.ts'
import type { BankVerdict, PaymentBank } from '../../../contract/payment-signs.ts'
import { readPaymentBank } from '../../bank/matching/payment-bank.ts'
import { ReasonInWords } from '../../payments/reasons.ts'
import { isListed } from '../../platform/database/conditions.ts'
import { sql, type Queries } from '../../platform/database/database.ts'

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
  return db.maybe(
    TopUp,
    sql`
    select request.id, users.username, request.amount_paise as amount, request.credit_paise as credit, request.status,
           request.reason, request.asked_paise as asked, request.utr
      from topup_requests request join users on users.id = request.user_id
     where request.id = ${id} and ${isListed(sql`request.id`)}`,
  )
}

const UTR_DIGITS_SHOWN = 4

/** Amount and buyer, the end of the UTR, and what the bank says at this moment. */
export async function tellRequest(db: Queries, topUp: TopUp): Promise<{ title: string; body: string }> {
  const { id, amount, credit, username, utr } = topUp
  const bank = (await readPaymentBank(db, [id])).get(id)
  const credited = credit === amount ? '' : ` ${formatPaise(credit)} would be added.`
  return {
    title: `${formatPaise(amount)} from ${username}`,
    body: `UTR ending in ${utr.slice(-UTR_DIGITS_SHOWN)}.${credited} ${bankSentence(bank)}`,
  }
}

/** Verdicts that ask for a look at the panel. */
const AGAINST: readonly BankVerdict[] = ['amount', 'late', 'differs', 'rivals', 'payer']
export const speaksAgainst = (bank: PaymentBank | undefined): boolean => !!bank && AGAINST.includes(bank.verdict)

/** Names nobody: a payer's name has no place on a lock screen. */
function bankSentence(bank: PaymentBank | undefined): string {
  switch (bank?.verdict) {
    case undefined:
      return 'Check it against your bank.'
    case 'confirmed':
      return 'Your bank confirms it.'
    case 'alert':
      return 'A bank alert confirms it. No statement yet.'
    case 'proposed':
      return 'A bank message seems to tell of it. Compare it in the panel.'
    case 'hint':
      return 'Your bank shows the amount, but not this UTR.'
    case 'amount':
      return `Your bank shows ${formatRupees(bank.amount ?? 0)} instead.`
    case 'unseen':
      return 'Not seen in your bank yet.'
    case 'late':
    case 'differs':
    case 'rivals':
    case 'payer':
    default:
      return 'Your bank’s records don’t match it. Check it in the panel.'
  }
}

/** How a request was decided, for an admin. @param reader the admin */
export async function decidedText(
  db: Queries,
  { id, username, amount, credit, status, reason }: TopUp,
  reader: string,
): Promise<string> {
  const { name, isReader } = await db.one(
    z.object({ name: z.nullable(z.string()), isReader: z.boolean() }),
    sql`
    select admins.username as name, coalesce(admins.id = ${reader}, false) as is_reader
      from topup_requests request left join admins on admins.id = request.decided_by
     where request.id = ${id}`,
  )
  const by = isReader ? 'you' : (name ?? 'your store’s rules')
  return status === 'approved'
    ? `Approved by ${by}: ${formatPaise(credit)} added to the wallet of ${username}.`
    : `Rejected by ${by}: ${formatPaise(amount)} from ${username}.${reason === null ? '' : ` “${reason}”`}`
}
