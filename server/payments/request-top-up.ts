/** A buyer says: I have paid this much, and this is the bank's reference. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { PENDING_TOPUPS_MAX } from '../../contract/limits.ts'
import { formatRupees, toRupees, type Paise } from '../../contract/money.ts'
import type { RequestedTopUp, TopUpRequest } from '../../contract/payments.ts'
import { recordConsent } from '../consents/consents.ts'
import { sql, violates, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { isClaimed, numbersIn } from './same-transfer.ts'
import { findOffer } from './plans.ts'
import { readOwnTopUp } from './top-ups.ts'

type Request = z.output<typeof TopUpRequest>

/**
 * Files a top-up request. Its terms are fixed here: a plan or a setting that changes later changes nothing for it.
 * @throws Refusal PAYMENTS_OFF, PLAN_NOT_FOUND, INVALID_INPUT, UTR_ALREADY_USED, TOO_MANY_PENDING, PLAN_CHANGED, or
 *   NO_SESSION when the account was closed meanwhile
 */
export async function requestTopUp(
  { db, events }: Services,
  request: Request,
  { user, now, address }: Pick<Call<'user'>, 'user' | 'now' | 'address'>,
): Promise<{ message: string; payment: RequestedTopUp }> {
  const id = newId()
  const payment = await db
    .transaction(async (tx) => {
      const terms = await termsOf(tx, request)
      const { amount, credit, planId, validityDays } = terms
      // Requests of one buyer come one by one, so that the count of those that wait is true
      await lockWallet(tx, user.id, now)
      const buyer = await findBuyer(tx, user.id)
      await refuseRepeats(tx, user.id, request.utr)
      // What was filed before the plan changed stays filed, and is told so when it is sent again
      refuseOtherTerms(request, terms)
      await tx.run(sql`
        insert into topup_requests (id, user_id, amount_paise, credit_paise, plan_id, validity_days, validity_fixed, utr,
                                    phone, address, created_at)
        values (${id}, ${user.id}, ${amount}, ${credit}, ${planId}, ${validityDays}, true, ${request.utr},
                ${request.payerName}, ${address}, ${now})`)
      await recordConsent(tx, { userId: user.id, termsVersion: request.termsVersion, topUpId: id, now })
      return {
        ...(await readOwnTopUp(tx, id)),
        userId: { _id: user.id, ...buyer },
        productId: null,
        duration: '',
      }
    })
    .catch((error: unknown) => {
      // Two requests at the same moment: the index lets one through
      if (violates(error, 'topup_requests_live_utr')) throw utrAlreadyUsed()
      throw error
    })
  events.publish({ to: 'admins', name: 'payment', data: { id, status: 'pending' } })
  return { message: 'Request submitted', payment }
}

interface Terms {
  amount: Paise
  /** What approval credits. */
  credit: Paise
  planId: string | null
  /** How long the credit lasts once it is there; null for good. */
  validityDays: number | null
}

/** What is paid and what is credited: with a plan both are the store's word, and what the client says of them is ignored. */
async function termsOf(tx: Transaction, request: Request): Promise<Terms> {
  const { paymentEnabled, topupMax, topupValidityDays: validityDays } = await readSettings(tx)
  if (!paymentEnabled) throw new Refusal('PAYMENTS_OFF')
  const planId = request.meta?.planId
  if (planId) return { ...(await findOffer(tx, planId)), planId, validityDays }

  if (request.amount > topupMax) {
    const message = `Maximum amount is ${formatRupees(toRupees(topupMax))}`
    throw new Refusal('INVALID_INPUT', { message, fields: { amount: message } })
  }
  return { amount: request.amount, credit: request.amount, planId: null, validityDays }
}

/** A plan is paid as it was shown: a transfer of another amount is not filed as this one (docs/decisions/0014). */
function refuseOtherTerms({ expectedAmount, expectedCredit }: Request, { amount, credit, planId }: Terms): void {
  if (planId === null) return
  if ((expectedAmount ?? amount) === amount && (expectedCredit ?? credit) === credit) return
  const [asked, given] = [formatRupees(toRupees(amount)), formatRupees(toRupees(credit))]
  throw new Refusal('PLAN_CHANGED', {
    message: `This plan has changed to ${given} for ${asked}. Your request was not submitted.`,
  })
}

/** The session was recognised before the wallet's lock, and whoever closes an account holds that lock. */
async function findBuyer(tx: Transaction, userId: string): Promise<{ username: string; email: string }> {
  const { isOpen, ...buyer } = await tx.one(
    z.object({ isOpen: z.boolean(), username: z.string(), email: z.string() }),
    sql`select deleted_at is null and closes_at is null as "isOpen", username, email from users where id = ${userId}`,
  )
  if (!isOpen) throw new Refusal('NO_SESSION')
  return buyer
}

async function refuseRepeats(tx: Transaction, userId: string, utr: string): Promise<void> {
  const reference = sql`${utr}::text`
  // Two ways of writing it at the same moment: no index sees that they are one. In one order, so that they wait and do not clash
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(number, 0))
      from (select number from unnest(${numbersIn(reference)}) as number order by number) as number`)
  const { used, pending } = await tx.one(
    z.object({ used: z.boolean(), pending: z.number() }),
    sql`
    select ${isClaimed(reference, sql`claim.status in ('pending', 'approved')`)} as used,
           (select count(*)
              from topup_requests request
             where request.user_id = ${userId} and request.status = 'pending'
               and not exists (select from hidden_payments where payment_id = request.id)) as pending`,
  )
  if (used) throw utrAlreadyUsed()
  if (pending >= PENDING_TOPUPS_MAX) throw new Refusal('TOO_MANY_PENDING')
}

function utrAlreadyUsed(): Refusal {
  return new Refusal('UTR_ALREADY_USED', { fields: { utr: 'This UTR has already been submitted.' } })
}
